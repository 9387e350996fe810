-- summary: the counts of a build, and of the faults that the ward file has.
with source as (  -- the rows of the ward file
  select count(*) as rows,
    count(*) filter (where state is null or lga is null) as unnamed,
    count(distinct (state, lga, ward)) filter (where state is not null and lga is not null and ward is not null) as names,
    count(distinct geom) as places,
    count(*) filter (where not ST_Intersects(geom, (select ST_Collect(geom) from staging.outline_source))) as outside
  from staging.ward_source
), repeated as (  -- names that several of them have
  select count(*) as names from (
    select 1 from staging.ward_source group by state, lga, ward having count(*) > 1
  ) as name
), framed as (  -- the frames; a whole cell has 0.0001 square degrees, and a cut one has less
  select count(*) as frames, count(*) filter (where GeometryType(geom) = 'MULTIPOLYGON') as in_parts,
    count(*) filter (where ST_Area(geom) < 0.00009999) as cut
  from staging.frame
), nearest as (  -- the frames whose point no area holds
  select count(*) as frames from staging.cell_odd where not is_held
)
select
  framed.frames::int as frames,
  framed.cut::int as "cutAtBoundary",
  framed.in_parts::int as "inSeveralParts",
  (select count(*) from staging.state)::int as states,
  (select count(*) from staging.lga)::int as lgas,
  (select count(*) from staging.ward)::int as wards,
  source.rows::int as "wardRows",
  source.unnamed::int as "withoutStateOrLga",
  repeated.names::int as "repeatedNames",
  (source.rows - source.places)::int as "atTheSamePlace",
  source.outside::int as "outsideTheOutline",
  nearest.frames::int as "tookNearestWard",
  (source.names - (select count(*) from staging.ward))::int as "wardsTooSmallForAFrame"
from source, repeated, framed, nearest
