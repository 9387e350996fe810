-- figure_checked: refuses a figure, or a part of one, that is wrong: a sentence says what came, and what is accepted.
--   kind    figure, measure, filter, subject, groups or bounds
--   asked   the JSON
--   things  what the measure around a filter, a subject or groups measures: frames, a dataset of features, or units
create or replace function figure_checked(kind text, asked jsonb, things text) returns boolean
  language plpgsql stable as $$
declare
  -- the members of each kind, with the kinds of their values or the texts that are right
  kinds constant jsonb := '{
    "figure": {"of": "measure", "op": ["sum", "difference", "ratio", "percent", "change"], "to": "measure", "times": "a number", "by": "groups", "toBy": "groups",
      "having": "bounds", "order": ["highest", "lowest"], "n": "a whole number from 1", "nth": "a whole number from 1", "list": "a whole number from 1",
      "inEach": ["state", "lga"]},
    "measure": {"things": "\"frames\", \"state\", \"lga\", \"ward\" or a dataset of features", "place": "a place", "among": "filter of frames", "where": "filter",
      "subject": "subject", "how": ["count", "sum", "mean", "weighted_mean", "median", "quantile", "min", "max", "distinct", "mode"], "weight": "subject",
      "at": "a number from 0 to 1"},
    "groups": {"level": ["state", "lga", "ward"], "class": "subject", "bands": "a list of numbers", "of": "subject", "each": "true"},
    "subject": {"of": "\"frames\" or a dataset", "name": "a text", "where": "filter of features", "extent": "true", "figure": "figure"},
    "bounds": {"above": "a number", "atLeast": "a number", "below": "a number", "atMost": "a number", "equals": "a number"},
    "all": {"all": "a list of filters"}, "any": {"any": "a list of filters"}, "not": {"not": "filter"}, "in": {"in": "a place"}, "on": {"on": "filter of frames"},
    "near": {"near": "a dataset of features", "where": "filter of features", "metres": "a number from 0"},
    "units": {"units": ["state", "lga", "ward"], "named": "a list of texts", "figure": "figure", "is": "a list of texts"},
    "test": {"is": "a list of texts", "has": "a text", "recorded": "true", "minus": "subject"}
  }'::jsonb;  -- without the cast each call would read the text
  tests constant text[] := '{above,atLeast,below,atMost,equals,is}'::text[];
  form text := kind;
  members jsonb;
  own text := case kind when 'measure' then coalesce(asked ->> 'things', 'frames') else things end;
  how text := coalesce(asked ->> 'how', 'count');
  -- no statement lists the members: one takes as long as all else here
  names jsonb;
  member text;
  value jsonb;
  rule text;
  accepted text;
  -- an assignment calls a function in half the time of "perform"
  is_right boolean;
begin
  if jsonb_typeof(asked) is distinct from 'object' then
    perform refuse_part(kind, asked, 'an object');
  elsif kind = 'filter' then
    form := case when asked ? 'all' then 'all' when asked ? 'any' then 'any' when asked ? 'not' then 'not' when asked ? 'in' then 'in' when asked ? 'on' then 'on'
      when asked ? 'near' then 'near' when asked ? 'units' then 'units' else 'test' end;
  end if;
  names := jsonb_path_query_array(asked, '$.keyvalue().key');
  members := kinds -> form || case when form in ('units', 'test') then kinds -> 'bounds' else '{}' end
    || case when form = 'test' then (kinds -> 'subject') - 'figure' else '{}' end;
  for place in 0 .. jsonb_array_length(names) - 1 loop
    member := names ->> place;
    value := asked -> member;
    rule := members ->> member;
    if rule is null then
      perform refuse_part('member of ' || form, to_jsonb(member), 'one of ' || (select string_agg(key, ', ') from jsonb_object_keys(members) as key));
    elsif rule = 'groups' then
      continue when value = 'null';
      is_right := figure_checked(rule, value, coalesce(asked #>> '{of,things}', 'frames'));
    elsif rule = 'a list of filters' and jsonb_typeof(value) = 'array' then
      for part in 0 .. jsonb_array_length(value) - 1 loop
        is_right := figure_checked('filter', value -> part, own);
      end loop;
    elsif rule in ('figure', 'measure', 'bounds', 'subject', 'filter', 'filter of frames', 'filter of features') then
      is_right := figure_checked(split_part(rule, ' ', 1), value, case
        when rule = 'filter of features' then coalesce(asked ->> 'near', asked ->> 'of', own)
        when rule = 'filter of frames' or rule = 'filter' and own in ('state', 'lga', 'ward') then 'frames'
        else own
      end);
    else
      accepted := part_accepted(members -> member, value);
      if accepted is not null then
        perform refuse_part(member, value, accepted);
      end if;
    end if;
  end loop;
  if kind = 'figure' then
    if not asked ? 'of' then
      perform refuse_part('of', null, 'a measure');
    elsif asked ? 'to' <> asked ? 'op' then
      perform refuse_part('op and to', case when asked ? 'to' then asked -> 'to' else asked -> 'op' end, 'both or neither');
    end if;
  elsif kind = 'measure' then
    if not asked ? 'place' then
      perform refuse_part('place', null, 'a list such as ["unit", "kano"]');
    elsif how = 'weighted_mean' and not asked ? 'weight' then
      perform refuse_part('weight', null, 'a subject');
    elsif how = 'quantile' and not asked ? 'at' then
      perform refuse_part('at', null, 'a number from 0 to 1');
    elsif how <> 'count' or asked ? 'subject' then
      is_right := subject_checked(own, asked -> 'subject', case when how in ('mode', 'distinct') then 'category' when how <> 'count' then 'number' end);
    end if;
    if asked ? 'weight' then
      is_right := subject_checked(own, asked -> 'weight', 'number');
    end if;
  elsif kind = 'groups' then
    if not asked ?| '{level,class,bands,each}' then
      perform refuse_part('by', asked, 'level, class, bands or each');
    elsif asked ? 'class' then
      is_right := subject_checked(own, asked -> 'class', 'category');
    elsif asked ? 'bands' then
      is_right := subject_checked(own, asked -> 'of', 'number');
    end if;
  elsif form = 'near' and not asked ? 'metres' then
    perform refuse_part('metres', null, 'a number from 0');
  elsif form = 'units' then
    if not asked ?| '{named,figure}' then
      perform refuse_part('figure', null, 'a figure, or "named"');
    elsif asked ? 'figure' and not asked ?| tests then
      perform refuse_part('test', null, 'one of ' || array_to_string(tests, ', '));
    end if;
  elsif form = 'test' then
    if not asked ?| (tests || '{has,recorded}') then
      perform refuse_part('test', asked, 'one of ' || array_to_string(tests, ', ') || ', has, recorded');
    end if;
    is_right := subject_checked(own, asked, case when asked ?| '{is,has}' then 'category' when not asked ? 'recorded' then 'number' end);
    if asked ? 'minus' then
      is_right := subject_checked(own, asked -> 'minus', 'number');
    end if;
  end if;
  return true;
end $$;
comment on function figure_checked(text, jsonb, text) is 'Refuses a figure, or a part of one, that is wrong.';
