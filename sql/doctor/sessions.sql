-- sessions: settings that the program sets and this session does not have; DATABASE_URL or a pooler sets others.
-- sql/ was measured with one plan for all values; planning each call anew costs more than most calls.
select 'advice' as severity,
  'Sessions have ' || name || ' = ' || setting || ', ' || asked || ' was asked for: a pooler or DATABASE_URL sets another.' as what,
  format('alter role %I set %s = %s;', session_user, name, asked) as fix
from pg_settings
join (values ('plan_cache_mode', 'force_generic_plan'), ('jit', 'off')) as wanted (setting_name, asked) on setting_name = name
where setting <> asked
