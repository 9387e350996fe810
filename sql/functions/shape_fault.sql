-- shape_fault: a sentence that says the fault of a shape in degrees, WGS 84, and its place; null where it has none.
create or replace function shape_fault(shape geometry) returns text
  language plpgsql stable strict parallel safe as $$
declare
  fault record;
begin
  select ST_X(point.geom) as lon, ST_Y(point.geom) as lat into fault
  from ST_DumpPoints(shape) as point
  where not (ST_X(point.geom) between -180 and 180 and ST_Y(point.geom) between -90 and 90)
  order by point.path limit 1;
  if found then
    return format('The shape has a vertex at lon %s, lat %s: that is beyond -180, -90, 180, 90.', fault.lon, fault.lat);
  end if;
  select detail.reason, ST_X(detail.location) as lon, ST_Y(detail.location) as lat into fault
  from ST_IsValidDetail(shape) as detail where not detail.valid;
  if found then
    return format('The shape is not valid: %s at lon %s, lat %s.', lower(fault.reason), fault.lon, fault.lat);
  end if;
  -- RFC 7946: an edge never crosses the antimeridian. From -180 to 180 it goes all around.
  select ST_X(ST_EndPoint(edge.geom)) as lon, ST_Y(ST_EndPoint(edge.geom)) as lat into fault
  from ST_DumpSegments(shape) as edge
  where abs(ST_X(ST_EndPoint(edge.geom)) - ST_X(ST_StartPoint(edge.geom))) > 180
    and abs(ST_X(ST_EndPoint(edge.geom)) - ST_X(ST_StartPoint(edge.geom))) < 360
  order by edge.path limit 1;
  if found then
    return format('The edge of the shape that ends at lon %s, lat %s is over 180 degrees long: cut it at the antimeridian.', fault.lon, fault.lat);
  end if;
  return null;
end $$;
comment on function shape_fault(geometry) is 'Says the fault of a shape in degrees and its place: a vertex beyond the earth, a crossing, an edge over the antimeridian.';
