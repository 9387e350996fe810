-- explained_left: statements that an earlier "explain" prepared in this session and could not deallocate.
select name as name from pg_prepared_statements where name ~ '^explained_[0-9a-f]{16}$'
