-- holds_expired: holds of worded answers that expired more than two days ago.
-- They reserve nothing. A running service removes them after a day, so they stay only where none runs.
select 'advice' as severity, count(*) || ' places held for worded answers expired over two days ago.' as what,
  'delete from worded_hold where expires_at < ledger_clock() - interval ''2 days'';' as fix
from worded_hold
where expires_at < ledger_clock() - interval '2 days'
having count(*) > 0
