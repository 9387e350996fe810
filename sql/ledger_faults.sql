-- ledger_faults: what does not add up in the accounts, and what fixes it; no row when all is well.
-- index: credit_entry_once, credit_entry_pkey
-- reads all of: credit_entry
-- budget: buffers <= 9000, rows read <= 500000
-- The doctor asks this. The budget is for 100,000 entries. A balance that differs was changed behind the trigger, or
-- entries were lost: the fix shows both, and has the change of the balance as a comment. That locks the account first, so
-- that no charge comes between.
with summed as (  -- one row per organisation that has entries
  select org_id, sum(credits) as credits,
    count(*) filter (where kind = 'worded') - count(*) filter (where kind = 'refund' and ref = '') as worded,
    count(*) filter (where kind = 'top_up' and key_id is not null) as top_ups_of_keys
  from credit_entry
  group by org_id
), counted as (  -- worded answers that cost a credit, as the allowance counts them
  select org_id, sum(by_credits) as worded from worded_use group by org_id
), of_call as (  -- refunds that are not those of a charge, and calls that failed and yet paid
  select refund.org_id, refund.request_id,
    'request ' || refund.request_id || ' gave back ' || refund.credits || ' for ' || coalesce(nullif(refund.ref, ''), 'a worded answer')
      || ', which cost ' || coalesce((-charge.credits)::text, 'nothing') as fault
  from credit_entry as refund
  left join credit_entry as charge on charge.org_id = refund.org_id and charge.request_id = refund.request_id
    and charge.ref = refund.ref and charge.kind in ('dataset', 'worded')
  where refund.kind = 'refund' and refund.credits is distinct from -charge.credits
  union all
  select org_id, request_id, 'request ' || request_id || ' failed, and yet paid ' || -sum(entry.credits)
  from voided_call
  join credit_entry as entry using (org_id, request_id)
  where entry.ref <> ''
  group by org_id, request_id
  having sum(entry.credits) <> 0
)
select organisation.org_id as "orgId",
  case
    when account.org_id is null then 'there is no account'
    when account.balance < 0 then 'the balance is ' || account.balance
    else 'the balance is ' || account.balance || ', the entries add up to ' || coalesce(summed.credits, 0)
  end as fault,
  case
    when account.org_id is null then
      format(E'begin;\ninsert into account (org_id) values (%L) on conflict do nothing;\n'
        'select balance from account where org_id = %1$L for no key update;\n'
        'update account set balance = (select coalesce(sum(credits), 0) from credit_entry where org_id = %1$L) where org_id = %1$L;\ncommit;',
        organisation.org_id)
    else format(E'-- Either side may be wrong: the balance, or entries that were changed or lost. Check "entries_missing" says which top-ups\n'
        '-- lost their entry; no event tells of charges. %sCompare both sides with a backup, and settle it with the organisation.\n'
        'select day, kind, request_id, credits, balance from credit_statement where org_id = %L order by entered_at;\n'
        '-- Where the entries are right, this %s:\n'
        '--   begin;\n'
        '--   select balance from account where org_id = %2$L for no key update;\n'
        '--   update account set balance = (select coalesce(sum(credits), 0) from credit_entry where org_id = %2$L) where org_id = %2$L;\n'
        '--   commit;',
      holes.told, organisation.org_id,
      case when account.balance > coalesce(summed.credits, 0) then 'takes ' || account.balance - coalesce(summed.credits, 0) || ' credits from it'
        else 'gives it ' || coalesce(summed.credits, 0) - account.balance || ' credits' end)
  end as fix
from organisation
left join account using (org_id)
left join summed using (org_id)
cross join lateral (  -- numbers that no entry has, the first three runs of them; a change that was undone leaves one too
  select coalesce('No entry has the numbers ' || string_agg(format(case when first = last then '%s' else '%s to %s' end, first, last), ', ' order by first)
    || E'; a change that was undone leaves a gap too.\n-- ', '') as told
  from (
    select first, last
    from (select coalesce(lag(entry_id) over (order by entry_id), 0) + 1 as first, entry_id - 1 as last from credit_entry) as gap
    where first <= last and account.balance <> coalesce(summed.credits, 0)
    order by first limit 3
  ) as gaps
) as holes
where account.org_id is null or account.balance < 0 or account.balance <> coalesce(summed.credits, 0)
union all
select org_id as "orgId", fault as fault,
  format(E'-- Entries are never changed. See what was charged and given back, and settle it with the organisation:\n'
    'select * from credit_entry where org_id = %L and request_id = %L order by entry_id;', org_id, request_id) as fix
from of_call
union all
select org_id as "orgId", top_ups_of_keys || ' top-ups name a key, and no key adds credits' as fault,
  format(E'-- Entries are never changed. See who added these credits, and settle it with the organisation:\n'
    'select * from credit_entry where org_id = %L and kind = ''top_up'' and key_id is not null;', org_id) as fix
from summed
where top_ups_of_keys > 0
union all
select org_id as "orgId",
  'the allowance counts ' || coalesce(counted.worded, 0) || ' worded answers by credits, the entries ' || coalesce(summed.worded, 0) as fault,
  format(E'-- Entries are never changed. Compare both by day, and settle it with the organisation:\n'
    'select day, by_credits from worded_use where org_id = %1$L order by day;\n'
    'select day, kind, request_id from credit_statement where org_id = %1$L and kind in (''worded'', ''refund'') order by entered_at;', org_id) as fix
from summed
full join counted using (org_id)
where coalesce(summed.worded, 0) <> coalesce(counted.worded, 0)
