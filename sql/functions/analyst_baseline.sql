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
