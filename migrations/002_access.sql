-- Up Migration

-- Organisations and their API keys. The database holds only the hash of a key's secret.

create table organisation (
  org_id text constraint organisation_pkey primary key constraint org_id_form check (org_id ~ '^org_[0-9A-Za-z]{12}$'),
  name text not null constraint organisation_name_key unique constraint name_not_blank check (btrim(name) <> ''),
  plan text not null constraint plan_known check (plan in ('trial', 'pro', 'scale')),
  created_at timestamptz not null default clock_timestamp()
);
comment on table organisation is 'Organisations: they hold keys, own datasets and pay.';
comment on column organisation.org_id is 'org_ and 12 letters or digits.';
comment on column organisation.name is 'Its name for people, which no other organisation has.';
comment on column organisation.plan is 'trial, pro or scale: sets the monthly allowance of worded answers.';
comment on column organisation.created_at is 'Instant at which it was entered.';
comment on constraint org_id_form on organisation is 'An organisation id is org_ and 12 letters or digits.';
comment on constraint name_not_blank on organisation is 'A name is not blank.';
comment on constraint plan_known on organisation is 'A plan is trial, pro or scale.';
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
comment on table api_key is 'API keys. A key acts for one organisation and only reads.';
comment on column api_key.key_id is 'key_ and 12 letters or digits. The id names the key without its secret.';
comment on column api_key.org_id is 'The organisation it acts for.';
comment on column api_key.secret_hash is 'SHA-256 of the secret. The secret itself is not stored.';
comment on column api_key.last_four is 'Last four characters of the secret, so that people can tell keys apart.';
comment on column api_key.name is 'Holder of the key, in free text.';
comment on column api_key.capabilities is 'The calls that it may make, as its preset had them when it was minted.';
comment on column api_key.datasets is 'The datasets it is narrowed to; null for all that its organisation can read.';
comment on column api_key.created_at is 'Instant at which it was minted.';
comment on column api_key.expires_at is 'The API refuses the key from this instant on.';
comment on column api_key.revoked_at is 'The API refuses the key from this instant on; null for a key that is not revoked.';
comment on constraint key_id_form on api_key is 'A key id is key_ and 12 letters or digits.';
comment on constraint sha256_of_the_secret on api_key is 'A SHA-256 has 32 bytes.';
comment on constraint four_characters on api_key is 'The shown end of a secret has four characters.';
comment on constraint key_name_not_blank on api_key is 'A name is not blank.';
comment on constraint datasets_named_or_all on api_key is 'A key is narrowed to at least one dataset, or reads all: an empty list is not allowed.';
comment on constraint lifetime_7_to_365_days on api_key is 'A key is valid for 7 to 365 days.';
comment on index api_key_pkey is 'Keys by id.';
comment on index api_key_secret_hash_key is 'Keys by secret: every request reads it.';
comment on index api_key_org_id_idx is 'The keys of an organisation.';
