-- Up Migration

-- Unit names are folded in the same way on every database, whatever its locale. upper() alone follows LC_CTYPE: under C it leaves
-- "ô" as it is, and under a Turkish locale it makes "İ" of "i".

-- "und-x-icu" is ICU's root locale: PostgreSQL makes that collation itself, and no index or stored order depends on it here. After an
-- update of the ICU library PostgreSQL may warn of its version; "alter collation pg_catalog."und-x-icu" refresh version" is the remedy.
-- The blanks are Unicode's White_Space and U+FEFF, the zero-width no-break space; \s would follow the locale.
create or replace function fold_name(name text) returns text
  language sql immutable strict parallel safe
  return normalize(
    upper(
      btrim(regexp_replace(
        normalize(name, nfc) collate "C",
        '[\u0009-\u000d\u0020\u0085\u00a0\u1680\u2000-\u200a\u2028\u2029\u202f\u205f\u3000\ufeff]+', ' ', 'g'
      )) collate "und-x-icu"
    ),
    nfc
  );
comment on function fold_name(text) is
  'The one form in which unit names are stored and matched, whatever the locale: upper case, single blanks (no-break spaces are blanks too), no blanks at the ends, NFC.';

-- Names that an earlier version folded by the locale are folded again. Where nothing changes, nothing is written.
do $$
declare
  changed bigint;
begin
  with named as (
    select distinct state, state_code, lga, lga_code, ward, ward_code, zone, zone_code from frame where state is not null
  ), odd as (
    select * from named
    where (state, state_code, lga, lga_code, ward, ward_code, zone, zone_code) is distinct from (fold_name(state), fold_name(state_code),
      fold_name(lga), fold_name(lga_code), fold_name(ward), fold_name(ward_code), fold_name(zone), fold_name(zone_code))
  )
  update frame
  set state = fold_name(odd.state), state_code = fold_name(odd.state_code), lga = fold_name(odd.lga), lga_code = fold_name(odd.lga_code),
    ward = fold_name(odd.ward), ward_code = fold_name(odd.ward_code), zone = fold_name(odd.zone), zone_code = fold_name(odd.zone_code)
  from odd
  where frame.state = odd.state and frame.lga = odd.lga
    and (frame.ward, frame.state_code, frame.lga_code, frame.ward_code, frame.zone, frame.zone_code)
      is not distinct from (odd.ward, odd.state_code, odd.lga_code, odd.ward_code, odd.zone, odd.zone_code);
  get diagnostics changed = row_count;
  if changed = 0 then
    return;
  end if;
  -- The units are counted again as sql/staging/ counts them, since two spellings may now be one unit.
  delete from state;
  insert into state (state, state_code, zone, zone_code, frames)
  select state, min(state_code), min(zone), min(zone_code), count(*) from frame where state is not null group by state;
  delete from lga;
  insert into lga (state, lga, lga_code, frames)
  select state, lga, min(lga_code), count(*) from frame where lga is not null group by state, lga;
  delete from ward;
  insert into ward (state, lga, ward, ward_code, frames)
  select state, lga, ward, min(ward_code), count(*) from frame where ward is not null group by state, lga, ward;
  create temporary table land on commit drop as
  select fold_name(state) as state, fold_name(lga) as lga, fold_name(ward) as ward,
    ST_Multi(ST_CollectionExtract(ST_Union(geom), 3)) as geom
  from unit_area
  group by 1, 2, 3;
  delete from unit_area;
  insert into unit_area (unit_id, state, lga, ward, geom)
  select row_number() over (order by state collate "C", lga collate "C" nulls first, ward collate "C" nulls first), state, lga, ward, geom
  from land;
  update index_generation set generation = generation + 1;
end $$;

-- A relation of PostgreSQL has at most 1,600 columns, and the view has some of its own besides the attributes. An import refuses more
-- than 1,500 attributes; of a dataset that an earlier version took in, the view shows the first 1,500.
create or replace function analyst_baseline(layer text, index_schema text) returns void
  language plpgsql as $$
declare
  taken text[] := array['id', 'geom', 'state', 'lga', 'ward', 'recorded'];
  said text[] := array['Frame id.', 'Outline of the cell, WGS 84.', 'State.', 'Local government area.', 'Ward.',
    'All attributes and their values, texts exactly as stored.'];
  names text[];
  columns text[];
  comments text[];
  shown text;
begin
  select array_agg(name order by place), array_agg(about order by place) into names, comments
  from (
    select name, place, label || coalesce(' (' || unit || ')', '') || '.' as about from attribute where layer_id = layer order by place limit 1500
  ) as attribute;
  columns := analyst_columns(names, taken);
  select string_agg(format(case type
      when 'number' then 'plain_number(baseline_row.recorded ->> %L) as %I'
      else 'baseline_row.recorded ->> %L as %I'
    end, name, columns[n]) || ', ', ' ' order by n) into shown
  from unnest(names) with ordinality as given (name, n)
  join attribute using (name)
  where layer_id = layer;
  -- The version is asked first, by itself: joined, it would have all rows of the dataset read for the smallest box.
  perform analyst_view_put(analyst_name(layer), format($body$
    select frame.frame_id as id, ST_Multi(frame.geom)::geometry(MultiPolygon, 4326) as geom, frame.state, frame.lga, frame.ward,
      %s baseline_row.recorded
    from %I.frame as frame
    join public.baseline_row on baseline_row.frame_id = frame.frame_id
    where baseline_row.version = (select version from public.dataset where layer_id = %L)$body$, shown, index_schema, layer),
    (select name || coalesce(', ' || vintage, '') || coalesce('. ' || description, '') from dataset where layer_id = layer),
    taken || columns, said || comments);
end $$;
comment on function analyst_baseline(text, text) is
  'Makes the view of a baseline: numbers are numeric, and null where the value is no plain number; categories are text. Attributes past the 1,500th are in recorded alone.';
