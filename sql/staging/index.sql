-- index: gives a staged table the indexes, comments, grants and statistics that the served one has.
--   $1 table  text
-- example: 'frame'
select staging_index($1::text) as indexed
