-- frames_with_features: how many of some features are on each frame that has any, or the sum of a property or an extent.
--   layer, chosen  the features, as features_chosen answers them
--   subject        {"name": a property}, or {"extent": true} for km or km² inside the frame; without either they are counted
create or replace function frames_with_features(layer text, chosen bit varying, subject jsonb) returns table (number int, value numeric)
  language plpgsql stable as $$
#variable_conflict use_column
declare
  served bigint := (select version from dataset where layer_id = layer);
  asked text := subject ->> 'name';
begin
  return query
  with valued as materialized (  -- one row for each of the features
    select kept.chunk * 1024 + cell.place::int as feature_no, cell.number as value
    from value_array as kept
    cross join lateral unnest(kept.numbers) with ordinality as cell (number, place)
    where kept.version = served and kept.name = asked
  )
  select pair.number, case when subject ? 'extent' then round(sum(pair.extent)::numeric / 1000000, 6) when asked is null then count(*) else sum(valued.value) end
  from feature_frame as pair
  left join valued using (feature_no)
  where pair.version = served and get_bit(chosen, pair.feature_no - 1) = 1
  group by pair.number;
end $$;
comment on function frames_with_features(text, bit varying, jsonb) is 'How many of some features lie on each frame that has any, or the sum of a property or of their extents.';
