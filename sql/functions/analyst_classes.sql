-- analyst_classes: the classes of a baseline for QGIS, one row each; no row for a dataset that gets one symbol.
--   layer  the dataset
-- Its first attribute that has a summary decides: numbers get classes of values, categories a class for each value.
create or replace function analyst_classes(layer text) returns table (renderer text, attribute text, number int, lower numeric, upper numeric, value text)
  language plpgsql stable as $$
declare
  main attribute;
  shown text;
begin
  select * into main from attribute as each where layer_id = layer and summary <> 'none' order by place limit 1;
  if not found then return; end if;
  select each.column_name into shown from analyst.attribute as each where each.layer_id = layer and each.name = main.name;
  if main.type = 'number' then
    -- Five classes of as many frames each, or fewer where values repeat.
    return query
    with bound as (  -- one row per bound of a class
      select distinct unnest(percentile_disc(array[0, 0.2, 0.4, 0.6, 0.8, 1]) within group (order by plain_number(recorded ->> main.name))) as value
      from dataset join baseline_row using (version) where layer_id = layer
    ), class as (  -- one row per class, from one bound to the next
      select lag(bound.value) over (order by bound.value) as from_value, bound.value as to_value from bound where bound.value is not null
    )
    select 'graduatedSymbol', shown, (row_number() over (order by from_value))::int - 1, from_value, to_value, null::text
    from class where from_value is not null;
  else
    -- Twelve values can be told apart by their colours; more than that are not shown by colour.
    return query
    with class as (  -- one row per value, up to thirteen
      select recorded ->> main.name as of, count(*) as frames
      from dataset join baseline_row using (version) where layer_id = layer and recorded ->> main.name is not null
      group by 1 limit 13
    )
    select 'categorizedSymbol', shown, (row_number() over (order by frames desc, of collate "C"))::int - 1, null::numeric, null::numeric, of
    from class where (select count(*) from class) <= 12;
  end if;
end $$;
comment on function analyst_classes(text) is 'How a baseline is coloured: by its first attribute that has a summary, in classes of numbers or by value.';
