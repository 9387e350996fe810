-- sign_ins_ended: sessions, links and attempts of signing in that ended over 60 days ago.
-- They sign nobody in. Each sign-in deletes up to 100 links that ended, and sessions 30 days after their end. Rows that
-- are older show that nobody signs in any more.
with ended as (  -- one row per table
  select 'session' as name, 'ends_at' as instant, count(*) as rows from session where ends_at < now() - interval '60 days'
  union all
  select 'sign_in_link', 'valid_until', count(*) from sign_in_link where valid_until < now() - interval '60 days'
  union all
  select 'sign_in_attempt', 'valid_until', count(*) from sign_in_attempt where valid_until < now() - interval '60 days'
)
select 'advice' as severity, 'Rows of ' || name || ' that ended over 60 days ago: ' || rows || '.' as what,
  format('delete from %I where %I < now() - interval ''60 days'';', name, instant) as fix
from ended
where rows > 0
