-- Up Migration

-- What organisations can spend. The account says how much is there now, the entries how it came to be.

create table account (
  org_id text constraint account_pkey primary key constraint account_org_id_fkey references organisation on delete cascade,
  balance bigint not null default 0 constraint balance_not_negative check (balance >= 0)
);
comment on table account is 'Credits of each organisation; the row is locked first by whoever changes them.';
comment on column account.org_id is 'Whose they are.';
comment on column account.balance is 'Credits that can be spent: the sum of the entries.';
comment on index account_pkey is 'Accounts by organisation.';

insert into account (org_id) select org_id from organisation;

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
  constraint charges_name_what_for check ((kind in ('top_up', 'worded')) = (ref = '')),
  constraint credit_entry_once unique (org_id, request_id, kind, ref)
);
comment on table credit_entry is 'Every change of an account, for ever: rows are added, never changed or removed.';
comment on column credit_entry.entry_id is 'Entries in the order they were made.';
comment on column credit_entry.org_id is 'Whose account changed.';
comment on column credit_entry.request_id is 'The call or command that changed it: the same one never counts twice.';
comment on column credit_entry.kind is
  'top_up: added by an operator; dataset: spent on a dataset that is licensed per query; worded: spent on a worded answer; refund: a dataset entry given back.';
comment on column credit_entry.ref is 'The dataset; blank for a top_up and a worded answer.';
comment on column credit_entry.key_id is 'The key of the call; null for a top_up. Kept when the key is gone.';
comment on column credit_entry.credits is 'Credits added; below zero where they were spent.';
comment on column credit_entry.entered_at is 'When.';
comment on index credit_entry_pkey is 'Entries by number.';
comment on index credit_entry_once is 'Each change once; an organisation''s entries.';

create function refuse_change() returns trigger
  language plpgsql as $$
begin
  raise exception 'rows of % are added, never changed or removed', tg_table_name;
end $$;
comment on function refuse_change() is 'Keeps a table append-only.';

create trigger credit_entry_append_only
  before update or delete or truncate on credit_entry
  for each statement execute function refuse_change();
comment on trigger credit_entry_append_only on credit_entry is 'Entries stay as they were made.';
