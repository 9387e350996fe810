-- frames_scattered: whether frames that are neighbours in the country are neighbours in the table.
-- index: frame_geom_idx
-- The check reads the surroundings of 200 frames: of about 100 frames in a box, an import puts 20 on a page. The
-- correlation in pg_stats describes lines, not places.
with place as (  -- the shapes of 200 frames, drawn alike in every run
  select frame.geom
  from (select first_id from frame_run order by md5(first_id::text) limit 200) as run
  join frame on frame_id = first_id
), seen as (  -- one row per place: the frames around it, and the pages that hold them
  select count(*) as frames, count(distinct (near.ctid::text::point)[0]) as pages
  from place
  cross join lateral (select frame.ctid from frame where frame.geom && ST_Expand(place.geom, 0.05)) as near
  group by place.geom
)
select 'advice' as severity,
  'Frames that lie side by side do not in the table: boxes of ' || round(avg(frames)) || ' frames read ' || round(avg(pages)) || ' pages.'
    as what,
  E'-- Nothing can read frames meanwhile; an import or a build puts them in order while they are read.\n'
  'cluster frame using frame_geom_idx;\nalter table frame set without cluster;\nanalyze frame;' as fix
from seen
having sum(pages) > 0.5 * sum(frames) and sum(frames) > 1000
