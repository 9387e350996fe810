-- holds_expired: places of worded answers whose process died over a day ago.
-- They hold nothing, and the next question of the organisation removes them: they last where none comes.
select 'advice' as severity, count(*) || ' places held for worded answers expired over a day ago.' as what,
  'delete from worded_hold where expires_at < ledger_clock() - interval ''1 day'';' as mend
from worded_hold
where expires_at < ledger_clock() - interval '1 day'
having count(*) > 0
