-- read_only: refuses writes until the transaction ends.
set transaction read only
