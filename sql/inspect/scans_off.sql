-- scans_off: settings that are off and keep the planner from scans or joins.
select name as name
from pg_settings
where name like 'enable\_%' and setting = 'off' and boot_val = 'on'
order by name
