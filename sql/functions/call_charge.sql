-- call_charge: charges a call for the datasets that the balance covers, in their order, and returns their ids.
--   org, key        the payer
--   request         its id is charged once: a retry, or a repetition under its Idempotency-Key, returns the ids of the first charge
--   layers, prices  the datasets, and the credits that each costs
-- Each statement of a body sees what was committed before it began: those after the lock see all that was decided.
-- A person in the app spends no more in a day than an owner has set, and a key no more than its caps.
-- It runs with the rights of the owner, since the service writes no table of the ledger.
create or replace function call_charge(org text, key text, request text, layers text[], prices int[]) returns text[]
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
declare
  credits_left bigint;
  charged text[];
  is_refunded boolean;
begin
  select balance into strict credits_left from account where org_id = org for no key update;
  request := paid_request(org, request);
  select array_agg(ref order by entry_id), bool_or(kind = 'refund') into charged, is_refunded
  from credit_entry
  where org_id = org and request_id = request and kind in ('dataset', 'refund') and ref <> '';
  if is_refunded then
    raise exception 'call % has failed and is charged nothing', request;
  end if;
  if charged is not null then
    return charged;
  end if;
  -- words that are being made have their credit
  credits_left := least(credits_left, credits_left_of(org, key) - (
    select count(*) from worded_hold where org_id = org and key_id = key and covered_by = 'credits' and not posted
  ));
  with entered as (  -- one row per charge
    insert into credit_entry (org_id, key_id, request_id, kind, ref, credits)
    select org, key, request, 'dataset', layers[place], -prices[place]
    from unnest(prices_covered(credits_left, prices)) with ordinality as covered (place, number)
    order by number
    returning entry_id, ref
  )
  select coalesce(array_agg(ref order by entry_id), '{}') into charged from entered;
  return charged;
end $$;
comment on function call_charge(text, text, text, text[], int[]) is
  'Charges a call for the datasets that the balance covers, once, and returns their ids.';
revoke execute on function call_charge from public;
