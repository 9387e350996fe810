-- shape_checked: a polygon or multipolygon in degrees, WGS 84, or an error that names the place of its fault.
--   shape  in any SRID that PostGIS knows; one without a SRID is in degrees
-- A straight edge in metres is a curve in degrees: longer edges get points, as in shape_in.
create or replace function shape_checked(shape geometry) returns geometry
  language plpgsql stable strict parallel safe as $$
declare
  most int := 10000;
  flat geometry := ST_Force2D(shape);
  fault text;
begin
  if GeometryType(flat) not in ('POLYGON', 'MULTIPOLYGON') then
    raise exception 'The shape is a %: a polygon or a multipolygon is accepted.', GeometryType(flat) using errcode = 'invalid_parameter_value';
  elsif ST_IsEmpty(flat) then
    raise exception 'The shape is empty: it touches nothing.' using errcode = 'invalid_parameter_value';
  elsif ST_NPoints(flat) > most then
    raise exception 'The shape has % vertices: at most % are accepted.', ST_NPoints(flat), most using errcode = 'invalid_parameter_value';
  elsif ST_SRID(flat) = 0 then
    flat := ST_SetSRID(flat, 4326);
  elsif not exists (select from spatial_ref_sys where srid = ST_SRID(flat)) then
    raise exception 'PostGIS knows no SRID %.', ST_SRID(flat) using errcode = 'invalid_parameter_value';
  elsif ST_SRID(flat) <> 4326 then
    flat := ST_Transform(ST_Segmentize(flat, greatest(1000, ST_Perimeter(flat) / 5000)), 4326);
  end if;
  fault := shape_fault(flat);
  if fault is not null then
    raise exception '%', fault using errcode = 'invalid_parameter_value';
  end if;
  return flat;
end $$;
comment on function shape_checked(geometry) is
  'A polygon or multipolygon in degrees, WGS 84, with at most 10,000 vertices; an error names the place of a fault.';
