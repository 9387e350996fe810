-- feature_extents: the frames that each feature of a dataset lies on, with its extent inside each.
--   served    the version of the dataset
--   kind      points, which have no extent, lines or polygons
--   features  those asked for; null for all
-- Reads feature, feature_frame, frame and frame_unit. One row for each pair of a feature and a frame: the lowest unit and the
-- block of the frame, and the whole millimetres or square metres of the feature inside the frame, which float8 adds up
-- without loss. The cuts take most of its time: 656 pairs of lines take 0.3 s.
create or replace function feature_extents(served bigint, kind text, features int[])
  returns table (feature_no int, frame_id bigint, home_id bigint, block_id bigint, extent float8)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  if kind = 'points' then
    return query
    select pair.feature_no, pair.frame_id, placed.home_id, placed.block_id, null::float8
    from feature_frame as pair
    join frame_unit as placed using (frame_id)
    where pair.version = served and (features is null or pair.feature_no = any(features));
    return;
  end if;
  return query
  -- Each "offset 0" keeps the planner from joining: the frames of one feature come after one another, so that PostGIS
  -- prepares a polygon once for them.
  with part as materialized (  -- one row for each pair
    select feature.feature_no, frame.frame_id, placed.home_id, placed.block_id, frame.is_covered,
      -- degrees or square degrees
      case
        when kind = 'lines' then coalesce(ST_Length(part.geom), 0)
        when frame.is_covered then frame.planar
        else coalesce(ST_Area(part.geom), 0)
      end as planar,
      case
        when kind = 'lines' then coalesce(round(ST_Length(part.geom::geography) * 1e3), 0)
        when frame.is_covered then frame.area_km2::float8 * 1e6
        else coalesce(round(ST_Area(part.geom::geography)), 0)
      end as extent
    from feature
    cross join lateral (
      select frame_id from feature_frame as pair where pair.version = served and pair.feature_no = feature.feature_no offset 0
    ) as pair
    cross join lateral (
      select frame.frame_id, frame.geom, frame.area_km2, Box3D(frame.geom) as box, ST_Area(frame.geom) as planar,
        kind = 'polygons' and ST_Covers(feature.geom, frame.geom) as is_covered
      from frame
      where frame.frame_id = pair.frame_id
      offset 0
    ) as frame
    -- Most frames are rectangles, in which a shape is cut eight times as fast. A line loses a stretch along an edge there.
    cross join lateral (
      select case
        when frame.is_covered then null
        when ST_NPoints(frame.geom) = 5
            and frame.planar > 0.999999 * (ST_XMax(frame.box) - ST_XMin(frame.box)) * (ST_YMax(frame.box) - ST_YMin(frame.box))
          then ST_ClipByBox2D(feature.geom, frame.box::box2d)
        else ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), case kind when 'lines' then 2 else 3 end)
      end as geom
      offset 0
    ) as part
    join frame_unit as placed on placed.frame_id = frame.frame_id
    where feature.version = served and (features is null or feature.feature_no = any(features))
  ), uneven as (  -- shapes that have another length or area in their frames than by themselves leave the index, or were cut wrongly
    select feature.feature_no
    from feature
    join (select feature_no, sum(planar) as planar from part group by feature_no) as inside using (feature_no)
    cross join lateral (select case kind when 'lines' then ST_Length(feature.geom) else ST_Area(feature.geom) end as planar) as whole
    where feature.version = served and abs(inside.planar - whole.planar) > 1e-9 * whole.planar
      -- lines that have the same length inside the union of their frames were cut rightly
      and (kind = 'polygons' or abs(inside.planar - ST_Length(ST_Intersection(feature.geom, (
        select ST_Union(frame.geom) from feature_frame as pair join frame using (frame_id)
        where pair.version = served and pair.feature_no = feature.feature_no
      )))) > 1e-9 * whole.planar)
  )
  -- Uneven shapes are cut exactly. A stretch of a line on the edge of two frames lies in both, and counts in the one with
  -- the lower id.
  select pair.feature_no, pair.frame_id, pair.home_id, pair.block_id, case
    when pair.is_covered or pair.feature_no not in (select feature_no from uneven) then pair.extent
    else (
      select round(case kind
        when 'lines' then 1e3 * ST_Length(ST_CollectionExtract(ST_Difference(
          ST_Intersection(feature.geom, frame.geom),
          coalesce((
            select ST_Union(lower.geom)
            from frame as lower
            where lower.geom && frame.geom and lower.frame_id < pair.frame_id and exists (
              select from feature_frame as other
              where other.version = served and other.frame_id = lower.frame_id and other.feature_no = pair.feature_no offset 0
            )
          ), 'srid=4326;polygon empty'::geometry)), 2)::geography)
        else ST_Area(ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 3)::geography)
      end)
      from feature, frame
      where feature.version = served and feature.feature_no = pair.feature_no and frame.frame_id = pair.frame_id
    )
  end
  from part as pair;
end $$;
comment on function feature_extents(bigint, text, int[]) is 'The frames of each feature of a dataset, with its extent inside each: totals_of_features calls it.';
