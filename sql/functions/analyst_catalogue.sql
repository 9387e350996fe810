-- analyst_catalogue: makes the two views of the catalogue, analyst.dataset and analyst.attribute.
-- analyst_baseline reads analyst.attribute, so analyst_views calls this first.
create or replace function analyst_catalogue() returns void
  language plpgsql as $$
begin
  -- A relation of PostgreSQL has at most 1,600 columns, and a view has some besides the attributes: the first 1,500
  -- attributes get a column.
  perform analyst_view_put('dataset', $body$
    select layer_id, public.analyst_name(layer_id) as view_name, name, category, kind, vintage, description, items, imported_at
    from public.dataset$body$,
    'Datasets, each with its view in this schema.',
    array['layer_id', 'view_name', 'name', 'category', 'kind', 'vintage', 'description', 'items', 'imported_at'],
    array['The dataset.', 'Its view in this schema.', 'Its name.', 'Its category.', 'frames: a baseline; points, lines, polygons: features.',
      'The time it tells of, where recorded.', 'Its description, where recorded.', 'Rows or features it has.', 'When they were imported.']);
  perform analyst_view_put('attribute', $body$
    select attribute.layer_id, dataset.name as dataset, attribute.place, attribute.name,
      case when shown.turn <= 1500 then shown.column_name end as column_name, attribute.label, attribute.unit, attribute.type,
      attribute.summary, attribute.weight, attribute.description, attribute.repeats, attribute.shared, attribute.method,
      coalesce(attribute.lower, given.lower) as lower, coalesce(attribute.upper, given.upper) as upper, given.draws, dataset.vintage
    from public.dataset
    cross join lateral (
      select unnest(array_agg(each.name order by each.place)) as name,
        unnest(public.analyst_columns(array_agg(each.name order by each.place), public.analyst_taken('frames'))) as column_name,
        generate_series(1, count(*)) as turn
      from public.attribute as each where each.layer_id = dataset.layer_id
    ) as shown
    join public.attribute on attribute.layer_id = dataset.layer_id and attribute.name = shown.name
    cross join lateral (  -- the columns that analyst_baseline adds, unless an attribute has the name of one
      select max(added) filter (where part = 'lower') as lower, max(added) filter (where part = 'upper') as upper,
        max(added) filter (where part = 'draws') as draws
      from unnest(array['lower', 'upper', 'draws']) as part
      cross join concat(shown.column_name, '_', part) as added
      where attribute.draws is not null and shown.turn <= 1500
        and not exists (select from public.attribute as each where each.layer_id = dataset.layer_id and each.name = added)
    ) as given
    union all
    select dataset.layer_id, dataset.name, listed.place, listed.name,
      (select attname::text from pg_attribute where attrelid = to_regclass(format('analyst.%I', public.analyst_name(dataset.layer_id))) and attname = listed.column_name),
      listed.name, null, listed.type, null, null, null, null, null, null, null, null, null, dataset.vintage
    from public.dataset
    cross join lateral (
      select unnest(array_agg(each.name order by each.name collate "C")) as name, unnest(array_agg(each.type order by each.name collate "C")) as type,
        unnest(public.analyst_columns(array_agg(each.name order by each.name collate "C"), public.analyst_taken('features'))) as column_name,
        generate_series(1, count(*))::int as place
      from public.property as each where each.layer_id = dataset.layer_id
    ) as listed$body$,
    'The catalogue: what each attribute of a baseline and each property of features means, and its column in the view of the dataset.',
    array['layer_id', 'dataset', 'place', 'name', 'column_name', 'label', 'unit', 'type', 'summary', 'weight', 'description', 'repeats', 'shared',
      'method', 'lower', 'upper', 'draws', 'vintage'],
    array['The dataset.', 'Name of the dataset.', 'Place of the attribute in the dataset, or of the property by its name, from 1.',
      'Name of the attribute in column recorded, or of the property in column properties.',
      'Its column in the view of the dataset; null where it has none, as past the 1,500th attribute: recorded or properties has it.',
      'Its name for people; of a property its name.', 'Unit of its values, where they have one.', 'number or category.',
      'How the API summarises it over frames: sum, mean, weighted_mean, mode, or none; null for a property.',
      'What weights a weighted mean: area (km2 of the frame) or an attribute of the same dataset.', 'Its description, where recorded.',
      'lga or ward, where most of its values are the name of the unit that the frame lies in.', 'Its values that several of these units have as their name.',
      'How its values were made, such as modelled estimate, where recorded.', 'The column of the view that has the lower bound of each value, where there are bounds or draws.',
      'The column that has the upper bound.', 'The column that has the draws of the model, where there are any.',
      'The time that the dataset tells of, where recorded.']);
end $$;
comment on function analyst_catalogue() is 'Makes the views of the catalogue: datasets, their attributes and properties.';
revoke execute on function analyst_catalogue from public;
