-- ward_area_index: makes the ward areas searchable.
create index ward_area_geom_idx on staging.ward_area using gist (geom)
