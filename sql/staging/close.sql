-- close: drops schema staging.
select staging_close() as closed
