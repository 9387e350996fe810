-- frames_listed: frames by their ids, in the order given, joined into one text of JSON; and the index that they are of.
--   $1 ids  bigint[]  frame ids, each once
-- index: frame_pkey
-- budget: buffers <= 4 + 5 * ids, rows read <= 1 + ids
-- example: '{322074005,322074006}'
-- An id that the index does not know has no frame in the text.
-- One statement reads the frames and the number of the index, so that both are of one moment.
-- Joined here, a hundred frames cost PostgreSQL 0.1 ms more, and the service 0.6 ms less.
with asked as (  -- one row for each id, with its place among $1
  select frame_id, place
  from unnest($1::bigint[]) with ordinality as id (frame_id, place)
), listed as (  -- one row: the frames, separated by commas
  select coalesce(
    string_agg(
      '{"id":"' || frame.frame_id || '","geometry":' || frame.geojson || ',"bbox":' || frame.bbox
        || case when frame.state is null then ''
          else ',"admin":{"state":' || to_json(frame.state)
            || coalesce(',"stateCode":' || to_json(frame.state_code), '')
            || ',"lga":' || to_json(frame.lga)
            || coalesce(',"lgaCode":' || to_json(frame.lga_code), '')
            || coalesce(',"ward":' || to_json(frame.ward), '')
            || coalesce(',"wardCode":' || to_json(frame.ward_code), '')
            || coalesce(',"zone":' || to_json(frame.zone), '')
            || coalesce(',"zoneCode":' || to_json(frame.zone_code), '')
            || '}'
        end
        || '}',
      ',' order by asked.place
    ),
    ''
  ) as frames
  from asked
  join frame using (frame_id)
)
select
  listed.frames as frames,
  index_generation.generation::text as generation,
  to_char(index_generation.switched_at at time zone 'UTC', 'YYYYMMDD"T"HH24MISSUS"Z"') as "switchedAt"
from listed
cross join index_generation
