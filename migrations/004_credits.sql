-- Up Migration

-- Credits and worded answers. The entries are the truth, and the account holds their sum. The database itself keeps the accounts:
-- a person who has the password of the service cannot raise credits.

create table account (
  org_id text constraint account_pkey primary key constraint account_org_id_fkey references organisation on delete cascade,
  balance bigint not null default 0 constraint balance_not_negative check (balance >= 0)
);
comment on table account is 'Credits of each organisation; the row is locked first by whoever changes them.';
comment on column account.org_id is 'Whose they are.';
comment on column account.balance is 'Credits that can be spent: the sum of the entries.';
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
comment on table credit_entry is 'Every change of an account, for ever: rows are added, never changed or removed.';
comment on column credit_entry.entry_id is 'Entries in the order they were made.';
comment on column credit_entry.org_id is 'Whose account changed.';
comment on column credit_entry.request_id is 'The call or command that changed it: the same one never counts twice.';
comment on column credit_entry.kind is
  'top_up: added by an operator; dataset: spent on a dataset that is licensed per query; worded: spent on a worded answer; refund: one of these two given back.';
comment on column credit_entry.ref is 'The dataset; blank for a top_up, a worded answer, and the refund of a worded answer.';
comment on column credit_entry.key_id is 'The key of the call; null for a top_up. Kept when the key is gone.';
comment on column credit_entry.credits is 'Credits added; below zero where they were spent.';
comment on column credit_entry.entered_at is 'When.';
comment on index credit_entry_pkey is 'Entries by number.';
comment on index credit_entry_once is 'Each change once; an organisation''s entries.';

create trigger credit_entry_append_only
  before update or delete or truncate on credit_entry
  for each statement execute function refuse_change();
comment on trigger credit_entry_append_only on credit_entry is 'Entries stay as they were made.';

create trigger credit_entry_top_up_by_owner
  before insert on credit_entry
  for each row when (new.kind = 'top_up') execute function refuse_all_but_owner();
comment on trigger credit_entry_top_up_by_owner on credit_entry is 'The service takes credits and gives them back; it adds none.';

create trigger credit_entry_changes_balance
  after insert on credit_entry
  referencing new table as added
  for each statement execute function change_balance();
comment on trigger credit_entry_changes_balance on credit_entry is 'A balance is the sum of its entries, whoever adds one.';

create trigger account_balance_by_entries
  before update of balance on account
  for each row when (new.balance is distinct from old.balance) execute function refuse_all_but_owner();
comment on trigger account_balance_by_entries on account is
  'The service may lock an account; its balance changes with the entries, by trigger credit_entry_changes_balance.';

-- The transaction of a call can commit after the call has failed. The process that decides that a call failed adds a row here, under
-- the lock of the account. The trigger of credit_entry refuses a charge that comes later; a charge that came before is refunded.
create table voided_call (
  org_id text constraint voided_call_org_id_fkey references organisation on delete cascade,
  request_id text,
  voided_at timestamptz not null default clock_timestamp(),
  constraint voided_call_pkey primary key (org_id, request_id)
);
create index voided_call_voided_at_idx on voided_call (voided_at);
comment on table voided_call is 'Calls that failed after they asked to be charged: they are charged nothing, however late the charge comes.';
comment on column voided_call.org_id is 'The organisation that is charged nothing.';
comment on column voided_call.request_id is 'The call, as its X-Request-Id said.';
comment on column voided_call.voided_at is 'When this was decided. The service removes the row a day later.';
comment on index voided_call_pkey is 'The decision on a call.';
comment on index voided_call_voided_at_idx is 'Rows that are old enough to be removed.';

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
  'Answers being worded: each holds its place until it is returned, fails, or expires. Answers that were returned stay for a day.';
comment on column worded_hold.request_id is 'The call.';
comment on column worded_hold.org_id is 'The organisation.';
comment on column worded_hold.day is 'The day it counts for, UTC.';
comment on column worded_hold.covered_by is 'allowance, or credits: one credit is spoken for.';
comment on column worded_hold.expires_at is 'From this instant on it holds nothing: its process is gone.';
comment on column worded_hold.posted is
  'True once the answer is counted: asked again, it is not counted again. The service removes the row a day after it expired.';
comment on index worded_hold_pkey is 'The hold of a call.';
comment on index worded_hold_open_idx is 'Answers of an organisation that are being worded.';
comment on index worded_hold_expires_at_idx is 'Holds that are old enough to be removed.';

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
comment on column credit_statement.org_id is 'Whose account.';
comment on column credit_statement.organisation is 'Its name.';
comment on column credit_statement.day is 'The day, UTC.';
comment on column credit_statement.entered_at is 'The instant.';
comment on column credit_statement.kind is 'top_up, dataset, worded or refund.';
comment on column credit_statement.layer_id is 'The dataset that was charged for or given back.';
comment on column credit_statement.dataset is 'Its name, while there is such a dataset.';
comment on column credit_statement.key_id is 'The key of the call.';
comment on column credit_statement.key_name is 'Who holds it, while there is such a key.';
comment on column credit_statement.request_id is 'The call, as its X-Request-Id said.';
comment on column credit_statement.credits is 'Credits added, or below zero those spent.';
comment on column credit_statement.balance is 'The balance after this entry.';
