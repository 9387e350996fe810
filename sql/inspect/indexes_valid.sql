-- indexes_valid: the indexes that PostgreSQL reads.
select indexrelid::regclass::text as name
from pg_index
where indisvalid
