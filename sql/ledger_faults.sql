-- ledger_faults: what does not add up in the accounts, and what mends it; no row when all is well.
-- reads all of: credit_entry
-- budget: buffers <= 6000, rows read <= 400000
-- An operator asks this, no call of the API. The budget is for 100,000 entries. The entries are the truth; the account is
-- locked first, as by every change of it, so that no charge comes between.
with summed as (
  select org_id, sum(credits) as credits from credit_entry group by org_id
)
select organisation.org_id as "orgId",
  case
    when account.org_id is null then 'there is no account'
    when account.balance < 0 then 'the balance is ' || account.balance
    else 'the balance is ' || account.balance || ', the entries add up to ' || coalesce(summed.credits, 0)
  end as fault,
  format(E'begin;\ninsert into account (org_id) values (%L) on conflict do nothing;\n'
    'select balance from account where org_id = %1$L for no key update;\n'
    'update account set balance = (select coalesce(sum(credits), 0) from credit_entry where org_id = %1$L) where org_id = %1$L;\ncommit;',
    organisation.org_id) as mend
from organisation
left join account using (org_id)
left join summed using (org_id)
where account.org_id is null or account.balance < 0 or account.balance <> coalesce(summed.credits, 0)
union all
select refund.org_id as "orgId",
  'request ' || refund.request_id || ' gave back ' || refund.credits || ' for ' || refund.ref || ', which cost '
    || coalesce((-charge.credits)::text, 'nothing') as fault,
  format(E'-- Entries are never changed. See what was charged and given back, and settle it with the organisation:\n'
    'select * from credit_entry where org_id = %L and request_id = %L order by entry_id;', refund.org_id, refund.request_id) as mend
from credit_entry as refund
left join credit_entry as charge on charge.org_id = refund.org_id and charge.request_id = refund.request_id
  and charge.ref = refund.ref and charge.kind = 'dataset'
where refund.kind = 'refund' and refund.credits is distinct from -charge.credits
