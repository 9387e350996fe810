-- statement_timeout: bounds each later statement of the transaction.
--   $1 bound  text  such as 5000ms; 0 for none
-- example: '5000ms'
-- The embedded database takes the setting and ends no statement.
select set_config('statement_timeout', $1::text, true) as bound
