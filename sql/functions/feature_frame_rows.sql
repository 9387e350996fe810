-- feature_frame_rows: what table feature_frame has of a version: the frames that each feature intersects, edges included.
--   served    the version
--   features  those asked for; null for all
-- Each row has the number of the frame, and the length or the area of the feature inside, in whole millimetres or square
-- metres, which float8 adds up without loss; a point has none. The cuts take most of the time: 656 pairs of lines take 0.3 s.
-- Each "offset 0" keeps the planner from joining: each feature is searched in the index of frames, and its frames come after
-- one another, so that PostGIS prepares a polygon once for them.
-- Fault: PostGIS returns a pointer instead of a selectivity on a PostgreSQL of 32 bits, which PGlite is. Steps: join
--   two geometry columns whose statistics lie apart, as after a change of country. PostgreSQL refuses the join: "invalid
--   function selectivity: 206024424.000000".
-- Link: postgis/postgis, postgis/gserialized_estimate.c, where estimate_join_selectivity returns PG_RETURN_FLOAT8(0.0).
-- Gain: features can be imported into the embedded database after a change of country. PostgreSQL's plan is the same.
-- Delete it when PGlite has a PostGIS that returns 0.0 there: a plain join on ST_Intersects then does.
create or replace function feature_frame_rows(served bigint, features int[] default null)
  returns table (version bigint, frame_id bigint, feature_no int, number int, extent float8)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  dimension int := (select ST_Dimension(geom) from feature where version = served limit 1);
begin
  if dimension = 0 then
    return query
    select feature.version, covering.frame_id, feature.feature_no, frame_order.number, null::float8
    from feature
    cross join lateral (select frame_id from frame where ST_Intersects(frame.geom, feature.geom) offset 0) as covering
    left join frame_order on frame_order.frame_id = covering.frame_id
    where feature.version = served and (features is null or feature.feature_no = any(features));
    return;
  end if;
  return query
  with part as materialized (  -- one row for each pair
    select feature.feature_no, frame.frame_id, frame.is_covered, whole.planar as whole,
      -- degrees or square degrees
      case
        when dimension = 1 then coalesce(ST_Length(part.geom), 0)
        when frame.is_covered then frame.planar
        else coalesce(ST_Area(part.geom), 0)
      end as planar,
      case
        when dimension = 1 then coalesce(round(ST_Length(part.geom::geography) * 1e3), 0)
        when frame.is_covered then frame.area_km2::float8 * 1e6
        else coalesce(round(ST_Area(part.geom::geography)), 0)
      end as extent
    from feature
    cross join lateral (
      select case dimension when 1 then ST_Length(feature.geom) else ST_Area(feature.geom) end as planar offset 0
    ) as whole
    cross join lateral (
      select frame.frame_id, frame.geom, frame.area_km2, Box3D(frame.geom) as box, ST_Area(frame.geom) as planar,
        dimension = 2 and ST_Covers(feature.geom, frame.geom) as is_covered
      from frame
      where ST_Intersects(frame.geom, feature.geom)
      offset 0
    ) as frame
    -- Most frames are rectangles, in which a shape is cut eight times as fast. A line loses a stretch along an edge there.
    cross join lateral (
      select case
        when frame.is_covered then null
        when ST_NPoints(frame.geom) = 5
            and frame.planar > 0.999999 * (ST_XMax(frame.box) - ST_XMin(frame.box)) * (ST_YMax(frame.box) - ST_YMin(frame.box))
          then ST_ClipByBox2D(feature.geom, frame.box::box2d)
        else ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), dimension + 1)
      end as geom
      offset 0
    ) as part
    where feature.version = served and (features is null or feature.feature_no = any(features))
  ), odd as (  -- shapes that have another length or area in their frames than by themselves
    select feature_no, whole, sum(planar) as planar from part group by feature_no, whole having abs(sum(planar) - whole) > 1e-9 * whole
  ), uneven as (  -- those that leave the index or were cut wrongly: a line of the same length in the union of its frames was not
    select odd.feature_no
    from odd
    join feature on feature.version = served and feature.feature_no = odd.feature_no
    where dimension = 2 or abs(odd.planar - ST_Length(ST_Intersection(feature.geom, (
      select ST_Union(geom) from (select geom from frame where ST_Intersects(frame.geom, feature.geom) offset 0) as met
    )))) > 1e-9 * odd.whole
  )
  -- Uneven shapes are cut exactly. A stretch of a line on the edge of two frames lies in both, and counts in the one with
  -- the lower id.
  select served, part.frame_id, part.feature_no, frame_order.number, case
    when part.is_covered or part.feature_no not in (select feature_no from uneven) then part.extent
    else (
      select round(case dimension
        when 1 then 1e3 * ST_Length(ST_CollectionExtract(ST_Difference(
          ST_Intersection(feature.geom, frame.geom),
          coalesce((
            select ST_Union(lower.geom)
            from (
              select geom from frame as near where near.geom && frame.geom and near.frame_id < part.frame_id offset 0
            ) as lower
            where ST_Intersects(lower.geom, feature.geom)
          ), 'srid=4326;polygon empty'::geometry)), 2)::geography)
        else ST_Area(ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 3)::geography)
      end)
      from feature, frame
      where feature.version = served and feature.feature_no = part.feature_no and frame.frame_id = part.frame_id
    )
  end
  from part
  left join frame_order using (frame_id);
end $$;
comment on function feature_frame_rows(bigint, int[]) is
  'What table feature_frame has of a version: the frames that each feature intersects, edges included, with its length or area inside.';
