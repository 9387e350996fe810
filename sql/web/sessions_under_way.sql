-- sessions_under_way: how many sessions have not ended.
--   $1 idle_hours  int  a session that nobody uses ends after this time
-- reads all of: session
-- budget: buffers <= 1000, rows read <= 40000
-- example: 12
-- Reads the whole table, which is small.
select count(*)::int as sessions
from session
where ends_at > clock_timestamp() and seen_at > clock_timestamp() - make_interval(hours => $1)
