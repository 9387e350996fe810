-- holds_expired: holds of worded answers that expired more than two days ago.
-- They reserve nothing. A running service removes them after a day, so they stay only where none runs.
select 'advice' as severity, 'Places held for worded answers that expired over two days ago: ' || count(*) || '.' as what,
  'delete from worded_hold where expires_at < ledger_clock() - interval ''2 days'' and (not posted or day < date_trunc(''month'', (ledger_clock() - interval ''2 days'') at time zone ''UTC''));' as fix
from worded_hold
where expires_at < ledger_clock() - interval '2 days'
  -- those that were counted stay for the month, for the caps of keys
  and (not posted or day < date_trunc('month', (ledger_clock() - interval '2 days') at time zone 'UTC'))
having count(*) > 0
