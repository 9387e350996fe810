-- analyst_baseline: makes the view of a baseline in schema analyst.
--   layer         the dataset
--   index_schema  the schema of the frame index that the view reads: public, or staging just before a switch
-- A number is numeric, and null where the value is no plain number; a category is text. To look for a frame of each row by
-- merging a million ids takes a third of the time of a hash of them.
create or replace function analyst_baseline(layer text, index_schema text) returns void
  language plpgsql set work_mem = '128MB' set enable_hashjoin = off as $$
declare
  abouts text[] := array['The frame.', 'Outline of the cell, WGS 84.', 'State.', 'Local government area.', 'Ward.'];
  names text[];
  columns text[];
  comments text[];
  selected text;
  strays bool;
begin
  select array_agg(name order by place), array_agg(column_name order by place),
    array_agg(label || coalesce(' (' || unit || ')', '') || '.'
      || coalesce(' Modelled: its bounds are in ' || lower || ' and ' || upper || coalesce(', its draws in ' || draws, '') || '.', '')
      || coalesce((
        select format(' The %s bound of %s.', case known.lower when listed.name then 'lower' else 'upper' end, known.name)
        from attribute as known
        where known.layer_id = layer and listed.name in (known.lower, known.upper)
        order by known.place
        limit 1
      ), '') order by place),
    string_agg(format('value_row.%s[placed.at[%s]] as %I, ', case type when 'number' then 'numbers' else 'texts' end, n, column_name), '' order by place)
    into names, columns, comments, selected
  from (select *, row_number() over (order by place) as n from analyst.attribute where layer_id = layer and column_name is not null) as listed;
  -- Each is read where it is selected alone. A name that an attribute has is left out.
  select columns || coalesce(array_agg(given.column_name order by given.place, given.n), '{}'),
    comments || coalesce(array_agg(given.about order by given.place, given.n), '{}'),
    selected || coalesce(string_agg(format(
        '(select %I from public.frame_interval as bound where bound.version = value_row.version and bound.attribute = %L and bound.frame_id = value_row.frame_id) as %I, ',
        given.part, given.name, given.column_name), '' order by given.place, given.n), '')
    into columns, comments, selected
  from (
    select known.place, known.name, part, n, kept.column_name,
      case part when 'draws' then 'The draws of its model: add them up by their number, then draws_interval.'
        else 'The ' || part || ' bound of the 95 % interval of its draws.' end as about
    from analyst.attribute as known
    join attribute using (layer_id, name)
    cross join unnest(array['lower', 'upper', 'draws'], array[known.lower, known.upper, known.draws]) with ordinality as kept (part, column_name, n)
    where known.layer_id = layer and attribute.draws is not null
      and kept.column_name <> all (columns || analyst_own_columns('frames') || array['recorded'])
  ) as given;
  -- The version is a subquery: as a join, it would read all rows of the dataset for the smallest box. An import may change
  -- the places of attributes before it makes the view anew, so the view looks them up. PostgreSQL leaves out each left join
  -- whose columns are not asked for: that of the frames halves the time of a sum. A frame may have gone with an older index.
  execute format('select exists (select from public.value_row join public.dataset using (version) where layer_id = $1 and not exists (select from %I.frame where frame.frame_id = value_row.frame_id))', index_schema)
    into strays using layer;
  perform analyst_view_put(analyst_name(layer), format($body$
    select value_row.frame_id, ST_Multi(frame.geom)::geometry(MultiPolygon, 4326) as geom, frame.state, frame.lga, frame.ward,
      %s baseline_row.recorded
    from public.value_row
    %s join %I.frame as frame on frame.frame_id = value_row.frame_id
    left join public.baseline_row on baseline_row.version = value_row.version and baseline_row.frame_id = value_row.frame_id
    left join (
      select array_agg(attribute.place order by n) as at
      from unnest(%L::text[]) with ordinality as wanted (name, n)
      left join public.attribute on attribute.layer_id = %L and attribute.name = wanted.name
    ) as placed on true
    where value_row.version = (select version from public.dataset where layer_id = %5$L)$body$,
      selected, case when strays then '' else 'left' end, index_schema, names, layer),
    (select concat_ws('. ', name || coalesce(', ' || vintage, ''), rtrim(description, '.'), case
        when exists (select from attribute where attribute.layer_id = layer and (lower is not null or draws is not null))
        then 'Values are modelled: bounds of frames do not add up, and a total may lie outside the sum of its intervals. The views of totals have the interval of each unit where there are draws' end) || '.'
      from dataset where layer_id = layer),
    analyst_own_columns('frames') || columns || array['recorded'],
    abouts || comments || array['All attributes and their values, texts exactly as stored.']);
end $$;
comment on function analyst_baseline(text, text) is
  'Makes the view of a baseline: numbers are numeric, and null where the value is no plain number; categories are text. Attributes past the 1,500th are in recorded alone.';
revoke execute on function analyst_baseline from public;
