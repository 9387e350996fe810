-- part_accepted: what is accepted in the place of a value; null where it is right.
--   rule   the kind of the value, as figure_checked names it; or a list of texts, one of which is right
--   value  as it came
create or replace function part_accepted(rule jsonb, value jsonb) returns text
  language plpgsql stable as $$
declare
  wanted text := rule #>> '{}';
  type text := jsonb_typeof(value);
  text text := value #>> '{}';
  number text := '^-?\d+(\.\d+)?([eE][+-]?\d+)?$';
begin
  if jsonb_typeof(rule) = 'array' then
    return case when type <> 'string' or not rule @> value then 'one of ' || btrim(rule::text, '[]') end;
  elsif wanted = 'true' then
    return case when value <> 'true' then wanted end;
  elsif wanted = 'a text' then
    return case when type <> 'string' then wanted end;
  elsif wanted like 'a list%' then
    return case
      when type <> 'array' then wanted
      when wanted = 'a list of texts' and value @? '$[*] ? (@.type() != "string")' then wanted
      when wanted = 'a list of numbers' and value @? '$[*] ? (@.type() != "number" && !(@ like_regex "^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$"))' then wanted
    end;
  elsif wanted = 'a place' then
    return case
      when type <> 'array' or value @? '$[*] ? (@.type() != "string" && @.type() != "number")'
        or case value ->> 0
          when 'unit' then jsonb_array_length(value) > 4
          when 'box' then jsonb_array_length(value) <> 5 or value @? '$[1 to 4] ? (@.type() != "number" && !(@ like_regex "^-?[0-9]+([.][0-9]+)?([eE][+-]?[0-9]+)?$"))'
          when 'shape' then jsonb_array_length(value) <> 2
          else value @? '$[*] ? (@.type() != "number" && !(@ like_regex "^[0-9]{1,18}$"))'
        end
      then 'a place such as ["unit", "kano"], ["box", 8.1, 11.8, 8.9, 12.4], ["shape", a polygon as text] or ids of frames'
    end;
  elsif wanted like '%dataset%' then
    return case
      when type <> 'string' then wanted
      when text = 'frames' and wanted like '%frames%' or text in ('state', 'lga', 'ward') and wanted like '%ward%' then null
      when not exists (select from dataset where layer_id = text and (dataset.kind <> 'frames' or wanted not like '%features')) then wanted
    end;
  elsif type not in ('number', 'string') or text !~ number then
    return wanted;
  end if;
  return case
    when wanted like '% from %' and text::numeric < substring(wanted from 'from (\d)')::numeric then wanted
    when wanted like '% to %' and text::numeric > substring(wanted from 'to (\d)')::numeric then wanted
    when wanted like 'a whole%' and text::numeric % 1 <> 0 then wanted
  end;
end $$;
comment on function part_accepted(jsonb, jsonb) is 'What is accepted in the place of a value of a figure; null where it is right.';
