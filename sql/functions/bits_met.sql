-- bits_met: the things of a set that are in another set too, or that are not.
--   chunks, bits   the set
--   others         the rows of the other one: chunks that it lacks hold none of it
--   negated        whether those that are not in the other set are asked for
create or replace function bits_met(chunks int[], bits bit varying[], other_chunks int[], other_bits bit varying[], negated boolean)
  returns bit varying[]
  language sql immutable parallel safe as $$
  select array_agg(case
      when other.bits is null then case when negated then asked.bits else (asked.bits & ~asked.bits)::bit varying end
      when negated then (asked.bits & ~other.bits)::bit varying
      else (asked.bits & other.bits)::bit varying
    end order by asked.place)
  from unnest(chunks, bits) with ordinality as asked (chunk, bits, place)
  left join unnest(other_chunks, other_bits) as other (chunk, bits) using (chunk)
$$;
comment on function bits_met(int[], bit varying[], int[], bit varying[], boolean) is 'The frames or features of a set that are in another set too, or that are not.';
