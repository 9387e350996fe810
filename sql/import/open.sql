-- open: makes schema staging, with tables for the rows of a dataset.
select intake_open() as opened
