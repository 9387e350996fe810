-- area_of_set: the box or the polygon of a set of frames, in degrees; null where the set is of ids or of a unit.
--   frames  box with west, south, east and north in degrees; or shape with a polygon as text (WKT or GeoJSON), which
--           shape_checked takes
-- A box without a width or a height is a line or a point.
create or replace function area_of_set(frames text[]) returns geometry
  language plpgsql stable parallel safe as $$
begin
  return case frames[1]
    when 'box' then ST_SetSRID(ST_Envelope(ST_MakeLine(
      ST_MakePoint(frames[2]::float8, frames[3]::float8), ST_MakePoint(frames[4]::float8, frames[5]::float8)
    )), 4326)
    when 'shape' then shape_checked(frames[2]::geometry)
  end;
end $$;
comment on function area_of_set(text[]) is 'The box or the polygon of a set of frames: {box,west,south,east,north} or {shape,polygon}.';
