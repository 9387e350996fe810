-- kept_total: the attribute of unit_total that has the figure of a measure already; null where it must be computed.
--   measure  as function measured reads it
--   level    the units that it is grouped by; null for one group
-- Kept are the frames, the land and the features of each unit, the extent of lines and polygons, and the figure that the
-- catalogue gives each attribute of numbers: of a whole unit or each part of it, without a filter.
create or replace function kept_total(measure jsonb, level text) returns text
  language sql stable parallel safe as $$
  select case
    when measure ->> 'things' in ('state', 'lga', 'ward') or measure -> 'place' ->> 0 <> 'unit' or measure ? 'among' or coalesce(measure -> 'where', '{"all": []}') <> '{"all": []}'
      or array_position('{state,lga,ward}'::text[], level) < jsonb_array_length(measure -> 'place') - 1 then null
    when coalesce(measure ->> 'how', 'count') = 'count' then case when coalesce(measure ->> 'things', 'frames') = 'frames' then 'frame_id' else 'features' end
    when measure ->> 'how' = 'sum' and measure -> 'subject' ? 'extent' then (
      select case kind when 'lines' then 'km' when 'polygons' then 'km2' end from dataset where layer_id = measure ->> 'things'
    )
    when coalesce(measure ->> 'things', 'frames') <> 'frames' then null
    when measure ->> 'how' = 'sum' and measure -> 'subject' = '{"of": "frames", "name": "geom"}' then 'geom'
    else (
      select name
      from attribute
      where layer_id = measure -> 'subject' ->> 'of' and name = measure -> 'subject' ->> 'name' and type = 'number' and summary = measure ->> 'how'
        and (summary <> 'weighted_mean' or measure -> 'weight' = case weight
          when 'area' then '{"of": "frames", "name": "geom"}' else jsonb_build_object('of', layer_id, 'name', weight)
        end)
    )
  end
$$;
comment on function kept_total(jsonb, text) is 'The attribute of unit_total that has the figure of a measure already.';
