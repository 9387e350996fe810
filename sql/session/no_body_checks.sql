-- no_body_checks: lets functions be made whose bodies name what does not exist yet.
set local check_function_bodies = off
