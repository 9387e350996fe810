-- no_time_limit: lets the statements of this session take as long as they need, whatever the database or the role allows.
select set_config('statement_timeout', '0', false)
