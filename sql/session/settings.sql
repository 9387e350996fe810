-- settings: the settings of every session. A server gets them at the start of a session, the embedded database here.
-- One plan for all values: a statement is planned once, whatever its parameters are. JIT costs more than it saves on
-- statements of milliseconds.
select
  set_config('plan_cache_mode', 'force_generic_plan', false) as plan_cache_mode,
  set_config('jit', 'off', false) as jit,
  set_config('TimeZone', 'UTC', false) as time_zone
