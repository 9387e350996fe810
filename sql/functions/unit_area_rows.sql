-- unit_area_rows: what table unit_area has, the land of each unit: wards from frames, areas from wards, states from areas.
-- Units have numbers in the order of their names. It unites frames on all cores: PostgreSQL uses them for a query that
-- plpgsql returns, and not for an insert.
create or replace function unit_area_rows() returns table (unit_id bigint, state text, lga text, ward text, geom geometry)
  language plpgsql stable as $$
#variable_conflict use_column
begin
  return query
  with ward_land as materialized (  -- one row for each ward, and for the frames of an area that lie in none
    select state, lga, ward, ST_Union(geom) as geom from frame where state is not null group by state, lga, ward
  ), lga_land as materialized (  -- one row for each area
    select state, lga, ST_Union(geom) as geom from ward_land group by state, lga
  ), land as (  -- one row for each unit of any level
    select state, lga, ward, geom from ward_land where ward is not null
    union all
    select state, lga, null, geom from lga_land
    union all
    select state, null, null, ST_Union(geom) from lga_land group by state
  )
  select row_number() over (order by state collate "C", lga collate "C" nulls first, ward collate "C" nulls first),
    state, lga, ward, ST_Multi(ST_CollectionExtract(geom, 3))
  from land;
end $$;
comment on function unit_area_rows() is 'What table unit_area has: the land of each unit.';
