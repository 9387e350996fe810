-- visibility: tables read by index alone whose visibility map is missing, so that each row is read from the table.
-- A vacuum makes the map; autovacuum does so within minutes of an import, and the embedded database never.
select 'advice' as severity,
  oid::regclass || ': ' || relallvisible || ' of ' || pages || ' pages are in the visibility map.' as what,
  'vacuum ' || oid::regclass || ';' as fix
from pg_class
cross join lateral (select pg_relation_size(oid) / 8192 as pages) as sized
where oid in ('public.feature_frame'::regclass, 'public.baseline_row'::regclass) and pages > 1000 and relallvisible < pages * 0.5
