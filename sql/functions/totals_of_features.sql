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
  analyze feature_frame (version);
  create temporary table total_pair on commit drop as
  select pair.feature_no, pair.frame_id, home.unit_id as home_id,
    block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, (ST_YMin(frame.geom) + ST_YMax(frame.geom)) / 2) as block,
    -- in degrees, and in km to the millimetre or km² to the square metre
    case kind when 'lines' then ST_Length(part.geom) end as degrees,
    case kind
      when 'lines' then round((ST_Length(part.geom::geography) / 1e3)::numeric, 6)
      when 'polygons' then round((ST_Area(part.geom::geography) / 1e6)::numeric, 6)
    end as extent
  from feature_frame as pair
  left join feature on kind <> 'points' and feature.version = pair.version and feature.feature_no = pair.feature_no
  join frame on frame.frame_id = pair.frame_id
  left join unit as home on home.state = frame.state and home.lga = frame.lga and coalesce(home.ward, '') = coalesce(frame.ward, '')
  -- Most frames are rectangles, in which a line is cut eight times as fast. It loses a stretch along an edge there.
  cross join lateral (
    select case
      when kind = 'points' then null
      when kind = 'lines' and ST_NPoints(frame.geom) = 5
          and ST_Area(frame.geom) > 0.999999 * (ST_XMax(frame.geom) - ST_XMin(frame.geom)) * (ST_YMax(frame.geom) - ST_YMin(frame.geom))
        -- the box that PostGIS keeps with a shape is rounded
        then ST_ClipByBox2D(feature.geom, ST_MakeBox2D(
          ST_MakePoint(ST_XMin(frame.geom), ST_YMin(frame.geom)), ST_MakePoint(ST_XMax(frame.geom), ST_YMax(frame.geom))))
      when kind = 'lines' then ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 2)
      else ST_CollectionExtract(ST_Intersection(feature.geom, frame.geom), 3)
    end as geom
    offset 0
  ) as part
  where pair.version = served;
  if kind = 'lines' then
    -- A stretch on the edge of two frames lies in both, and counts in the one with the lower id. Lines that have another
    -- length in their frames than by themselves run along an edge, or leave the index: they are cut exactly.
    create index on total_pair (feature_no);
    update total_pair as pair set extent = (
      select round((ST_Length(ST_CollectionExtract(ST_Difference(
        ST_Intersection(feature.geom, frame.geom),
        coalesce((
          select ST_Union(lower.geom)
          from total_pair as other
          join frame as lower on lower.frame_id = other.frame_id
          where other.feature_no = pair.feature_no and other.frame_id < pair.frame_id and lower.geom && frame.geom
        ), 'srid=4326;polygon empty'::geometry)), 2)::geography) / 1e3)::numeric, 6)
      from feature, frame
      where feature.version = served and feature.feature_no = pair.feature_no and frame.frame_id = pair.frame_id
    )
    where pair.feature_no in (
      select feature.feature_no
      from feature
      join (select feature_no, sum(degrees) as degrees from total_pair group by feature_no) as inside using (feature_no)
      where feature.version = served and abs(inside.degrees - ST_Length(feature.geom)) > 1e-9 * ST_Length(feature.geom)
    );
  end if;
  -- A frame lies in one ward and one block: frames and extents add up over the pieces into which these cut each other.
  create temporary table total_frame on commit drop as
  select frame_id, home_id, block, count(*) as features, sum(extent) as extent from total_pair group by frame_id, home_id, block;
  create temporary table total_whole on commit drop as
  select unit.unit_id, sum(part.frames) as frames, sum(part.extent) as extent
  from (
    select home_id, block, count(*) as frames, sum(extent) as extent from total_frame group by home_id, block
  ) as part
  left join unit as home on home.unit_id = part.home_id
  cross join lateral unnest(coalesce(home.within, '{0}') || (10000000 + part.block)) as unit (unit_id)
  group by unit.unit_id;
  insert into unit_total (version, attribute, unit_id, number, recorded)
  with placed as (  -- one row for each feature, with its piece if it has one alone
    select feature_no, min(home_id) as home_id, min(block) as block, count(*) as frames from total_pair group by feature_no
  ), piece as (  -- one row for each piece, with the features that are on one frame
    select home_id, block, count(*) as features from placed where frames = 1 group by home_id, block
  ), wide as (  -- one row for each piece of a feature on several frames
    select distinct pair.feature_no, pair.home_id, pair.block
    from placed
    join total_pair as pair using (feature_no)
    where placed.frames > 1
  ), counted as (  -- features of pieces, and each wide feature once in a unit
    select unit.unit_id, sum(piece.features) as features
    from piece
    left join unit as home on home.unit_id = piece.home_id
    cross join lateral unnest(coalesce(home.within, '{0}') || (10000000 + piece.block)) as unit (unit_id)
    group by unit.unit_id
    union all
    select within.unit_id, count(*)
    from (
      select distinct wide.feature_no, unit.unit_id
      from wide
      left join unit as home on home.unit_id = wide.home_id
      cross join lateral unnest(coalesce(home.within, '{0}') || (10000000 + wide.block)) as unit (unit_id)
    ) as within
    group by within.unit_id
  )
  select served, 'features', unit_id, sum(counted.features), whole.frames
  from counted
  join total_whole as whole using (unit_id)
  group by unit_id, whole.frames
  order by unit_id;
  insert into unit_total (version, attribute, unit_id, number, recorded)
  select served, measure, unit_id, extent, frames from total_whole where measure is not null order by unit_id;
  insert into total_figure (attribute, level, recorded, lowest, highest)
  select 'features', 'frame', count(*), min(features), max(features) from total_frame having count(*) > 0
  union all
  select measure, 'frame', count(*), min(extent), max(extent) from total_frame where measure is not null having count(*) > 0;
  insert into total_number (attribute, level, number)
  select named.attribute, 'frame', named.number
  from total_frame
  cross join lateral (values ('features', features), (measure, extent)) as named (attribute, number)
  where hashint8(frame_id) % greatest(1, (select count(*) / 10000 from total_frame)) = 0 and named.attribute is not null;
  drop table total_pair, total_frame, total_whole;
end $$;
comment on function totals_of_features(bigint, text) is 'Keeps the features, lengths and areas in each unit: totals_keep calls it.';
revoke execute on function totals_of_features from public;
