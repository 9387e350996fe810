-- dataset_serve: serves a version of a dataset with its catalogue, and removes the rows of the version before.
--   $1 version  bigint
--   $2 dataset  text    JSON object {layerId, orgId, name, category, kind, vintage, description, synonyms, origin, properties, distanceTo, attributes}
-- example: 1000000, '{"layerId":"lyr_wells","orgId":"org_000000000001","name":"Wells","category":"Water","kind":"points","attributes":[]}'
-- One statement does it all, so that readers see the old rows or the new ones.
with given as (  -- the entry of the catalogue
  select $2::text::jsonb as dataset
), before as (  -- the version that is served until now
  select dataset.version from dataset, given where layer_id = given.dataset ->> 'layerId'
), counted as (  -- the number of rows or features
  select (select count(*) from baseline_row where version = $1::bigint)
    + (select count(*) from feature where version = $1::bigint) as items
), served as (  -- the dataset; members that the entry leaves out stay as they were
  insert into dataset (layer_id, org_id, name, category, kind, vintage, description, synonyms, origin, property_entries, distance_to, version, items)
  select given.dataset ->> 'layerId', given.dataset ->> 'orgId', given.dataset ->> 'name', given.dataset ->> 'category',
    given.dataset ->> 'kind', given.dataset ->> 'vintage', given.dataset ->> 'description',
    array(select jsonb_array_elements_text(given.dataset -> 'synonyms')), coalesce(given.dataset -> 'origin', '{}'),
    coalesce(given.dataset -> 'properties', '{}'), given.dataset ->> 'distanceTo', $1::bigint, counted.items
  from given, counted
  on conflict (layer_id) do update set
    name = excluded.name, category = excluded.category, kind = excluded.kind, version = excluded.version, items = excluded.items,
    vintage = coalesce(excluded.vintage, dataset.vintage), description = coalesce(excluded.description, dataset.description),
    synonyms = case when excluded.synonyms = '{}' then dataset.synonyms else excluded.synonyms end,
    property_entries = case when excluded.property_entries = '{}' then dataset.property_entries else excluded.property_entries end,
    origin = dataset.origin || excluded.origin, imported_at = clock_timestamp()
  returning layer_id, items
), entered as (  -- the attributes, new and old
  insert into attribute (layer_id, name, place, label, unit, type, summary, weight, description, method, noun, plural, lower, upper, draws, synonyms, verbs, adjectives, antonyms)
  select served.layer_id, item ->> 'name', place, item ->> 'label', item ->> 'unit', item ->> 'type', item ->> 'summary',
    item ->> 'weight', item ->> 'description', item ->> 'method', item ->> 'noun', item ->> 'plural',
    item ->> 'lower', item ->> 'upper', item ->> 'draws', array(select jsonb_array_elements_text(item -> 'synonyms')),
    array(select jsonb_array_elements_text(item -> 'verbs')), array(select jsonb_array_elements_text(item -> 'adjectives')),
    array(select jsonb_array_elements_text(item -> 'antonyms'))
  from given, served, jsonb_array_elements(given.dataset -> 'attributes') with ordinality as attribute (item, place)
  on conflict (layer_id, name) do update set
    place = excluded.place, label = excluded.label, unit = excluded.unit, type = excluded.type, summary = excluded.summary,
    weight = excluded.weight, description = excluded.description, method = excluded.method,
    noun = excluded.noun, plural = excluded.plural,
    lower = excluded.lower, upper = excluded.upper, draws = excluded.draws, synonyms = excluded.synonyms,
    verbs = excluded.verbs, adjectives = excluded.adjectives, antonyms = excluded.antonyms
  returning name
), forgotten as (  -- attributes that the version does not have
  delete from attribute using given
  where layer_id = given.dataset ->> 'layerId' and name not in (select item ->> 'name' from given, jsonb_array_elements(given.dataset -> 'attributes') as item)
), rows_removed as (  -- the baseline rows of the version before
  delete from baseline_row where version in (select version from before)
), values_removed as (  -- the values of these
  delete from value_row where version in (select version from before)
), features_removed as (  -- its features
  delete from feature where version in (select version from before)
), frames_removed as (  -- the frames of its features
  delete from feature_frame where version in (select version from before)
), totals_removed as (  -- its totals
  delete from unit_total where version in (select version from before)
), classes_removed as (  -- the classes of its blocks
  delete from block_class where version in (select version from before)
), wide_removed as (  -- its features that lie in several blocks
  delete from block_feature where version in (select version from before)
), bounds_removed as (  -- the bounds of its values
  delete from frame_interval where version in (select version from before)
), intervals_removed as (  -- the bounds of its totals
  delete from unit_interval where version in (select version from before)
), arrays_removed as (  -- the arrays of its values
  delete from value_array where version in (select version from before)
), spread_removed as (  -- the spread of its values
  delete from attribute_spread where version in (select version from before)
)
select items::int as items from served
