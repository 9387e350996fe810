-- analyst_baseline: makes the view of a baseline in schema analyst.
--   layer         the dataset
--   index_schema  the schema of the frame index that the view reads: public, or staging just before a switch
-- A number is numeric, and null where the value is no plain number; a category is text.
create or replace function analyst_baseline(layer text, index_schema text) returns void
  language plpgsql as $$
declare
  abouts text[] := array['The frame.', 'Outline of the cell, WGS 84.', 'State.', 'Local government area.', 'Ward.'];
  columns text[];
  comments text[];
  selected text;
begin
  select array_agg(column_name order by place), array_agg(label || coalesce(' (' || unit || ')', '') || '.' order by place),
    string_agg(format(case type
        when 'number' then 'plain_number(baseline_row.recorded ->> %L) as %I'
        else 'baseline_row.recorded ->> %L as %I'
      end, name, column_name) || ', ', ' ' order by place)
    into columns, comments, selected
  from analyst.attribute
  where layer_id = layer and column_name is not null;
  -- Each is read where it is selected alone. A name that an attribute has is left out.
  select columns || coalesce(array_agg(given.column_name order by given.place, given.n), '{}'),
    comments || coalesce(array_agg(given.about order by given.place, given.n), '{}'),
    selected || coalesce(string_agg(format(
        '(select %I from public.frame_interval as bound where bound.version = baseline_row.version and bound.attribute = %L and bound.frame_id = frame.frame_id) as %I, ',
        given.part, given.name, given.column_name), '' order by given.place, given.n), '')
    into columns, comments, selected
  from (
    select known.place, known.name, part, n, known.column_name || '_' || part as column_name,
      case part when 'draws' then 'The draws of its model: add them up by their number, then draws_interval.'
        else 'The ' || part || ' bound of the 95 % interval of its draws.' end as about
    from analyst.attribute as known
    join attribute using (layer_id, name)
    cross join unnest(array['lower', 'upper', 'draws']) with ordinality as kept (part, n)
    where known.layer_id = layer and known.column_name is not null and attribute.draws is not null
      and known.column_name || '_' || part <> all (columns || analyst_own_columns('frames') || array['recorded'])
  ) as given;
  -- The version is a subquery: as a join, it would read all rows of the dataset for the smallest box.
  perform analyst_view_put(analyst_name(layer), format($body$
    select frame.frame_id, ST_Multi(frame.geom)::geometry(MultiPolygon, 4326) as geom, frame.state, frame.lga, frame.ward,
      %s baseline_row.recorded
    from %I.frame as frame
    join public.baseline_row on baseline_row.frame_id = frame.frame_id
    where baseline_row.version = (select version from public.dataset where layer_id = %L)$body$, selected, index_schema, layer),
    (select name || coalesce(', ' || vintage, '') || coalesce('. ' || description, '') from dataset where layer_id = layer),
    analyst_own_columns('frames') || columns || array['recorded'],
    abouts || comments || array['All attributes and their values, texts exactly as stored.']);
end $$;
comment on function analyst_baseline(text, text) is
  'Makes the view of a baseline: numbers are numeric, and null where the value is no plain number; categories are text. Attributes past the 1,500th are in recorded alone.';
revoke execute on function analyst_baseline from public;
