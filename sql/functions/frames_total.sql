-- frames_total: the total of a subject over frames; a feature on several of the frames counts once.
--   ids      frame ids, each once
--   layer    a dataset, or frames for the index itself
--   subject  as for frame_values
create or replace function frames_total(ids bigint[], layer text, subject text) returns table (total numeric)
  language sql stable parallel safe as $$
  select case
    when layer = 'frames' or (select kind from dataset where layer_id = layer) = 'frames'
      then (select sum(frame_value.number) from frame_values(ids, layer, subject) as frame_value)
    when subject is null then (
      select count(distinct feature_no)
      from dataset
      cross join unnest(ids) as asked (id)
      join feature_frame on feature_frame.version = dataset.version and feature_frame.frame_id = asked.id
      where layer_id = layer
    )
    else (
      select sum(plain_number(readable_json(feature.properties) ->> subject))
      from (
        select distinct feature_frame.version, feature_no
        from dataset
        cross join unnest(ids) as asked (id)
        join feature_frame on feature_frame.version = dataset.version and feature_frame.frame_id = asked.id
        where layer_id = layer
      ) as inside
      join feature using (version, feature_no)
    )
  end
$$;
comment on function frames_total(bigint[], text, text) is 'The total of a subject over frames; a feature on several of the frames counts once.';
