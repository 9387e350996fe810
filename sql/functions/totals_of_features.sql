-- totals_of_features: keeps the number of features in each unit, the length of lines and the area of polygons.
--   served  the version of the dataset
--   kind    points, lines or polygons
-- A feature on several frames of a unit counts once there. Of its length or area, the part inside the frames of a unit
-- counts, so that the states add up to the country. totals_keep calls it.
create or replace function totals_of_features(served bigint, kind text) returns void
  language plpgsql as $$
begin
  -- PostgreSQL expects few rows of a version that is not in the statistics yet, and would join them one by one.
  create temporary table total_pair on commit drop as
  select pair.feature_no, pair.frame_id,
    coalesce(home.within, '{0}')
      || (10000000 + block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, (ST_YMin(frame.geom) + ST_YMax(frame.geom)) / 2)) as unit_ids,
    -- in degrees, and in km to the millimetre or km² to the square metre
    case kind when 'lines' then ST_Length(part.geom) end as degrees,
    case kind
      when 'lines' then round((ST_Length(part.geom::geography) / 1e3)::numeric, 6)
      when 'polygons' then round((ST_Area(part.geom::geography) / 1e6)::numeric, 6)
    end as extent
  from feature_frame as pair
  join feature on feature.version = pair.version and feature.feature_no = pair.feature_no
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
  insert into unit_total (version, attribute, unit_id, number, recorded)
  select served, 'features', unit.unit_id, count(distinct pair.feature_no), count(distinct pair.frame_id)
  from total_pair as pair
  cross join lateral unnest(pair.unit_ids) as unit (unit_id)
  group by unit.unit_id
  order by unit.unit_id;
  insert into unit_total (version, attribute, unit_id, number, recorded)
  select served, case kind when 'lines' then 'km' else 'km2' end, unit.unit_id, sum(pair.extent), count(distinct pair.frame_id)
  from total_pair as pair
  cross join lateral unnest(pair.unit_ids) as unit (unit_id)
  where kind <> 'points'
  group by unit.unit_id
  order by unit.unit_id;
  insert into total_number (attribute, level, number)
  select named.attribute, 'frame', named.number
  from (select count(*) as features, sum(extent) as extent from total_pair group by frame_id) as each
  cross join lateral (values ('features', each.features), (case kind when 'lines' then 'km' else 'km2' end, each.extent)) as named (attribute, number)
  where named.number is not null;
  insert into total_figure (attribute, level, recorded, lowest, highest)
  select attribute, level, count(*), min(number), max(number) from total_number group by attribute, level;
  drop table total_pair;
end $$;
comment on function totals_of_features(bigint, text) is 'Keeps the features, lengths and areas in each unit: totals_keep calls it.';
revoke execute on function totals_of_features from public;
