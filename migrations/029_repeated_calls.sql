-- Up Migration

-- A client that did not get its answer sends its call again, with the same Idempotency-Key: both are charged as one.

create table repeated_call (
  org_id text constraint repeated_call_org_id_fkey references organisation on delete cascade,
  request_id text,
  idempotency_key text not null,
  asked text not null,
  paid_as text not null,
  has_failed boolean not null default false,
  began_at timestamptz not null,
  constraint repeated_call_pkey primary key (org_id, request_id)
);
create index repeated_call_key_idx on repeated_call (org_id, idempotency_key);
create index repeated_call_paid_as_idx on repeated_call (org_id, paid_as);
create index repeated_call_began_at_idx on repeated_call (began_at);
comment on table repeated_call is 'Calls that came with an Idempotency-Key. Those of one key are charged as one, for 24 hours.';
comment on column repeated_call.org_id is 'The organisation that pays.';
comment on column repeated_call.request_id is 'The call: its X-Request-Id.';
comment on column repeated_call.idempotency_key is 'The key that the client made.';
comment on column repeated_call.asked is 'A hash of what the call asks.';
comment on column repeated_call.paid_as is 'The call whose id the ledger has: the first of them that did not fail.';
comment on column repeated_call.has_failed is 'True once nobody gets the answer of this call. Where all have failed, the charge is given back.';
comment on column repeated_call.began_at is 'Instant of the first call. The service removes the row two days later.';
comment on index repeated_call_pkey is 'The key under which a call came.';
comment on index repeated_call_key_idx is 'The calls of an Idempotency-Key.';
comment on index repeated_call_paid_as_idx is 'The calls that are charged as one.';
comment on index repeated_call_began_at_idx is 'Rows that the service may remove.';
