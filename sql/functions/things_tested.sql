-- things_tested: those of a set of frames or features that pass a test.
--   things        frames, or a dataset of features
--   chunks, bits  the set
--   test          one of
--     {"in": ["unit", "kano"]}                      in a place: a frame_set
--     {"of": "lyr_land", "name": "cover", "is": ["Forest"]}  an attribute of frames; a property of features has no "of"
--     {"name": "name", "has": "lakeview"}           the text has these words, in any case
--     {"of": "lyr_clinics", "where": ..., "atLeast": 2}      how many features are on a frame; with "name" the sum of a property,
--                                                   with "extent" that of their length or area inside the frame
--     {"extent": true, "above": 5}                  the length or the area of features inside the index
--     {"near": "lyr_clinics", "where": ..., "metres": 5000}  within a distance of features
--     {"on": ...}                                   features on a frame that passes a filter
--     {"units": "ward", "figure": ..., "above": 5}  frames in a unit whose figure passes; of a mode "is": classes
--     {"units": "ward", "named": ["KOFA"]}          frames in a unit of such a name: several may have it
--     {"of": ..., "name": ..., "minus": a subject, "above": 0}  the difference of two values passes
--   negated       whether those that do not pass are asked for: what has no value neither passes nor fails
-- A test of frames on features is that of a frame on which they are, as with "on".
-- Bounds are those of bounds_of, filters ("where", "on") those of things_passing, a figure that of figured.
create or replace function things_tested(things text, chunks int[], bits bit varying[], test jsonb, negated boolean) returns bit varying[]
  language plpgsql stable as $$
#variable_conflict use_column
declare
  total int := things_total(things);
  every jsonb := '{"all": []}';
  bounds numrange := bounds_of(test);
  layer text := coalesce(test ->> 'of', test ->> 'near');
  target dataset;
  kept dataset;
  flips boolean := negated;
  numbers int[];
  other_chunks int[];
  other_bits bit varying[];
begin
  select * into target from dataset where layer_id = coalesce(layer, things);
  if things <> 'frames' and (test ? 'units' or (layer <> things and not test ? 'near')) then
    return things_tested(things, chunks, bits, jsonb_build_object('on', test), negated);
  elsif test ? 'in' or test ? 'on' then
    select array_agg(chunk), array_agg(bits) into other_chunks, other_bits
    from things_where('frames', coalesce(array(select jsonb_array_elements_text(test -> 'in')), '{}') || case when test ? 'on' then '{unit}'::text[] end, coalesce(test -> 'on', every));
    if things <> 'frames' then
      select array_agg(chunk), array_agg(bits) into other_chunks, other_bits from feature_bits(things, other_chunks, other_bits);
    end if;
    return bits_met(chunks, bits, other_chunks, other_bits, negated);
  elsif test ? 'units' then
    select array_agg(chunk), array_agg(bits) into other_chunks, other_bits
    from (
      select made.chunk, bit_or(made.bits)::bit varying as bits
      from unit
      left join figured(test -> 'figure' || jsonb_build_object('by', jsonb_build_object('level', test ->> 'units'))) as found
        on test ? 'figure' and found.unit_id = unit.unit_id
      cross join lateral bits_of_range(unit.first_number, unit.last_number, total) as made
      where unit.level = test ->> 'units' and case
          when test ? 'named' then test -> 'named' ? coalesce(unit.ward, unit.lga, unit.state)
          when test ? 'is' then found.recorded > 0 and exists (
            select from jsonb_array_elements(found.classes) as each
            where (each ->> 'things')::numeric = found.value and test -> 'is' ? (each ->> 'value')
          )
          else found.value <@ bounds
        end <> negated
      group by made.chunk
    ) as joined;
    return bits_met(chunks, bits, other_chunks, other_bits, false);
  elsif test ? 'minus' or test ? 'extent' and things <> 'frames' then
    return values_compared(things, chunks, bits, test, negated);
  elsif test ? 'near' then
    select * into kept from dataset where distance_to = layer and things = 'frames' and not test ? 'where';
    if found then
      return bits_tested(chunks, bits, kept.version, substr(layer, 5) || '_km', jsonb_build_object('atMost', (test ->> 'metres')::numeric / 1000), negated);
    end if;
    numbers := things_near(things, chunks, bits, layer, features_chosen(layer, coalesce(test -> 'where', every)), (test ->> 'metres')::numeric);
  elsif layer is null or things <> 'frames' or target.kind is not distinct from 'frames' or layer = 'frames' then
    return bits_tested(chunks, bits, coalesce(target.version, 0), test ->> 'name', test, negated);
  else
    -- A frame without such a feature has 0 of them: where 0 passes, those that do not pass are looked for.
    flips := (0::numeric <@ bounds) <> negated;
    numbers := array(
      select number from frames_with_features(layer, features_chosen(layer, coalesce(test -> 'where', every)), test)
      where case when flips then value is null or (value <@ bounds) = negated else (value <@ bounds) <> negated end
    );
  end if;
  select array_agg(chunk), array_agg(bits) into other_chunks, other_bits from bits_of_numbers(numbers, total);
  return bits_met(chunks, bits, other_chunks, other_bits, flips);
end $$;
comment on function things_tested(text, int[], bit varying[], jsonb, boolean) is 'Those of a set of frames or features that pass a test.';
