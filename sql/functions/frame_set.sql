-- frame_set: the ids of a set of frames, each once.
--   frames  ids; or unit with the names of a state, an LGA and a ward, as far as they are given; or box with west, south,
--           east and north in degrees; or shape with a polygon as text (WKT or GeoJSON), which shape_checked takes
-- '{322074005,322074006}' are these two, in this order. '{unit,marembe,lakeside}' are all of an LGA, '{unit}' all of the index,
-- '{box,-0.35,-0.35,0.35,0.35}' all that touch a box, and '{shape,"POLYGON((0 0,0.2 0,0 0.2,0 0))"}' all that touch a
-- polygon, in the order of their ids. Each branch has a plan of its own.
create or replace function frame_set(frames text[]) returns bigint[]
  language plpgsql stable parallel safe as $$
declare
  area geometry := area_of_set(frames);
begin
  if frames[1] in ('box', 'shape') then
    return array(select frame_id from frame where ST_Intersects(area, geom) order by frame_id);
  elsif frames[1] is distinct from 'unit' then
    return frames::bigint[];
  elsif cardinality(frames) = 1 then
    return array(select frame_id from frame order by frame_id);
  elsif cardinality(frames) = 2 then
    return array(select frame_id from frame where state = fold_name(frames[2]) order by frame_id);
  elsif cardinality(frames) = 3 then
    return array(select frame_id from frame where state = fold_name(frames[2]) and lga = fold_name(frames[3]) order by frame_id);
  end if;
  return array(
    select frame_id from frame
    where state = fold_name(frames[2]) and lga = fold_name(frames[3]) and ward = fold_name(frames[4])
    order by frame_id
  );
end $$;
comment on function frame_set(text[]) is
  'The ids of a set of frames: {1,2}, or {unit,state,lga,ward}, or {box,west,south,east,north}, or {shape,polygon}.';
