-- Up Migration

-- Credits and worded answers. The entries are the truth, and the account holds their sum. The database itself keeps the
-- accounts: a person who has the password of the service cannot raise credits.

create table account (
  org_id text constraint account_pkey primary key constraint account_org_id_fkey references organisation on delete cascade,
  balance bigint not null default 0 constraint balance_not_negative check (balance >= 0)
);
comment on table account is 'Credits of each organisation. A transaction that changes them locks this row first.';
comment on column account.org_id is 'The organisation.';
comment on column account.balance is 'Credits to spend: the sum of the entries.';
comment on constraint balance_not_negative on account is 'A balance is not below zero.';
comment on index account_pkey is 'Accounts by organisation.';

create table credit_entry (
  entry_id bigint generated always as identity constraint credit_entry_pkey primary key,
  org_id text not null constraint credit_entry_org_id_fkey references organisation,
  request_id text not null constraint request_id_not_blank check (btrim(request_id) <> ''),
  kind text not null constraint kind_known check (kind in ('top_up', 'dataset', 'worded', 'refund')),
  ref text not null default '',
  key_id text,
  credits bigint not null,
  entered_at timestamptz not null default clock_timestamp(),
  constraint charges_take_and_others_add check ((kind in ('dataset', 'worded')) = (credits < 0) and credits <> 0),
  constraint charges_name_what_for check (kind = 'refund' or (kind in ('top_up', 'worded')) = (ref = '')),
  constraint credit_entry_once unique (org_id, request_id, kind, ref)
);
comment on table credit_entry is 'Every change of an account. Rows are added, never changed or removed.';
comment on column credit_entry.entry_id is 'Number of the entry, in the order in which they were added.';
comment on column credit_entry.org_id is 'The organisation of the account.';
comment on column credit_entry.request_id is 'The call or command that changed the account. The same one never counts twice.';
comment on column credit_entry.kind is
  'top_up: added by an operator; dataset: spent on a dataset that is licensed per query; worded: spent on a worded answer; refund: one of these two given back.';
comment on column credit_entry.ref is 'The dataset; blank for a top_up, a worded answer, and the refund of a worded answer.';
comment on column credit_entry.key_id is 'The key of the call; null for a top_up. It stays after the key is removed.';
comment on column credit_entry.credits is 'Credits added; below zero where they were spent.';
comment on column credit_entry.entered_at is 'Instant at which it was added.';
comment on constraint request_id_not_blank on credit_entry is 'A request id is not blank.';
comment on constraint kind_known on credit_entry is 'A kind is top_up, dataset, worded or refund.';
comment on constraint charges_take_and_others_add on credit_entry is 'A charge (dataset, worded) is below zero, a top_up or refund above.';
comment on constraint charges_name_what_for on credit_entry is 'A charge for a dataset names it; a top_up and a worded answer name none.';
comment on sequence credit_entry_entry_id_seq is 'Numbers entries.';
comment on index credit_entry_pkey is 'Entries by number.';
comment on index credit_entry_once is 'Each change once; an organisation''s entries.';

create trigger credit_entry_append_only
  before update or delete or truncate on credit_entry
  for each statement execute function refuse_change();
comment on trigger credit_entry_append_only on credit_entry is 'Refuses to change or remove an entry.';

create trigger credit_entry_top_up_by_owner
  before insert on credit_entry
  for each row when (new.kind = 'top_up') execute function refuse_all_but_owner();
comment on trigger credit_entry_top_up_by_owner on credit_entry is 'Refuses a top-up by anyone but the owner: the service takes credits and gives them back.';

create trigger credit_entry_changes_balance
  after insert on credit_entry
  referencing new table as added
  for each statement execute function change_balance();
comment on trigger credit_entry_changes_balance on credit_entry is 'Adds new entries to the balances, so that a balance is the sum of its entries.';

create trigger account_balance_by_entries
  before update of balance on account
  for each row when (new.balance is distinct from old.balance) execute function refuse_all_but_owner();
comment on trigger account_balance_by_entries on account is
  'Refuses a change of a balance by anyone but the owner: trigger credit_entry_changes_balance changes it with the entries.';

