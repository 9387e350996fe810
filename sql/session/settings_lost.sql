-- settings_lost: the settings that the service gives its sessions and that this session does not have.
--   $1 names   text[]
--   $2 values  text[]
-- example: '{plan_cache_mode,jit}', '{force_generic_plan,off}'
-- "value" is what the session should have. A pooler drops settings that come with the start of a session.
select wanted.name, wanted.value
from unnest($1::text[], $2::text[]) as wanted (name, value)
where current_setting(wanted.name) <> wanted.value
