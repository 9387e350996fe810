-- baselines_added: what attributes of baselines add up to over frames, for each class where an attribute has classes.
--   ids, areas, parts  frames, their land in km², and the share of each that lies inside a place
--   layers             datasets: the others are left out
-- total by weight is a mean. "by_area" counts each frame by its share.
create or replace function baselines_added(ids bigint[], areas numeric[], parts numeric[], layers text[])
  returns table (layer bigint, name text, class text, total numeric, weight numeric, recorded bigint, total_by_area numeric, weight_by_area numeric)
  language plpgsql stable set jit = off as $$
#variable_conflict use_column
begin
  return query
  with listed as materialized (  -- one row for each attribute
    select * from figures_listed(layers) where kind = 'frames'
  ), held as (  -- the row of each dataset on each frame; each JSON is read once
    select layer.layer, cell.frame_id, cell.km2, cell.part, found.recorded
    from (select distinct layer, version from listed) as layer
    cross join unnest(ids, areas, parts) as cell (frame_id, km2, part)
    cross join lateral (
      select recorded from baseline_row where baseline_row.version = layer.version and baseline_row.frame_id = cell.frame_id limit 1
    ) as found
  ), cell as (  -- one row for each frame and attribute with a value; "offset 0" finds its weight once
    select listed.layer, listed.name, held.part, plain.number, case when listed.has_classes then plain.text end as class,
      case  -- a weight of zero or less counts in no mean
        when plain.number is null then null
        when listed.summary <> 'weighted_mean' then 1
        when listed.weight = 'area' then nullif(greatest(held.km2, 0), 0)
        else nullif(greatest(plain_number(held.recorded ->> listed.weight), 0), 0)
      end as weight
    from held
    cross join lateral json_each_text(held.recorded) as value (name, text)
    join listed on listed.layer = held.layer and listed.name = value.name
    cross join lateral (
      -- Most numbers have the simple form that is looked for first; the expression of plain_number takes four times as long.
      select class_of_value(btrim(value.text), listed.shared, listed.repeats, held.frame_id) as text, case
          when listed.type <> 'number' then null
          when length(value.text) <= 30 and value.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then value.text::numeric
          else plain_number(value.text)
        end as number
      offset 0
    ) as plain
    where case listed.type when 'number' then plain.number is not null else plain.text <> '' end
    offset 0
  )
  select cell.layer, cell.name, cell.class, sum(number * weight), sum(weight), count(*), sum(number * weight * part), sum(weight * part)
  from cell
  group by cell.layer, cell.name, cell.class;
end $$;
comment on function baselines_added(bigint[], numeric[], numeric[], text[]) is 'What attributes of baselines add up to over frames.';
