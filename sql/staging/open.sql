-- open: makes schema staging, with empty copies of the index tables.
select staging_open() as opened
