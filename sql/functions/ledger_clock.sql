-- ledger_clock: the instant that decides which day and month a worded answer counts for.
-- Tests put another clock in its place.
create or replace function ledger_clock() returns timestamptz
  language sql volatile
  return clock_timestamp();
comment on function ledger_clock() is 'The instant that days and months are told from. Tests put another in its place.';
