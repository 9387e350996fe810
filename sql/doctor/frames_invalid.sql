-- frames_invalid: frames whose shape is not valid, is empty, or has an exterior ring that runs clockwise.
-- The fix changes answers, so the generation grows and no caller keeps the old answer.
with odd as (  -- one row per misshapen frame, with the reason
  select frame_id,
    case
      when ST_IsEmpty(geom) then 'it is empty'
      when not ST_IsValid(geom) then ST_IsValidReason(geom)
      else 'its ring runs clockwise'
    end as reason
  from frame
  where ST_IsEmpty(geom) or not ST_IsValid(geom) or not ST_IsPolygonCCW(geom)
), source as (  -- the command that made the index
  select regexp_replace(regexp_replace(source, '^built from (.+) and (.+)$', 'npm run -s frames -- build --outline "\1" --wards "\2"'),
    '^imported from (.+)$', 'npm run -s frames -- import frames "\1"') as command
  from index_generation
)
select 'wrong' as severity,
  'Misshapen frames: ' || count(*) || ', such as ' || (array_agg(frame_id || ': ' || reason order by frame_id))[1] || '.' as what,
  case when bool_or(reason = 'it is empty') then (select command from source) else
    E'update frame set geom = ST_ForcePolygonCCW(ST_CollectionExtract(ST_MakeValid(geom), 3))\n'
    '  where not ST_IsValid(geom) or not ST_IsPolygonCCW(geom);\n'
    'update index_generation set generation = generation + 1;'
  end as fix
from odd
having count(*) > 0
