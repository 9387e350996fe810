-- prices_covered: the places of the prices that a balance covers, in their order.
--   balance  credits
--   prices   credits; a low price may follow one that is too high
create or replace function prices_covered(balance bigint, prices int[]) returns int[]
  language plpgsql immutable as $$
declare
  places int[] := '{}';
begin
  for place in 1 .. cardinality(prices) loop
    continue when prices[place] > balance;
    balance := balance - prices[place];
    places := places || place;
  end loop;
  return places;
end $$;
comment on function prices_covered(bigint, int[]) is 'The places of the prices that a balance covers, in their order.';
