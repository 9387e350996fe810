-- statement_limit: ends each statement of the transaction that takes longer.
--   $1 ms  int  0 for no limit
-- example: 5000
-- The embedded database takes the setting and ends no statement.
select set_config('statement_timeout', $1::int::text, true) as "statementTimeout"
