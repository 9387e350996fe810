-- ledger_clean_up: deletes the marks of failed calls, the holds, the walks and the repetitions that are too old for a refund, and words of twelve months ago.
create or replace function ledger_clean_up() returns void
  language plpgsql security definer set search_path = pg_catalog, public, pg_temp as $$
begin
  delete from voided_call where voided_at < ledger_clock() - interval '1 day';
  -- The caps of keys count those of the present month.
  delete from worded_hold
  where expires_at < ledger_clock() - interval '1 day' and (not posted or day < date_trunc('month', ledger_clock() at time zone 'UTC'));
  delete from repeated_call where began_at < ledger_clock() - interval '2 days';
  delete from paid_walk where key_id <> '' and paid_at < ledger_clock() - interval '1 day';
  -- The present month and the eleven before it stay.
  delete from unknown_word where month <= date_trunc('month', ledger_clock() at time zone 'UTC') - interval '12 months';
end $$;
comment on function ledger_clean_up() is 'Deletes the marks of failed calls, the holds, the walks and the repetitions that are too old for a refund, and words of twelve months ago.';
revoke execute on function ledger_clean_up from public;
