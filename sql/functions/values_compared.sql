-- values_compared: the things of a set of which a value, or the difference of two, passes a test, or does not.
--   things        frames, or a dataset of features
--   chunks, bits  the set
--   test          a subject as values_of_things reads it, with "minus", another one, where a difference is tested, and bounds as bounds_of reads them
--   negated       whether those that do not pass are asked for: a thing that lacks a value neither passes nor fails
create or replace function values_compared(things text, chunks int[], bits bit varying[], test jsonb, negated boolean) returns bit varying[]
  language plpgsql stable as $$
#variable_conflict use_column
declare
  bounds numrange := bounds_of(test);
begin
  return (
    select array_agg(coalesce((asked.bits & found.bits)::bit varying, (asked.bits & ~asked.bits)::bit varying) order by asked.place)
    from unnest(chunks, bits) with ordinality as asked (chunk, bits, place)
    left join (
      select one.chunk, (
        select string_agg(case when (case when test ? 'minus' then cell.number - cell.other else cell.number end <@ bounds) <> negated then '1' else '0' end, '' order by place)
        from unnest(one.numbers, other.numbers) with ordinality as cell (number, other, place)
      )::bit varying as bits
      from values_of_things(things, chunks, test) as one
      left join values_of_things(things, chunks, test -> 'minus') as other on test ? 'minus' and other.chunk = one.chunk
    ) as found using (chunk)
  );
end $$;
comment on function values_compared(text, int[], bit varying[], jsonb, boolean) is 'The things of a set of which a value, or the difference of two, passes a test.';
