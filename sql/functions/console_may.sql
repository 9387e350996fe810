-- console_may: grants a role all that the web app needs.
-- "frames migrate" calls it for frames_console.
--   console  the role
-- The app reads no hash of a key, no frame and no record; triggers enter its events, so it adds none itself.
create or replace function console_may(console regrole) returns void
  language plpgsql as $$
begin
  -- Without the lock, the second of two sessions that grant at once fails with "tuple concurrently updated".
  perform pg_advisory_xact_lock(4170002);
  execute format('grant usage on schema public to %s', console);
  execute format('grant select on organisation to %s', console);
  execute format('grant select on dataset to %s', console);
  execute format('grant select on attribute to %s', console);
  execute format('grant select on licence to %s', console);
  execute format('grant select on account to %s', console);
  execute format('grant select on credit_entry to %s', console);
  execute format('grant select on credit_statement to %s', console);
  execute format('grant select on worded_use to %s', console);
  execute format('grant select on key_use to %s', console);
  execute format('grant select on key_seen to %s', console);
  execute format('grant select on unknown_word to %s', console);
  execute format('grant select on key_event to %s', console);
  execute format('grant select (key_id), select (org_id), select (last_four), select (name), select (capabilities), select (datasets) on api_key to %s', console);
  execute format('grant select (daily_credits), select (monthly_credits), select (daily_words), select (monthly_words) on api_key to %s', console);
  execute format('grant update (daily_credits), update (monthly_credits), update (daily_words), update (monthly_words) on api_key to %s', console);
  execute format('grant select (created_at), select (expires_at), select (revoked_at), select (revoked_for_good), select (rolled_from), select (created_by) on api_key to %s', console);
  -- Triggers let it neither undo a revocation nor enter another instant of minting.
  execute format('grant insert, update (revoked_at) on api_key to %s', console);
  execute format('grant select, insert, update (name), update (email), update (issuer), update (subject) on person to %s', console);
  execute format('grant select, insert, update (role), update (daily_credits), delete on membership to %s', console);
  execute format('grant select, insert, update (seen_at), update (org_id), delete on session to %s', console);
  execute format('grant select, insert, update (used_at), delete on sign_in_link to %s', console);
  execute format('grant select, insert, delete on sign_in_attempt to %s', console);
  execute format('grant select, insert, update (counter), update (used_at), update (name), delete on passkey to %s', console);
end $$;
comment on function console_may(regrole) is
  'Grants a role what the web app needs: people, sessions, links, and keys without their hashes. "frames migrate" calls it for frames_console.';
revoke execute on function console_may from public;
