-- no_statement_timeout: lets the statements of the transaction take as long as they need.
set local statement_timeout = 0
