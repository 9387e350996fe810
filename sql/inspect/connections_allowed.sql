-- connections_allowed: how many connections the server leaves to roles that are not superusers.
select current_setting('max_connections')::int
  - current_setting('superuser_reserved_connections')::int
  -- PostgreSQL 16 and later keep some for another role
  - coalesce(current_setting('reserved_connections', true), '0')::int as free
