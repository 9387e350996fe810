-- analyst_totals: makes the views of totals over states, areas and wards.
--   index_schema  the schema of the frame index that they read: public, or staging just before a switch
create or replace function analyst_totals(index_schema text) returns void
  language plpgsql as $$
declare
  level text;
  names text[];
begin
  foreach level in array array['state', 'lga', 'ward'] loop
    names := (array['state', 'lga', 'ward'])[1:array_position(array['state', 'lga', 'ward'], level)];
    perform analyst_view_put(level || '_totals', format($body$
      select unit.unit_id as id, %s, listed.layer_id, listed.attribute, listed.label, listed.unit, listed.summary,
        trim_scale(case
          when listed.summary in ('count', 'length', 'area') and total.number is null then 0
          when listed.summary in ('sum', 'count') then total.number
          else round(total.number, greatest(2, coalesce(5 - floor(log(nullif(abs(total.number), 0))), 2))::int)
        end) as total,
        trim_scale(bound.lower) as lower, trim_scale(bound.upper) as upper, bound.draws,
        total.class, total.class_frames, coalesce(total.recorded, 0) as recorded, unit.frames,
        round(100.0 * coalesce(total.recorded, 0) / unit.frames, 1) as coverage
      from %I.unit as unit
      cross join (
        select dataset.layer_id, dataset.version, attribute.name as attribute, attribute.label, attribute.unit, attribute.summary
        from public.dataset
        join public.attribute using (layer_id)
        where dataset.kind = 'frames'
        union all
        select layer_id, version, 'features', name, null, 'count' from public.dataset where kind <> 'frames'
        union all
        select layer_id, version, 'km', name, 'km', 'length' from public.dataset where kind = 'lines'
        union all
        select layer_id, version, 'km2', name, 'km²', 'area' from public.dataset where kind = 'polygons'
      ) as listed
      left join %2$I.unit_total as total
        on total.version = listed.version and total.attribute = listed.attribute and total.unit_id = unit.unit_id
      left join %2$I.unit_interval as bound
        on bound.version = listed.version and bound.attribute = listed.attribute and bound.unit_id = unit.unit_id
      where unit.level = %3$L$body$,
      (select string_agg(format('unit.%I', name), ', ' order by place) from unnest(names) with ordinality as each (name, place)),
      index_schema, level),
      case level
        when 'state' then 'Totals of each attribute over states'
        when 'lga' then 'Totals of each attribute over local government areas'
        else 'Totals of each attribute over wards'
      end || ', one row a unit and attribute. Join analyst.' || level || ' on id for the land.',
      array['id'] || names || array['layer_id', 'attribute', 'label', 'unit', 'summary', 'total', 'lower', 'upper', 'draws', 'class', 'class_frames', 'recorded', 'frames', 'coverage'],
      array['Number of the unit, as in analyst.' || level || '.']
        || (array['State.', 'Local government area.', 'Ward.'])[1:cardinality(names)]
        || array['The dataset.', 'The attribute; for features, features (each counted once in a unit), km (of lines) or km2 (of polygons).',
          'Its name for people.', 'Its unit of measure, where it has one.',
          'sum, mean, weighted_mean, mode, none; for features, count, length or area.',
          'The sum, mean, count, length or area over the frames of the unit; null where nothing is recorded, and for mode and none. Means, lengths and areas have six digits, and 2 places or more.',
          'Lower bound of the 95 % interval of the total, where the dataset has draws.', 'Upper bound.', 'The draws of its model, added up over the unit.',
          'For mode: the commonest class.', 'Frames that have it.', 'Frames that record a value; for features, frames with any.',
          'Frames in the unit.', 'Frames that record a value, percent.']);
  end loop;
end $$;
comment on function analyst_totals(text) is
  'Makes the views of totals over states, areas and wards, over the index in a schema: public, or staging just before it moves there.';
revoke execute on function analyst_totals from public;
