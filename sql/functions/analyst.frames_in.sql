-- analyst.frames_in: the frames that touch a polygon or multipolygon, with the share of each that lies inside.
--   shape  in any SRID that PostGIS knows; one without a SRID is in degrees, WGS 84
-- A frame that touches the edge alone has share 0. A share is that of areas in degrees: inside one cell of 0.01 degrees
-- it differs from that of the ellipsoid by less than 0.01 percent up to 25 degrees from the equator. The shape is cut
-- into pieces of at most 128 vertices, which are intersected with the frames on its edge alone. The caller reads the
-- views with rights of its own.
create or replace function analyst.frames_in(shape geometry)
  returns table (frame_id bigint, geom geometry, state text, lga text, ward text, km2 numeric, share float8)
  language plpgsql stable strict parallel safe as $$
#variable_conflict use_column
declare
  asked geometry := shape_checked(shape);
begin
  return query
  with piece as materialized (  -- the shape in pieces
    select ST_Subdivide(asked, 128) as geom
  ), touching as materialized (  -- one row per frame that touches
    select frame.frame_id, frame.geom, frame.state, frame.lga, frame.ward, frame.km2, ST_Covers(asked, frame.geom) as is_inside
    from analyst.frame
    where ST_Intersects(asked, frame.geom)
  )
  select touching.frame_id, touching.geom, touching.state, touching.lga, touching.ward, touching.km2,
    case when is_inside then 1 else coalesce(least(1, (
      select sum(ST_Area(ST_Intersection(touching.geom, piece.geom))) from piece where piece.geom && touching.geom
    ) / ST_Area(touching.geom)), 0) end
  from touching
  order by touching.frame_id;
end $$;
comment on function analyst.frames_in(geometry) is
  'The frames that touch a polygon or multipolygon (of any SRID; degrees where it has none), with the share of the area of each that lies inside.';
