-- unit_class: the class of a value that several units have as their name: "OLD MARKET of KIRIN GATE, MAREMBE".
--   value  one of attribute.shared
--   level  attribute.repeats: lga or ward
--   id     the frame that records it
-- A value that is not the name of the frame's own unit stays as it is.
create or replace function unit_class(value text, level text, id bigint) returns text
  language sql stable parallel safe as $$
  select coalesce((
    select value || ' of ' || case level when 'ward' then lga || ', ' else '' end || state
    from frame
    where frame_id = id and fold_name(value) = case level when 'ward' then ward else lga end
  ), value)
$$;
comment on function unit_class(text, text, bigint) is 'The class of a value that several units have as their name: the units above tell them apart.';
