-- holds_expired: places of worded answers that expired over two days ago.
-- They hold nothing. A running service removes them after a day: they last where none runs.
select 'advice' as severity, count(*) || ' places held for worded answers expired over two days ago.' as what,
  'delete from worded_hold where expires_at < ledger_clock() - interval ''2 days'';' as fix
from worded_hold
where expires_at < ledger_clock() - interval '2 days'
having count(*) > 0
