-- values_of_things: the arrays of a subject for chunks of frames or features, as value_array keeps them.
--   things    frames, or a dataset of features
--   asked     chunks
--   subject   {"of": a dataset, "name": its attribute}; of features on frames, {"of": ..., "where": a filter, "name": a property, or
--             none to count them}; {"of": "frames", "name": "geom"} is land in km²; of features themselves, {"name": a property}
--             or {"extent": true}, the km or km² of each inside the index; of features on frames, inside the frame
-- The values of features on frames are made here: 0 where there is none. A feature has the value of its first frame for a
-- subject of frames.
create or replace function values_of_things(things text, asked int[], subject jsonb) returns table (chunk int, numbers numeric[], texts text[])
  language plpgsql stable as $$
#variable_conflict use_column
declare
  layer text := coalesce(subject ->> 'of', things);
  target dataset;
begin
  select * into target from dataset where layer_id = layer;
  if things = 'frames' and target.kind <> 'frames' then
    return query
    with valued as materialized (  -- one row for each frame that has any
      select number, value from frames_with_features(layer, features_chosen(layer, coalesce(subject -> 'where', '{"all": []}')), subject)
    )
    select frame_order.number / 1024, array_agg(case when valued.number is null then 0 else valued.value end order by frame_order.number), null::text[]
    from unnest(asked) as each (chunk)
    join frame_order on frame_order.number between each.chunk * 1024 and each.chunk * 1024 + 1023
    left join valued using (number)
    group by frame_order.number / 1024;
    return;
  end if;
  if things <> 'frames' and layer <> things then
    return query
    with placed as materialized (  -- the first frame of each feature
      select pair.feature_no - 1 as n, min(pair.number) as number
      from feature_frame as pair
      where pair.version = (select version from dataset where layer_id = things) and (pair.feature_no - 1) / 1024 = any(asked)
      group by pair.feature_no
    ), valued as materialized (  -- the values of the frames
      select * from values_of_things('frames', array(select distinct number / 1024 from placed), subject)
    )
    select every.n / 1024, array_agg(valued.numbers[placed.number % 1024 + 1] order by every.n), array_agg(valued.texts[placed.number % 1024 + 1] order by every.n)
    from unnest(asked) as each (chunk)
    cross join lateral generate_series(each.chunk * 1024, least(each.chunk * 1024 + 1024, things_total(things)) - 1) as every (n)
    left join placed on placed.n = every.n
    left join valued on valued.chunk = placed.number / 1024
    group by every.n / 1024;
    return;
  end if;
  if things <> 'frames' and subject ? 'extent' then
    return query
    with measured as materialized (  -- one row for each feature on frames
      select feature_no - 1 as n, round(sum(extent)::numeric / 1000000, 6) as value
      from feature_frame
      where version = target.version and (feature_no - 1) / 1024 = any(asked)
      group by feature_no
    )
    select every.n / 1024, array_agg(measured.value order by every.n), null::text[]
    from unnest(asked) as each (chunk)
    cross join lateral generate_series(each.chunk * 1024, least(each.chunk * 1024 + 1024, things_total(things)) - 1) as every (n)
    left join measured using (n)
    group by every.n / 1024;
    return;
  end if;
  return query
  select kept.chunk, kept.numbers, kept.texts
  from unnest(asked) as each (chunk)
  join value_array as kept on kept.version = coalesce(target.version, 0) and kept.name = subject ->> 'name' and kept.chunk = each.chunk;
end $$;
comment on function values_of_things(text, int[], jsonb) is 'The values of a subject for chunks of frames or features.';
