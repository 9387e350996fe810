-- bits_tested: the things of a set whose value passes a test, or has a value that does not.
--   chunks, bits  the set
--   served, name  whose arrays hold the values, as in value_array
--   test          {"is": ["Forest"]} or {"has": "forest"} for classes, {"recorded": true}, or bounds as bounds_of reads them
--   negated       whether those that do not pass are asked for: a thing without a value neither passes nor fails
-- A chunk of which nothing is left is not read.
create or replace function bits_tested(chunks int[], bits bit varying[], served bigint, name text, test jsonb, negated boolean)
  returns bit varying[]
  language plpgsql stable as $$
declare
  bounds numrange := bounds_of(test);
  classes text[] := array(select jsonb_array_elements_text(test -> 'is'));
  subject text := name;
begin
  return (
    select array_agg(case
        when found.bits is not null then (asked.bits & found.bits)::bit varying
        -- no thing of the chunk has a value
        when test ? 'recorded' and negated then asked.bits
        else (asked.bits & ~asked.bits)::bit varying
      end order by asked.place)
    from unnest(chunks, bits) with ordinality as asked (chunk, bits, place)
    left join lateral (
      select (case
          when test ? 'recorded' and kept.texts is null then (
            select string_agg(case when (number is not null) <> negated then '1' else '0' end, '') from unnest(kept.numbers) as number)
          when test ? 'recorded' then (
            select string_agg(case when (text is not null) <> negated then '1' else '0' end, '') from unnest(kept.texts) as text)
          when test ? 'has' then (
            select string_agg(case when (strpos(lower(text), lower(test ->> 'has')) > 0) <> negated then '1' else '0' end, '') from unnest(kept.texts) as text)
          when test ? 'is' then (
            select string_agg(case when (text = any(classes)) <> negated then '1' else '0' end, '') from unnest(kept.texts) as text)
          else (
            select string_agg(case when (number <@ bounds) <> negated then '1' else '0' end, '') from unnest(kept.numbers) as number)
        end)::bit varying as bits
      from value_array as kept
      where kept.version = served and kept.name = subject and kept.chunk = asked.chunk and bit_count(asked.bits) > 0
    ) as found on true
  );
end $$;
comment on function bits_tested(int[], bit varying[], bigint, text, jsonb, boolean) is 'The frames or features of a set whose value passes a test.';
