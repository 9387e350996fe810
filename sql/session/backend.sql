-- backend: the session of PostgreSQL that answers.
--   $1 round  int
-- example: 1
-- A pooler that gives each transaction any session answers two connections from one, or one connection from two.
select pg_backend_pid() as pid, $1::int as round
