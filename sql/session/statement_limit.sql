-- statement_limit: ends each statement of the transaction that takes longer.
--   $1 ms  int
-- example: 5000
select set_config('statement_timeout', $1::int::text, true) as "statementTimeout"
