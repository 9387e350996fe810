-- Up Migration

-- Organisations and their API keys. The database holds only the hash of a key's secret.

create table organisation (
  org_id text constraint organisation_pkey primary key constraint org_id_form check (org_id ~ '^org_[0-9A-Za-z]{12}$'),
  name text not null constraint organisation_name_key unique constraint name_not_blank check (btrim(name) <> ''),
  plan text not null constraint plan_known check (plan in ('trial', 'pro', 'scale')),
  created_at timestamptz not null default clock_timestamp()
);
comment on table organisation is 'Those who hold keys, own datasets and pay.';
comment on column organisation.org_id is 'org_ and 12 letters or digits.';
comment on column organisation.name is 'What people call it; one organisation a name.';
comment on column organisation.plan is 'trial, pro or scale: sets the monthly allowance of worded answers.';
comment on column organisation.created_at is 'When it was entered.';
comment on index organisation_pkey is 'Organisations by id.';
comment on index organisation_name_key is 'Organisations by name, each once.';

create table api_key (
  key_id text constraint api_key_pkey primary key constraint key_id_form check (key_id ~ '^key_[0-9A-Za-z]{12}$'),
  org_id text not null constraint api_key_org_id_fkey references organisation on delete cascade,
  secret_hash bytea not null constraint api_key_secret_hash_key unique
    constraint sha256_of_the_secret check (octet_length(secret_hash) = 32),
  last_four text not null constraint four_characters check (length(last_four) = 4),
  name text not null constraint key_name_not_blank check (btrim(name) <> ''),
  capabilities text[] not null,
  datasets text[] constraint datasets_named_or_all check (cardinality(datasets) > 0),
  created_at timestamptz not null default clock_timestamp(),
  expires_at timestamptz not null,
  revoked_at timestamptz,
  constraint lifetime_7_to_365_days check (expires_at - created_at between interval '7 days' and interval '365 days')
);
create index api_key_org_id_idx on api_key (org_id);
comment on table api_key is 'Keys. A key acts for one organisation and only reads.';
comment on column api_key.key_id is 'key_ and 12 letters or digits: names the key without giving it away.';
comment on column api_key.org_id is 'The organisation it acts for.';
comment on column api_key.secret_hash is 'SHA-256 of the secret, which is not kept.';
comment on column api_key.last_four is 'Last four characters of the secret, to tell keys apart by.';
comment on column api_key.name is 'Who holds it, in free text.';
comment on column api_key.capabilities is 'What it may do, as the preset had it when the key was minted.';
comment on column api_key.datasets is 'The datasets it is narrowed to; null for all that its organisation can read.';
comment on column api_key.created_at is 'When it was minted.';
comment on column api_key.expires_at is 'From this instant on it is refused.';
comment on column api_key.revoked_at is 'From this instant on it is refused; null while it is not revoked.';
comment on index api_key_pkey is 'Keys by id.';
comment on index api_key_secret_hash_key is 'Keys by secret: every request.';
comment on index api_key_org_id_idx is 'The keys of an organisation.';
