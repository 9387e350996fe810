-- totals_of_features: keeps the number of features in each unit, the length of lines and the area of polygons.
--   served  the version of the dataset
--   kind    points, lines or polygons
-- Reads feature_frame, frame_unit, unit and, through feature_extents, the shapes. Adds to unit_total and block_feature, and
-- through spread_enter to attribute_spread. A feature on several frames of a unit counts once there. Of its length or area,
-- the part inside the frames of a unit counts, so that the states add up to the country. 200,000 points take 2 seconds.
-- total_pair has a row for each feature on a frame, total_frame one for each frame, total_whole one for each unit.
-- totals_keep calls it.
create or replace function totals_of_features(served bigint, kind text) returns void
  language plpgsql as $$
declare
  measure text := case kind when 'lines' then 'km' when 'polygons' then 'km2' end;
  -- A sample of some 10,000 frames is enough for the classes of a map and for a histogram.
  one_in bigint;
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
    create temporary table total_pair on commit drop as select * from feature_extents(served, kind);
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
  select greatest(1, count(*) / 10000) into one_in from total_frame;
  perform spread_enter(served, figure.attribute, 'frame', figure.recorded, figure.lowest, figure.highest, figure.numbers)
  from (
    select named.attribute, count(*) as recorded, min(named.number) as lowest, max(named.number) as highest,
      array_agg(named.number) filter (where hashint8(frame_id) % one_in = 0) as numbers
    from total_frame
    cross join lateral (values ('features', features::numeric), (measure, round(extent::numeric / 1000000, 6))) as named (attribute, number)
    where named.attribute is not null
    group by named.attribute
  ) as figure;
  drop table total_pair, total_frame, total_whole;
end $$;
comment on function totals_of_features(bigint, text) is 'Keeps the features, lengths and areas in each unit: totals_keep calls it.';
revoke execute on function totals_of_features from public;
