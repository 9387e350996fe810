-- totals_of_features: the number of features in each unit, the length of lines and the area of polygons.
--   served  the version of the dataset
--   kind    points, lines or polygons
--   units   those asked for; null for all
-- Has the columns of totals_of_baseline. A feature on several frames of a unit counts once there. Of its length or area,
-- the part inside the frames of a unit counts, so that the states add up to the country. 200,000 points take 2 seconds.
create or replace function totals_of_features(served bigint, kind text, units bigint[])
  returns table (attribute text, unit_id bigint, number numeric, total numeric, weight numeric, recorded bigint,
    classes text[], class_frames bigint[], lowest numeric, highest numeric, numbers numeric[])
  language plpgsql stable as $$
#variable_conflict use_column
declare
  measure text := case kind when 'lines' then 'km' when 'polygons' then 'km2' end;
  homes bigint[] := homes_of_units(units);
begin
  return query
  with pair as materialized (  -- one row for each feature on a frame
    select feature_no, frame_id, placed.home_id, placed.block_id, extent
    from feature_frame
    join frame_unit as placed using (frame_id)
    where version = served and (units is null or placed.home_id in (select unnest(homes)) or placed.block_id in (select unnest(units)))
  ), placed as materialized (  -- one row for each frame
    -- A frame lies in one ward and one block: frames and extents add up over the pieces into which these cut each other.
    select frame_id, home_id, block_id, count(*) as features, sum(extent) as extent from pair group by frame_id, home_id, block_id
  ), whole as materialized (  -- one row for each unit
    select unit.unit_id, sum(part.frames)::bigint as frames, sum(part.extent) as extent
    from (
      select home_id, block_id, count(*) as frames, sum(extent) as extent from placed group by home_id, block_id
    ) as part
    left join unit as home on home.unit_id = part.home_id
    cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
    group by unit.unit_id
  ), homed as (  -- one row for each feature and lowest unit, with the unit before it in the order of names
    select home_id, lag(home_id) over same as prior_id, row_number() over same as turn
    from (select distinct feature_no, home_id from pair) as entered
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
    select block_id, count(*) from (select distinct feature_no, block_id from pair) as entered group by block_id
  ), figure as (  -- how the numbers of frames spread; a sample of some 10,000 is enough
    select named.attribute, min(named.number) as lowest, max(named.number) as highest,
      array_agg(named.number) filter (where hashint8(frame_id) % (select greatest(1, count(*) / 10000) from placed) = 0) as numbers
    from placed
    cross join lateral (values ('features', features::numeric), (measure, round(extent::numeric / 1000000, 6))) as named (attribute, number)
    group by named.attribute
  )
  select added.attribute, whole.unit_id, added.number, null::numeric, null::numeric, whole.frames, null::text[], null::bigint[],
    figure.lowest, figure.highest, figure.numbers
  from whole
  join counted using (unit_id)
  cross join lateral (
    values ('features', counted.features), (measure, round(whole.extent::numeric / 1000000, 6))
  ) as added (attribute, number)
  left join figure on figure.attribute = added.attribute and whole.unit_id = 0
  where added.attribute is not null and (units is null or whole.unit_id in (select unnest(units)));
end $$;
comment on function totals_of_features(bigint, text, bigint[]) is 'The features, lengths and areas in each unit: totals_made calls it.';
