-- in_staging: lets names mean the tables of schema staging, and those of public where staging has none.
set local search_path = staging, public
