-- public_alone: lets PostgreSQL write the names of objects in schema public without their schema.
set local search_path = public