-- The transaction of a call can commit after the call has failed. The process that decides that a call failed adds a
-- row here, under the lock of the account. The trigger of credit_entry refuses a charge that comes later; a charge that
-- came before is refunded.
create table voided_call (
  org_id text constraint voided_call_org_id_fkey references organisation on delete cascade,
  request_id text,
  voided_at timestamptz not null default clock_timestamp(),
  constraint voided_call_pkey primary key (org_id, request_id)
);
create index voided_call_voided_at_idx on voided_call (voided_at);
comment on table voided_call is 'Calls that failed after they asked to be charged. They are charged nothing, even if the charge commits later.';
comment on column voided_call.org_id is 'The organisation of the call.';
comment on column voided_call.request_id is 'The call: its X-Request-Id.';
comment on column voided_call.voided_at is 'Instant of the decision. The service removes the row a day later.';
comment on index voided_call_pkey is 'The decision on a call.';
comment on index voided_call_voided_at_idx is 'Rows that the service may remove.';

create table worded_use (
  org_id text constraint worded_use_org_id_fkey references organisation on delete cascade,
  day date,
  by_allowance int not null default 0 constraint by_allowance_not_negative check (by_allowance >= 0),
  by_credits int not null default 0 constraint by_credits_not_negative check (by_credits >= 0),
  constraint worded_use_pkey primary key (org_id, day)
);
comment on table worded_use is 'Worded answers that were returned, by organisation and day.';
comment on column worded_use.org_id is 'The organisation.';
comment on column worded_use.day is 'The day, UTC.';
comment on column worded_use.by_allowance is 'Answers that the monthly allowance covered.';
comment on column worded_use.by_credits is 'Answers that cost a credit each.';
comment on constraint by_allowance_not_negative on worded_use is 'A count is not below zero.';
comment on constraint by_credits_not_negative on worded_use is 'A count is not below zero.';
comment on index worded_use_pkey is 'The days of an organisation.';

create table worded_hold (
  request_id text constraint worded_hold_pkey primary key,
  org_id text not null constraint worded_hold_org_id_fkey references organisation on delete cascade,
  day date not null,
  covered_by text not null constraint covered_by_known check (covered_by in ('allowance', 'credits')),
  expires_at timestamptz not null,
  posted boolean not null default false
);
-- A hold stays for a day, so that its answer can be given back, and the next question reads only the open holds.
create index worded_hold_open_idx on worded_hold (org_id) where not posted;
create index worded_hold_expires_at_idx on worded_hold (expires_at);
comment on table worded_hold is
  'Worded answers that are being made. Each reserves its place until it is returned, fails or expires; a returned one stays for a day.';
comment on column worded_hold.request_id is 'The call.';
comment on column worded_hold.org_id is 'The organisation.';
comment on column worded_hold.day is 'The day it counts for, UTC.';
comment on column worded_hold.covered_by is 'allowance, or credits: one credit is reserved.';
comment on column worded_hold.expires_at is 'From this instant on it reserves nothing: its process is gone.';
comment on column worded_hold.posted is
  'True once the answer is counted, so that a retry does not count it again. The service removes the row a day after it expired.';
comment on constraint covered_by_known on worded_hold is 'A hold is covered by the allowance or by credits.';
comment on index worded_hold_pkey is 'The hold of a call.';
comment on index worded_hold_open_idx is 'Open holds of an organisation.';
comment on index worded_hold_expires_at_idx is 'Holds that the service may remove.';

create view credit_statement as
select
  entry.org_id,
  organisation.name as organisation,
  (entry.entered_at at time zone 'UTC')::date as day,
  entry.entered_at,
  entry.kind,
  nullif(entry.ref, '') as layer_id,
  dataset.name as dataset,
  entry.key_id,
  api_key.name as key_name,
  entry.request_id,
  entry.credits,
  sum(entry.credits) over (partition by entry.org_id order by entry.entry_id) as balance
from credit_entry as entry
join organisation using (org_id)
left join dataset on dataset.layer_id = entry.ref
left join api_key on api_key.key_id = entry.key_id;
comment on view credit_statement is 'An organisation''s account, entry by entry, with the balance after each: group it by day, dataset, key or request.';
comment on column credit_statement.org_id is 'The organisation.';
comment on column credit_statement.organisation is 'Its name.';
comment on column credit_statement.day is 'The day, UTC.';
comment on column credit_statement.entered_at is 'The instant.';
comment on column credit_statement.kind is 'top_up, dataset, worded or refund, as in credit_entry.';
comment on column credit_statement.layer_id is 'The dataset that was charged for or given back.';
comment on column credit_statement.dataset is 'Its name; null after the dataset is removed.';
comment on column credit_statement.key_id is 'The key of the call.';
comment on column credit_statement.key_name is 'Holder of the key; null after the key is removed.';
comment on column credit_statement.request_id is 'The call: its X-Request-Id.';
comment on column credit_statement.credits is 'Credits added; below zero where they were spent.';
comment on column credit_statement.balance is 'The balance after this entry.';
