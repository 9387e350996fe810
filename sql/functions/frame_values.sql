-- frame_values: the value of a subject on each frame that records one.
--   ids      frame ids, each once
--   layer    a dataset, or frames for the index itself
--   subject  an attribute of a baseline, a property of features, or geom (its land in km²), frame_id, state, lga or ward of the
--            index; null counts the features of a dataset
-- A number attribute has a number, or null for a value that is no plain number. A category has its class: one value may be
-- the name of several units. Features are counted on each frame that they
-- intersect, and a property is summed over them: 0 on a frame without features, null where none of them has a number.
-- PostgreSQL puts this body in the place of a call (one select, stable, not strict), so it plans with the indexes below.
create or replace function frame_values(ids bigint[], layer text, subject text)
  returns table (frame_id bigint, place bigint, value text, number numeric)
  language sql stable parallel safe as $$
  select asked.id, asked.place, class_of_value(found.value, attribute.shared, attribute.repeats, asked.id),
    case when attribute.type = 'number' then plain_number(found.value) end
  from dataset
  join attribute using (layer_id)
  cross join unnest(ids) with ordinality as asked (id, place)
  cross join lateral (
    select btrim(recorded ->> attribute.name) as value from baseline_row
    where baseline_row.version = dataset.version and baseline_row.frame_id = asked.id
    limit 1
  ) as found
  where dataset.layer_id = layer and dataset.kind = 'frames' and attribute.name = subject and found.value <> ''
  union all
  select asked.id, asked.place, null, (
    select count(*) from feature_frame where feature_frame.version = dataset.version and feature_frame.frame_id = asked.id
  )
  from dataset
  cross join unnest(ids) with ordinality as asked (id, place)
  where dataset.layer_id = layer and dataset.kind <> 'frames' and subject is null
  union all
  select asked.id, asked.place, null, found.number
  from dataset
  cross join unnest(ids) with ordinality as asked (id, place)
  cross join lateral (
    select case count(*) when 0 then 0 else sum(plain_number(readable_json(feature.properties) ->> subject)) end as number
    from feature_frame
    join feature using (version, feature_no)
    where feature_frame.version = dataset.version and feature_frame.frame_id = asked.id
  ) as found
  where dataset.layer_id = layer and dataset.kind <> 'frames' and subject is not null
  union all
  select asked.id, asked.place,
    case subject when 'state' then frame.state when 'lga' then frame.lga when 'ward' then frame.ward end,
    case subject when 'geom' then frame.area_km2 when 'frame_id' then 1 end
  from unnest(ids) with ordinality as asked (id, place)
  join frame on frame.frame_id = asked.id
  where layer = 'frames'
$$;
comment on function frame_values(bigint[], text, text) is
  'The value of a subject on each frame: an attribute, the features counted, a property summed over features, or a figure of the index.';
