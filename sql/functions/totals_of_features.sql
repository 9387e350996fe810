-- totals_of_features: keeps the number of features in each unit, the length of lines and the area of polygons.
--   served  the version of the dataset
--   kind    points, lines or polygons
-- A feature on several frames of a unit counts once there. Of its length or area, the part inside the frames of a unit
-- counts, so that the states add up to the country. totals_keep calls it.
create or replace function totals_of_features(served bigint, kind text) returns void
  language plpgsql as $$
declare
  measure text := case kind when 'lines' then 'km' when 'polygons' then 'km2' end;
begin
  -- The planner expects one row of a version that its statistics lack, and then compares each pair with each unit:
  -- 200,000 points took over 7 minutes instead of 2 seconds.
  analyze feature (version);
  analyze feature_frame (version, feature_no);
  if kind = 'points' then
    create temporary table total_pair on commit drop as
    select pair.feature_no, pair.frame_id, placed.home_id, placed.block_id, null::float8 as extent
    from feature_frame as pair
    join frame_unit as placed using (frame_id)
    where pair.version = served;
  else
    -- Each "offset 0" keeps the planner from joining: the frames of one feature come after one another, so that PostGIS
    -- prepares a polygon once for them. Extents are whole millimetres or square metres, which float8 adds up without loss.
    create temporary table total_pair on commit drop as
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
    where feature.version = served;
    create index on total_pair (feature_no, frame_id);
    -- Shapes that have another length or area in their frames than by themselves leave the index, or were cut wrongly. They
    -- are cut exactly, but for lines that have the same length inside the union of their frames. A stretch of a line on the
    -- edge of two frames lies in both, and counts in the one with the lower id.
    update total_pair as pair set extent = (
      select round(case kind
        when 'lines' then 1e3 * ST_Length(ST_CollectionExtract(ST_Difference(
          ST_Intersection(feature.geom, frame.geom),
          coalesce((
            select ST_Union(lower.geom)
            from frame as lower
            where lower.geom && frame.geom and lower.frame_id < pair.frame_id and exists (
              select from total_pair as other where other.feature_no = pair.feature_no and other.frame_id = lower.frame_id offset 0
            )
          ), 'srid=4326;polygon empty'::geometry)), 2)::geography)
        else ST_Area(ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 3)::geography)
      end)
      from feature, frame
      where feature.version = served and feature.feature_no = pair.feature_no and frame.frame_id = pair.frame_id
    )
    where not pair.is_covered and pair.feature_no in (
      select feature.feature_no
      from feature
      join (select feature_no, sum(planar) as planar from total_pair group by feature_no) as inside using (feature_no)
      cross join lateral (select case kind when 'lines' then ST_Length(feature.geom) else ST_Area(feature.geom) end as planar) as whole
      where feature.version = served and abs(inside.planar - whole.planar) > 1e-9 * whole.planar
        and (kind = 'polygons' or abs(inside.planar - ST_Length(ST_Intersection(feature.geom, (
          select ST_Union(frame.geom) from total_pair join frame using (frame_id) where total_pair.feature_no = feature.feature_no
        )))) > 1e-9 * whole.planar)
    );
  end if;
  -- A frame lies in one ward and one block: frames and extents add up over the pieces into which these cut each other.
  create temporary table total_frame on commit drop as
  select frame_id, home_id, block_id, count(*) as features, sum(extent) as extent from total_pair group by frame_id, home_id, block_id;
  create temporary table total_whole on commit drop as
  select unit.unit_id, sum(part.frames) as frames, sum(part.extent) as extent
  from (
    select home_id, block_id, count(*) as frames, sum(extent) as extent from total_frame group by home_id, block_id
  ) as part
  left join unit as home on home.unit_id = part.home_id
  cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
  group by unit.unit_id;
  insert into unit_total (version, attribute, unit_id, number, recorded)
  with homed as (  -- one row for each feature and lowest unit, with the unit before it in the order of names
    select home_id, lag(home_id) over same as prior_id, row_number() over same as turn
    from (select distinct feature_no, home_id from total_pair) as entered
    window same as (partition by feature_no order by home_id)
  ), counted as (  -- features of units; the wards of a unit follow one another, and the first of each feature counts
    select unit.unit_id, sum(step.features) as features
    from (
      select home_id, prior_id, turn > 1 as follows, count(*) as features from homed group by home_id, prior_id, turn > 1
    ) as step
    left join unit as home on home.unit_id = step.home_id
    left join unit as prior on prior.unit_id = step.prior_id
    cross join lateral unnest(coalesce(home.within, '{0}')) as unit (unit_id)
    where not step.follows or unit.unit_id <> all (coalesce(prior.within, '{0}'))
    group by unit.unit_id
    union all
    select block_id, count(*) from (select distinct feature_no, block_id from total_pair) as entered group by block_id
  )
  select served, 'features', unit_id, counted.features, whole.frames
  from counted
  join total_whole as whole using (unit_id)
  order by unit_id;
  insert into block_feature (version, unit_id, feature_no)
  select distinct served, pair.block_id, pair.feature_no
  from total_pair as pair
  join (select feature_no from total_pair group by feature_no having min(block_id) < max(block_id)) as wide using (feature_no)
  order by 2, 3;
  insert into unit_total (version, attribute, unit_id, number, recorded)
  select served, measure, unit_id, round(extent::numeric / 1000000, 6), frames from total_whole where measure is not null order by unit_id;
  insert into total_figure (attribute, level, recorded, lowest, highest)
  select 'features', 'frame', count(*), min(features), max(features) from total_frame having count(*) > 0
  union all
  select measure, 'frame', count(*), round(min(extent)::numeric / 1000000, 6), round(max(extent)::numeric / 1000000, 6) from total_frame where measure is not null having count(*) > 0;
  insert into total_number (attribute, level, number)
  select named.attribute, 'frame', named.number
  from total_frame
  cross join lateral (values ('features', features::numeric), (measure, round(extent::numeric / 1000000, 6))) as named (attribute, number)
  where hashint8(frame_id) % greatest(1, (select count(*) / 10000 from total_frame)) = 0 and named.attribute is not null;
  drop table total_pair, total_frame, total_whole;
end $$;
comment on function totals_of_features(bigint, text) is 'Keeps the features, lengths and areas in each unit: totals_keep calls it.';
revoke execute on function totals_of_features from public;
