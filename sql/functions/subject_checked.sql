-- subject_checked: refuses a subject that nothing records, or whose values are of another type.
--   things   frames, a dataset of features, or state, lga or ward
--   subject  as values_of_things reads it; of units {"figure": ...}
--   type     number or category; null for either
create or replace function subject_checked(things text, subject jsonb, type text) returns boolean
  language plpgsql stable as $$
declare
  layer text := coalesce(subject ->> 'of', things);
  own text := case when layer <> 'frames' then (select dataset.kind from dataset where layer_id = layer) end;
  named text := subject ->> 'name';
  found text;
  accepted text;
begin
  if things in ('state', 'lga', 'ward') then
    found := case when subject #>> '{figure,of,how}' = 'mode' then 'category' when subject ? 'figure' then 'number' end;
    accepted := '{"figure": ...} of units';
  elsif layer = 'frames' then
    found := case when named in ('geom', 'frame_id') then 'number' end;
    accepted := '{"of": a dataset, "name": an attribute}';
  elsif subject ? 'extent' or own <> 'frames' and things <> layer and named is null then
    found := case when not subject ? 'extent' or own in ('lines', 'polygons') then 'number' end;
    accepted := 'the extent of lines or polygons';
  elsif own = 'frames' then
    select attribute.type into found from attribute where layer_id = layer and name = named;
  else
    select property.type into found from property where layer_id = layer and name = named;
  end if;
  if found is null or found <> type then
    perform refuse_part(coalesce('subject of type ' || found, 'subject'), subject, coalesce(accepted, (
      select 'one of ' || string_agg(to_json(name)::text, ', ' order by place) || case when max(known) > 20 then ', ...' else '' end || ' of ' || layer
      from (
        select name, row_number() over (order by name collate "C") as place, count(*) over () as known
        from (select layer_id, name, attribute.type from attribute union all select layer_id, name, property.type from property) as listed (layer_id, name, of_type)
        where layer_id = layer and of_type = coalesce(subject_checked.type, of_type)
      ) as shown
      where place <= 20
    ), 'no other of ' || layer));
  end if;
  return true;
end $$;
comment on function subject_checked(text, jsonb, text) is 'Refuses a subject that nothing records, or whose values are of another type.';
