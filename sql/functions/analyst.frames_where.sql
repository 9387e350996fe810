-- analyst.frames_where: the frames of a place that pass a filter, in the order of their units.
--   place   a frame_set: {unit,marembe} or {box,-0.35,-0.35,0.35,0.35}
--   filter  as things_passing reads it; {"all": []} lets every frame pass
-- It reads arrays that analysts have no right to, as their owner; a dataset whose view the caller may not read is refused.
create or replace function analyst.frames_where(place text[], filter jsonb) returns table (frame_id bigint)
  language plpgsql stable strict rows 10000 security definer set search_path = pg_catalog, public, pg_temp as $$
#variable_conflict use_column
declare
  asked text[] := place;
begin
  perform refuse_unread_datasets(filter);
  perform figure_checked('filter', filter, 'frames'), figure_checked('measure', jsonb_build_object('place', place), null);
  return query
  select cell.frame_id::bigint
  from things_where('frames', asked, filter) as passing
  join value_array as ids on ids.version = 0 and ids.name = 'frame_id' and ids.chunk = passing.chunk
  cross join lateral unnest(ids.numbers, string_to_array(passing.bits::text, null)) as cell (frame_id, bit)
  where cell.bit = '1';
end $$;
comment on function analyst.frames_where(text[], jsonb) is
  'The frames of a place, such as {unit,marembe}, that pass a filter of docs/figures.md. Join them to a view on frame_id.';
