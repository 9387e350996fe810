-- value_array_rows: what table value_array has of a dataset, or of the index itself.
--   layer   the dataset, or frames for the index
--   chunks  those asked for; null for all
-- A baseline is read 300 attributes at a time, since a select has at most 1,664 columns. A chunk in which nothing has a value
-- has no row.
create or replace function value_array_rows(layer text, chunks int[])
  returns table (version bigint, name text, chunk int, numbers numeric[], texts text[])
  language plpgsql stable as $$
#variable_conflict use_column
declare
  served dataset;
  packed record;
begin
  select * into served from dataset where layer_id = layer;
  if layer = 'frames' then
    return query
    select 0::bigint, named.name, packed.chunk, named.numbers, null::text[]
    from (
      select number / 1024 as chunk, array_agg(frame_id::numeric order by number) as ids, array_agg(area_km2 order by number) as land,
        array_agg(home_id::numeric order by number) as homes, array_agg(block_id::numeric order by number) as blocks
      from frame_order
      join frame using (frame_id)
      join frame_unit using (frame_id)
      where chunks is null or number / 1024 = any(chunks)
      group by number / 1024
    ) as packed
    cross join lateral (values ('frame_id', packed.ids), ('geom', packed.land), ('home_id', packed.homes), ('block_id', packed.blocks)) as named (name, numbers);
  elsif served.kind = 'frames' then
    for packed in
      select string_agg(format('array_agg(row.a%s) as a%1$s', n), ', ') as arrays,
        string_agg(format(case type when 'number' then '(%L, packed.a%s, null::text[])' else '(%L, null::numeric[], packed.a%s)' end, name, n), ', ') as cells,
        string_agg(case type
          when 'number' then format('placed.numbers[%s] as a%s', place, n)
          else format('nullif(class_of_value(btrim(placed.texts[%s]), %L::text[], %L, placed.frame_id), '''') as a%s', place, shared, repeats, n)
        end, ', ') as columns
      from (select row_number() over (order by place, name) as n, * from attribute where layer_id = layer) as listed
      group by (n - 1) / 300
    loop
      return query execute format($q$
        with placed as (  -- the frames of these chunks in order; an array of over 8 kB is unpacked once for all its values
          select number, frame_id, numbers || '{}' as numbers, texts || '{}' as texts
          from frame_order
          left join (select * from value_row where version = %s) as value_row using (frame_id)
          where $1 is null or number / 1024 = any($1)
          order by number
        ), row as (  -- with a column for each attribute
          select placed.number, %s from placed
        ), packed as (  -- one row for each chunk
          select row.number / 1024 as chunk, %s from row group by row.number / 1024
        )
        select %s::bigint, named.name, packed.chunk, named.numbers, named.texts
        from packed
        cross join lateral (values %s) as named (name, numbers, texts)
        where array_remove(named.numbers, null) <> '{}' or array_remove(named.texts, null) <> '{}'$q$,
        served.version, packed.columns, packed.arrays, served.version, packed.cells)
      using chunks;
    end loop;
  else
    return query
    select served.version, property.name, packed.chunk, case property.type when 'number' then packed.numbers end,
      case property.type when 'category' then packed.texts end
    from property
    cross join lateral (
      select (feature_no - 1) / 1024 as chunk, array_agg(plain_number(found.value) order by feature_no) as numbers,
        array_agg(nullif(btrim(found.value), '') order by feature_no) as texts
      from feature
      cross join lateral (select readable_json(properties) ->> property.name as value) as found
      where feature.version = served.version and (chunks is null or (feature_no - 1) / 1024 = any(chunks))
      group by (feature_no - 1) / 1024
    ) as packed
    where property.layer_id = layer
      and (case property.type when 'number' then array_remove(packed.numbers, null) <> '{}' else array_remove(packed.texts, null) <> '{}' end);
  end if;
end $$;
comment on function value_array_rows(text, int[]) is 'What table value_array has of a dataset, or of the index: its values, 1,024 to a row.';
