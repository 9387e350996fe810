-- thing_name: the id of a frame, or the name of a feature or a unit; a feature without a name has its id.
--   things  frames, or a dataset of features, or state, lga or ward
--   n       the number of the frame in frame_order, feature_no - 1 of the feature, or unit_id
create or replace function thing_name(things text, n int) returns text
  language sql stable parallel safe as $$
  select case when things = 'frames' then (
    select numbers[n % 1024 + 1]::text from value_array where version = 0 and value_array.name = 'frame_id' and chunk = n / 1024
  ) when things in ('state', 'lga', 'ward') then (
    select array_to_string(array[ward, lga, state], ', ') from unit where unit_id = n
  ) else (
    select coalesce(nullif(btrim(readable_json(properties) ->> 'name'), ''), feature_id)
    from feature
    where version = (select version from dataset where layer_id = things) and feature_no = n + 1
  ) end
$$;
comment on function thing_name(text, int) is 'The id of a frame, or the name of a feature or a unit.';
