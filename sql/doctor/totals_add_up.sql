-- totals_add_up: totals of units that are not those of their parts added up, and spreads of other totals.
-- The states add up to the country, areas to their state, wards to their area, and blocks to the country. The check
-- reads totals alone, so it looks at all of them. It leaves out units with frames in no part, such as in no ward.
with link (part_id, unit_id, by_block) as (  -- one row per unit and the unit above it
  select unit_id, case level when 'block' then 0 else within[cardinality(within) - 1] end, level = 'block' from unit where level <> 'country'
), divided as (  -- units whose frames all lie in their parts
  select link.unit_id, by_block
  from link
  join unit as part on part.unit_id = part_id
  join unit as whole on whole.unit_id = link.unit_id
  group by link.unit_id, by_block, whole.frames
  having sum(part.frames) = whole.frames
), added as (  -- one row per total of such a unit, added up from its parts
  select version, attribute, unit_id, by_block, sum(of_part.recorded) as recorded, sum(coalesce(of_part.total, of_part.number)) as total,
    sum(of_part.weight) as weight, max(of_part.number) as largest
  from divided
  join link using (unit_id, by_block)
  join (select version, attribute, unit_id as part_id, number, recorded, total, weight from unit_total) as of_part using (part_id)
  group by version, attribute, unit_id, by_block
), stored as (  -- the totals of such units as they are kept
  select unit_total.*, by_block from unit_total join divided using (unit_id)
), levelled as (  -- one row per attribute and level, from its totals; frames are those of the country
  select version, attribute, level, count(*) as recorded, min(number) as lowest, max(number) as highest
  from unit_total join unit using (unit_id)
  where level <> 'country'
  group by version, attribute, level
), spread as (  -- the same as table attribute_spread has it
  select version, attribute, level, recorded, lowest, highest from attribute_spread where level <> 'frame'
), commonest as (  -- the commonest class of each block
  select distinct on (version, attribute, unit_id) version, attribute, unit_id, class, frames
  from block_class
  order by version, attribute, unit_id, frames desc, class
), fault (version, attribute) as (  -- one row per total that is not right
  select version, attribute
  from stored
  full join added using (version, attribute, unit_id, by_block)
  where stored.recorded is distinct from added.recorded or stored.weight is distinct from added.weight
    -- a feature in several parts counts once in the whole
    or case when attribute = 'features' then stored.number not between largest and added.total
      else coalesce(stored.total, stored.number) is distinct from added.total end
  union all
  select version, attribute from unit_total where weight is not null and number is distinct from total / nullif(weight, 0)
  union all
  select version, attribute
  from levelled full join spread using (version, attribute, level)
  where (levelled.recorded, levelled.lowest, levelled.highest) is distinct from (spread.recorded, spread.lowest, spread.highest)
  union all
  select version, attribute
  from (select * from unit_total where unit_id = 0) as whole
  full join (select * from attribute_spread where level = 'frame') as spread using (version, attribute)
  -- units have no total of an attribute that no frame records a value of; its spread counts 0
  where coalesce(whole.recorded, 0) <> coalesce(spread.recorded, 0)
  union all
  select version, attribute
  from (select unit_total.* from unit_total join unit using (unit_id) where level = 'block' and class is not null) as block
  full join commonest using (version, attribute, unit_id)
  where (block.class, block.class_frames) is distinct from (commonest.class, commonest.frames)
)
select 'wrong' as severity,
  'Totals of ' || layer_id || ' that do not add up: ' || count(*) || ', such as of ' || min(attribute) || '.' as what,
  format(E'begin;\nselect totals_keep(%L);\nupdate index_generation set generation = generation + 1;\ncommit;', layer_id) as fix
from fault
join dataset using (version)
group by layer_id
order by layer_id
