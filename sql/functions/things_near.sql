-- things_near: the frames that lie within a distance of some features, or those of a set of features that do.
--   things          frames, or a dataset of features
--   chunks, bits    the set: frames that do not lie near it may be among those found
--   layer, chosen   the features that they are near to, as features_chosen answers them
--   metres          the distance on the spheroid, rounded to a metre as kept distances are
-- A frame is where its spot is. A feature is not near to itself. What would take over some 3 s is refused: 500,000 pairs of
-- points take so long, and a pair with a line of seven vertices as long as two.
create or replace function things_near(things text, chunks int[], bits bit varying[], layer text, chosen bit varying, metres numeric) returns int[]
  language plpgsql stable as $$
declare
  most constant int := 600000;
  served bigint := (select version from dataset where layer_id = layer);
  asked bigint := (select sum(bit_count(each.bits)) from unnest(bits) as each (bits));
  area geometry;
  pairs float8;
begin
  -- few frames are near to the features around them alone: of a whole country all features are
  if things = 'frames' and asked < 20000 then
    area := (select reach_of(ST_SetSRID(ST_Extent(spot), 4326), metres) from numbers_of_bits(chunks, bits) as each join frame_order using (number));
  end if;
  if things = 'frames' then
    pairs := (
      -- a frame has a hundredth of a degree each way
      select sum(least(ST_Area(reach_of(geom, metres)) * 10000, asked) * (1 + (ST_NPoints(geom) - 1) / 7.0))
      from feature
      where version = served and get_bit(chosen, feature_no - 1) = 1 and (area is null or geom && area)
    );
  else
    pairs := (
      -- it ends at the first that is near: every second in the box is, or more
      select sum(least(every.features * least(ST_Area(reach_of(geom, metres)) / nullif(every.area, 0), 1), 2 * every.features / every.chosen) * (1 + (ST_NPoints(geom) - 1) / 7.0))
      from numbers_of_bits(chunks, bits) as each
      join feature on version = (select version from dataset where layer_id = things) and feature_no = each.number + 1
      cross join (
        select length(chosen) as features, nullif(bit_count(chosen), 0) as chosen, ST_Area(ST_Extent(geom)) as area from feature where version = served
      ) as every
    );
  end if;
  if pairs > most then
    raise exception 'near: about % pairs of % and features of % came, at most % are measured: a smaller distance, fewer features or a smaller place is accepted.',
      pairs::bigint, things, layer, most using errcode = 'invalid_parameter_value';
  elsif things = 'frames' then
    return array(
      select distinct near.number
      from feature
      cross join lateral (
        select number from frame_order
        where spot && reach_of(feature.geom, metres) and round(ST_Distance(spot::geography, feature.geom::geography)) <= metres
        offset 0
      ) as near
      where feature.version = served and get_bit(chosen, feature.feature_no - 1) = 1 and (area is null or feature.geom && area)
    );
  end if;
  return array(
    select asked.number
    from numbers_of_bits(chunks, bits) as asked
    join feature as one on one.version = (select version from dataset where layer_id = things) and one.feature_no = asked.number + 1
    where exists (
      select from feature as other
      where other.version = served and other.geom && reach_of(one.geom, metres) and get_bit(chosen, other.feature_no - 1) = 1
        and (things <> layer or other.feature_no <> one.feature_no)
        and round(ST_Distance(other.geom::geography, one.geom::geography)) <= metres
      offset 0
    )
  );
end $$;
comment on function things_near(text, int[], bit varying[], text, bit varying, numeric) is 'The frames that lie within a distance of some features, or those of a set of features that do.';
