-- analyst.totals_in: the totals of each attribute, and of each feature dataset, over a polygon or multipolygon.
--   shape  as for analyst.frames_in
-- "total" is over whole frames: those that touch the shape. "total_by_area" weights each frame with its share inside,
-- which analyst.frames_in takes from areas in degrees; of features it counts those that touch the shape itself, and measures
-- them inside it. Totals are summarised as in analyst.state_totals, means rounded too; lengths and areas have 6 places. The caller reads the views with rights of its own: a dataset whose
-- view it may not read is left out.
-- Every frame that touches is read, once for each dataset: 12,411 frames with twelve datasets take 2.4 s. For a whole
-- unit, analyst.state_totals and its like have the totals over whole frames already.
create or replace function analyst.totals_in(shape geometry)
  returns table (layer_id text, attribute text, label text, unit text, summary text, total numeric, total_by_area numeric,
    class text, class_frames bigint, class_by_area text, recorded bigint, frames bigint)
  language plpgsql stable strict parallel safe as $$
#variable_conflict use_column
declare
  asked geometry := shape_checked(shape);
  layer record;
  held record;
begin
  select coalesce(array_agg(frame_id), '{}') as ids, coalesce(array_agg(share::numeric), '{}') as shares, coalesce(array_agg(km2), '{}') as areas, count(*) as frames
  into held
  from analyst.frames_in(asked);
  for layer in
    select dataset.layer_id, dataset.view_name, dataset.name, dataset.kind
    from analyst.dataset
    where has_column_privilege(format('analyst.%I', view_name), 'geom', 'select')
      and has_column_privilege(format('analyst.%I', view_name), case kind when 'frames' then 'recorded' else 'id' end, 'select')
    order by layer_id
  loop
    if layer.kind <> 'frames' then
      return query execute format($q$
        with pair as materialized (  -- one row per feature and frame that touches
          select pair.id, pair.frame_id, pair.extent
          from unnest($4) as held (frame_id)
          join analyst.feature_frame as pair on pair.layer_id = $1 and pair.frame_id = held.frame_id
        ), inside as materialized (  -- one row: the features that touch the shape itself, and their length or area inside
          select count(*) as features,
            sum(case $6 when 'lines' then ST_Length(part.geom::geography) / 1000 when 'polygons' then ST_Area(part.geom::geography) / 1000000 end)::numeric as extent
          from analyst.%I as feature
          cross join lateral (
            select case
                when $6 = 'points' or ST_Covers($3, feature.geom) then feature.geom
                else ST_CollectionExtract(ST_Intersection(feature.geom, $3), case $6 when 'lines' then 2 else 3 end)
              end as geom
            offset 0
          ) as part
          where ST_Intersects($3, feature.geom)
        )
        select $1, named.attribute, $2, named.unit, named.summary, rounded(coalesce(named.total, 0), 6), rounded(coalesce(named.by_area, 0), 6),
          null::text, null::bigint, null::text, (select count(distinct frame_id) from pair), $5
        from inside
        cross join lateral (values
          ('features', null, 'count', null, (select count(distinct id) from pair), inside.features),
          ('km', 'km', 'length', 'lines', (select sum(extent) from pair), inside.extent),
          ('km2', 'km²', 'area', 'polygons', (select sum(extent) from pair), inside.extent)
        ) as named (attribute, unit, summary, kind, total, by_area)
        where coalesce(named.kind, $6) = $6$q$, layer.view_name)
      using layer.layer_id, layer.name, asked, held.ids, held.frames, layer.kind;
      continue;
    end if;
    return query execute format($q$
      with listed as materialized (  -- one row per attribute
        select name, label, unit, type, summary, weight, place, repeats, shared from analyst.attribute where layer_id = $1
      ), cell as materialized (  -- one row per frame that touches and records something
        select held.share, held.km2, row.recorded, row.state, row.lga, row.ward
        from unnest($2, $3, $4) as held (frame_id, share, km2)
        join analyst.%I as row on row.frame_id = held.frame_id
      ), valued as materialized (  -- one row per frame and attribute with a value
        select listed.name, listed.summary, cell.share, cell.km2, found.number,
          case  -- as function unit_class writes it
            when btrim(value.text) <> all(listed.shared) then btrim(value.text)
            when listed.repeats = 'ward' and fold_name(value.text) = cell.ward then concat(btrim(value.text), ' of ', cell.lga, ', ', cell.state)
            when listed.repeats = 'lga' and fold_name(value.text) = cell.lga then concat(btrim(value.text), ' of ', cell.state)
            else btrim(value.text)
          end as class,
          case
            when listed.weight = 'area' then cell.km2
            when listed.summary = 'weighted_mean' then plain_number(cell.recorded ->> listed.weight)
            else 1
          end as weight
        from cell
        cross join lateral json_each_text(cell.recorded) as value (name, text)
        join listed on listed.name = value.name
        cross join lateral (
          -- Most numbers have the simple form that is looked for first; the expression of plain_number takes four times as long.
          select case
              when listed.type <> 'number' then null
              when length(value.text) <= 30 and value.text ~ '^-?(0|[1-9]\d*)(\.\d+)?$' then value.text::numeric
              else plain_number(value.text)
            end as number
          offset 0
        ) as found
        where case listed.type when 'number' then found.number is not null else btrim(value.text) <> '' end
      ), figure as (  -- one row per attribute; a weight of zero or less counts in no mean
        select name, count(*) as recorded, sum(number) as sum, sum(number * share) as sum_by_area,
          sum(number * weight) filter (where weight > 0) / nullif(sum(weight) filter (where weight > 0), 0) as mean,
          sum(number * weight * share) filter (where weight > 0) / nullif(sum(weight * share) filter (where weight > 0), 0) as mean_by_area
        from valued
        group by name
      ), sorted as (  -- one row per attribute and class
        select name, class, count(*) as frames, sum(share * km2) as km2
        from valued
        where summary = 'mode'
        group by name, class
      ), common as (  -- one row per attribute: its commonest class, by frames and by area inside
        select name, (array_agg(class order by frames desc, class collate "C"))[1] as class, max(frames) as frames,
          (array_agg(class order by km2 desc, class collate "C"))[1] as class_by_area
        from sorted
        group by name
      )
      select $1, listed.name, listed.label, listed.unit, listed.summary,
        trim_scale(case when listed.summary = 'sum' then figure.sum
          when listed.summary in ('mean', 'weighted_mean') then round(figure.mean, greatest(2, coalesce(5 - floor(log(nullif(abs(figure.mean), 0))), 2))::int) end),
        trim_scale(round(by_area.number, greatest(2, coalesce(5 - floor(log(nullif(abs(by_area.number), 0))), 2))::int)),
        common.class, common.frames, common.class_by_area, coalesce(figure.recorded, 0), $5
      from listed
      left join figure on figure.name = listed.name
      left join common on common.name = listed.name
      cross join lateral (
        select case when listed.summary = 'sum' then figure.sum_by_area when listed.summary in ('mean', 'weighted_mean') then figure.mean_by_area end as number
      ) as by_area
      order by listed.place$q$, layer.view_name)
    using layer.layer_id, held.ids, held.shares, held.areas, held.frames;
  end loop;
end $$;
comment on function analyst.totals_in(geometry) is
  'The totals of each attribute, and the number of features of each dataset with their km or km2, over a polygon or multipolygon: over whole frames that touch it, and by the share of each frame inside.';
