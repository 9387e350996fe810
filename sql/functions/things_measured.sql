-- things_measured: the frames or features of a measure, with the values to figure with.
--   measure, by  as function measured reads them
-- One row for each thing and group: its number (of frame_order, or feature_no - 1), the unit (0 without a level), the class,
-- the value as number or text, and the weight. Units are things, too: states, LGAs or wards that have frames in the place
-- which pass. Their n is unit_id, and their value is a figure of each. A class is null where the thing has none; a band is its
-- number, from 0. A feature on frames of several units is in each, and so is one on frames of several classes of a baseline.
create or replace function things_measured(measure jsonb, by jsonb)
  returns table (unit_id bigint, class text, n int, number numeric, text text, weight numeric)
  language plpgsql stable rows 10000 set jit = off as $$
#variable_conflict use_column
declare
  of_things text := coalesce(measure ->> 'things', 'frames');
  asked_place text[] := array(select jsonb_array_elements_text(measure -> 'place'));
  asked_level text := by ->> 'level';
  is_by_frames boolean := coalesce(of_things <> 'frames' and by -> 'class' ->> 'of' <> of_things, false);
  -- the length or the area of a feature inside the place is the value, or the weight
  is_of_extent boolean := coalesce(measure -> 'subject' ? 'extent' and coalesce(measure -> 'subject' ->> 'of', of_things) = of_things, false);
  is_by_extent boolean := coalesce(measure -> 'weight' ? 'extent' and coalesce(measure -> 'weight' ->> 'of', of_things) = of_things, false);
  bands numeric[] := array(select band::numeric from jsonb_array_elements_text(by -> 'bands') as band order by 1);
  chunks int[];
  every_bit bit varying[];
  among jsonb := coalesce(measure -> 'among', '{"all": []}');
  passing jsonb := coalesce(measure -> 'where', '{"all": []}');
  inside_chunks int[];
  inside_bits bit varying[];
  units bigint[];
  firsts int[];
  lasts int[];
begin
  if of_things in ('state', 'lga', 'ward') then
    return query
    select case when asked_level is null then 0 else (select within[array_position('{state,lga,ward}'::text[], asked_level) + 1] from unit where unit.unit_id = listed.unit_id) end,
      null::text, listed.unit_id::int, valued.value, valued.classes -> 0 ->> 'value', weighted.value
    from measured(jsonb_build_object('place', measure -> 'place', 'where', jsonb_build_object('all', jsonb_build_array(among, passing))), jsonb_build_object('level', of_things)) as listed
    left join figured(measure -> 'subject' -> 'figure' || jsonb_build_object('by', jsonb_build_object('level', of_things))) as valued
      on valued.unit_id = listed.unit_id
    left join figured(measure -> 'weight' -> 'figure' || jsonb_build_object('by', jsonb_build_object('level', of_things))) as weighted
      on weighted.unit_id = listed.unit_id;
    return;
  end if;
  select array_agg(chunk order by chunk), array_agg(bits order by chunk) into inside_chunks, inside_bits from things_where('frames', asked_place, among);
  select array_agg(chunk order by chunk), array_agg(bits order by chunk) into chunks, every_bit
  from (
    select chunk, bits from unnest(inside_chunks, inside_bits) as frames (chunk, bits) where of_things = 'frames'
    union all
    select chunk, bits from feature_bits(nullif(of_things, 'frames'), inside_chunks, inside_bits) where of_things <> 'frames'
  ) as every;
  select array_agg(chunk order by chunk), array_agg(bits order by chunk) into chunks, every_bit
  from unnest(chunks, things_passing(of_things, chunks, every_bit, passing, false)) as found (chunk, bits)
  where bit_count(bits) > 0;
  select array_agg(unit_id order by first_number), array_agg(first_number order by first_number), array_agg(last_number order by first_number)
  into units, firsts, lasts
  from unit
  where level = asked_level;
  return query
  with subject as materialized (  -- the values to figure with, 1,024 to a row
    select * from values_of_things(of_things, chunks, measure -> 'subject') where measure ? 'subject' and not is_of_extent
  ), weight as materialized (  -- the weights
    select * from values_of_things(of_things, chunks, measure -> 'weight') where measure ? 'weight' and not is_by_extent
  ), grouping_of as materialized (  -- the class of each thing, or the number that puts it into a band
    select * from values_of_things(of_things, chunks, coalesce(by -> 'class', by -> 'of')) where by ?| array['class', 'bands'] and not is_by_frames
  ), extent as materialized (  -- the length or area of each feature inside the place, or in each unit
    select * from features_extents_in(of_things, chunks, every_bit, inside_chunks, inside_bits, firsts, lasts) where (is_of_extent or is_by_extent) and not is_by_frames
  ), thing as (  -- one row for each thing
    select passing.chunk * 1024 + cell.place::int - 1 as n, cell.number, cell.text, cell.weight,
      case when by ? 'bands' then (width_bucket(cell.band, bands))::text else cell.class end as class
    from unnest(chunks, every_bit) as passing (chunk, bits)
    left join subject using (chunk)
    left join weight using (chunk)
    left join grouping_of using (chunk)
    cross join lateral unnest(
      string_to_array(passing.bits::text, null), subject.numbers, subject.texts, weight.numbers, grouping_of.texts, grouping_of.numbers
    ) with ordinality as cell (bit, number, text, weight, class, band, place)
    where cell.bit = '1'
  )
  select 0::bigint, thing.class, thing.n, case when is_of_extent then extent.extent else thing.number end, thing.text, case when is_by_extent then extent.extent else thing.weight end
  from thing
  left join extent using (n)
  where asked_level is null and not is_by_frames
  union all
  select units[found.place], thing.class, thing.n, thing.number, thing.text, thing.weight
  from thing
  cross join lateral (select width_bucket(thing.n, firsts) as place offset 0) as found
  where asked_level is not null and of_things = 'frames' and thing.n <= lasts[found.place]
  union all
  select units[pair.place], thing.class, thing.n, case when is_of_extent then extent.extent else thing.number end, thing.text, case when is_by_extent then extent.extent else thing.weight end
  from features_on_units(of_things, chunks, every_bit, inside_chunks, inside_bits, firsts, lasts) as pair
  join thing using (n)
  left join extent using (n, place)
  where asked_level is not null and of_things <> 'frames'
  union all
  select 0::bigint, placed.class, thing.n, case when is_of_extent then placed.extent else thing.number end, thing.text, case when is_by_extent then placed.extent else thing.weight end
  from classes_of_features(of_things, chunks, every_bit, inside_chunks, inside_bits, by -> 'class') as placed
  join thing using (n)
  where is_by_frames;
end $$;
comment on function things_measured(jsonb, jsonb) is 'The frames or features of a measure in their groups, with their values.';
