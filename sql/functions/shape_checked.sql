-- shape_checked: a polygon or multipolygon in degrees, WGS 84, or an error that names the place of its fault.
--   shape  in any SRID that PostGIS knows; one without a SRID is in degrees
-- A straight edge in metres is a curve in degrees: longer edges get points, as in shape_in.
create or replace function shape_checked(shape geometry) returns geometry
  language plpgsql stable strict parallel safe as $$
declare
  most int := 10000;
  flat geometry := ST_Force2D(shape);
  fault record;
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
  select ST_X(point.geom) as lon, ST_Y(point.geom) as lat into fault
  from ST_DumpPoints(flat) as point
  where not (ST_X(point.geom) between -180 and 180 and ST_Y(point.geom) between -90 and 90)
  order by point.path limit 1;
  if found then
    raise exception 'The shape has a vertex at lon %, lat %: that is beyond -180, -90, 180, 90.', fault.lon, fault.lat
      using errcode = 'invalid_parameter_value';
  end if;
  select detail.reason, ST_X(detail.location) as lon, ST_Y(detail.location) as lat into fault
  from ST_IsValidDetail(flat) as detail where not detail.valid;
  if found then
    raise exception 'The shape is not valid: % at lon %, lat %.', lower(fault.reason), fault.lon, fault.lat using errcode = 'invalid_parameter_value';
  end if;
  -- RFC 7946: an edge never crosses the antimeridian. From -180 to 180 it goes all around.
  select ST_X(ST_EndPoint(edge.geom)) as lon, ST_Y(ST_EndPoint(edge.geom)) as lat into fault
  from ST_DumpSegments(flat) as edge
  where abs(ST_X(ST_EndPoint(edge.geom)) - ST_X(ST_StartPoint(edge.geom))) > 180
    and abs(ST_X(ST_EndPoint(edge.geom)) - ST_X(ST_StartPoint(edge.geom))) < 360
  order by edge.path limit 1;
  if found then
    raise exception 'The edge of the shape that ends at lon %, lat % is over 180 degrees long: cut it at the antimeridian.', fault.lon, fault.lat
      using errcode = 'invalid_parameter_value';
  end if;
  return flat;
end $$;
comment on function shape_checked(geometry) is
  'A polygon or multipolygon in degrees, WGS 84, with at most 10,000 vertices; an error names the place of a fault.';
