-- analyst_classes: the classes of a baseline for QGIS, one row each; no row for a dataset that gets one symbol.
--   layer  the dataset
-- Its first attribute that has a summary decides: numbers get classes of values, categories a class for each value.
create or replace function analyst_classes(layer text) returns table (renderer text, attribute text, number int, lower numeric, upper numeric, value text)
  language plpgsql stable as $$
declare
  main attribute;
  served dataset;
  shown text;
begin
  select * into main from attribute as each where layer_id = layer and summary <> 'none' order by place limit 1;
  if not found then return; end if;
  select * into served from dataset where layer_id = layer;
  select each.column_name into shown from analyst.attribute as each where each.layer_id = layer and each.name = main.name;
  if main.type = 'number' then
    -- Five classes of as many frames each, or fewer where values repeat. More than a million rows are sampled, a frame of
    -- each run: sorting the values of 7,500,000 takes 20 seconds.
    return query
    with valued as (  -- one row per value
      select unnest(numbers) as amount from value_array
      where version = served.version and name = main.name and served.items <= 1000000
      union all
      select plain_number(found.recorded ->> main.name)
      from frame_run
      cross join lateral (
        select recorded from baseline_row where version = served.version and frame_id = first_id limit 1
      ) as found
      where served.items > 1000000
      union all
      select unnest(array[lowest, highest]) from attribute_spread
      where version = served.version and attribute_spread.attribute = main.name and level = 'frame' and served.items > 1000000
    ), bound as (  -- one row per bound of a class
      select distinct unnest(percentile_disc(array[0, 0.2, 0.4, 0.6, 0.8, 1]) within group (order by amount)) as value from valued
    ), class as (  -- one row per class, from one bound to the next
      select lag(bound.value) over (order by bound.value) as from_value, bound.value as to_value from bound where bound.value is not null
    )
    select 'graduatedSymbol', shown, (row_number() over (order by from_value))::int - 1, from_value, to_value, null::text
    from class where from_value is not null;
  else
    -- Twelve values can be told apart by their colours; more than that are not shown by colour.
    return query
    with shade as (  -- one row per value, up to thirteen; of more than a million rows, those that the import kept
      (select class.value as of, class.items as frames from class
      where class.layer_id = layer and class.name = main.name and served.items > 1000000 limit 13)
      union all
      (select recorded ->> main.name as of, count(*) as frames
      from baseline_row
      where version = served.version and served.items <= 1000000 and recorded ->> main.name is not null
      group by 1 limit 13)
    )
    select 'categorizedSymbol', shown, (row_number() over (order by frames desc, of collate "C"))::int - 1, null::numeric, null::numeric, of
    from shade where (select count(*) from shade) <= 12;
  end if;
end $$;
comment on function analyst_classes(text) is 'How a baseline is coloured: by its first attribute that has a summary, in classes of numbers or by value.';
