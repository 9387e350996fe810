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
      attribute.summary, attribute.weight, attribute.description, attribute.repeats, attribute.shared
    from public.dataset
    cross join lateral (
      select unnest(array_agg(each.name order by each.place)) as name,
        unnest(public.analyst_columns(array_agg(each.name order by each.place), public.analyst_taken('frames'))) as column_name,
        generate_series(1, count(*)) as turn
      from public.attribute as each where each.layer_id = dataset.layer_id
    ) as shown
    join public.attribute on attribute.layer_id = dataset.layer_id and attribute.name = shown.name$body$,
    'The catalogue: what each attribute of a baseline means, and its column in the view of the baseline.',
    array['layer_id', 'dataset', 'place', 'name', 'column_name', 'label', 'unit', 'type', 'summary', 'weight', 'description', 'repeats', 'shared'],
    array['The dataset.', 'Name of the dataset.', 'Place of the attribute in the dataset, from 1.', 'Name of the attribute in column recorded.',
      'Its column in the view of the dataset; null past the 1,500th attribute, which is in recorded alone.', 'Its name for people.',
      'Unit of its values, where they have one.', 'number or category.',
      'How the API summarises it over frames: sum, mean, weighted_mean, mode, or none.',
      'What weights a weighted mean: area (km2 of the frame) or an attribute of the same dataset.', 'Its description, where recorded.',
      'lga or ward, where most of its values are the name of the unit that the frame lies in.', 'Its values that several of these units have as their name.']);
end $$;
comment on function analyst_catalogue() is 'Makes the views of the catalogue: datasets and their attributes.';
revoke execute on function analyst_catalogue from public;
