-- Up Migration

-- A clock that goes back, as after a failover to a server whose clock is behind, lets no revoked key in again.

alter table api_key
  add column revoked_for_good boolean not null default false,
  -- squawk-ignore constraint-missing-not-valid
  add constraint revoked_at_some_instant check (not revoked_for_good or revoked_at is not null);
comment on column api_key.revoked_for_good is
  'True: the API refuses the key, whatever the clock says. False: revoked_at decides, as in the grace of a key that was rolled.';
comment on column api_key.revoked_at is
  'The API refuses the key from this instant on; null for a key that is not revoked. It lies ahead in the grace of a key that was rolled.';
comment on constraint revoked_at_some_instant on api_key is 'A key that is revoked for good has the instant of its revocation.';

update api_key set revoked_for_good = true where revoked_at <= clock_timestamp();

create trigger api_key_stays_revoked
  before insert or update of revoked_at on api_key
  for each row execute function api_key_stays_revoked();
comment on trigger api_key_stays_revoked on api_key is 'Revokes a key for good where its revocation is not ahead.';
