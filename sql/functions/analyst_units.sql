-- analyst_units: makes the views of frames, units, and the frames of features.
--   index_schema  the schema of the frame index that they read: public, or staging just before a switch
create or replace function analyst_units(index_schema text) returns void
  language plpgsql as $$
begin
  perform analyst_view_put('frame', format($body$
    select frame_id, ST_Multi(geom)::geometry(MultiPolygon, 4326) as geom, state, state_code, lga, lga_code, ward, ward_code,
      zone, zone_code, ST_XMin(geom) as min_lon, ST_YMin(geom) as min_lat, ST_XMax(geom) as max_lon, ST_YMax(geom) as max_lat, area_km2 as km2
    from %I.frame$body$, index_schema),
    'Frames, one row a cell.',
    array['frame_id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'ward', 'ward_code', 'zone', 'zone_code',
      'min_lon', 'min_lat', 'max_lon', 'max_lat', 'km2'],
    array['The frame.', 'Outline of the cell, WGS 84.', 'State.', 'Code of the state.', 'Local government area.', 'Code of the area.',
      'Ward.', 'Code of the ward.', 'Zone.', 'Code of the zone.', 'Western edge, degrees.', 'Southern edge, degrees.',
      'Eastern edge, degrees.', 'Northern edge, degrees.', 'Area in square kilometres, on the ellipsoid.']);
  perform analyst_view_put('state', format($body$
    select area.unit_id as id, area.geom, state.state, state.state_code, state.zone, state.zone_code, state.frames, area.area_km2 as km2
    from %I.unit_area as area
    join %1$I.state as state on state.state = area.state
    where area.lga is null$body$, index_schema),
    'States, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'zone', 'zone_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State.', 'Its code.', 'Zone it lies in.', 'Code of the zone.',
      'Frames in it.', 'Area in square kilometres, on the ellipsoid.']);
  perform analyst_view_put('lga', format($body$
    select area.unit_id as id, area.geom, lga.state, state.state_code, lga.lga, lga.lga_code, lga.frames, area.area_km2 as km2
    from %I.unit_area as area
    join %1$I.lga as lga on lga.state = area.state and lga.lga = area.lga
    join %1$I.state as state on state.state = area.state
    where area.lga is not null and area.ward is null$body$, index_schema),
    'Local government areas, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State it lies in.', 'Code of the state.', 'Name of the area.',
      'Its code.', 'Frames in it.', 'Area in square kilometres, on the ellipsoid.']);
  perform analyst_view_put('ward', format($body$
    select area.unit_id as id, area.geom, ward.state, state.state_code, ward.lga, lga.lga_code, ward.ward, ward.ward_code, ward.frames, area.area_km2 as km2
    from %I.unit_area as area
    join %1$I.ward as ward on ward.state = area.state and ward.lga = area.lga and ward.ward = area.ward
    join %1$I.lga as lga on lga.state = area.state and lga.lga = area.lga
    join %1$I.state as state on state.state = area.state
    where area.ward is not null$body$, index_schema),
    'Wards, each the union of its frames.',
    array['id', 'geom', 'state', 'state_code', 'lga', 'lga_code', 'ward', 'ward_code', 'frames', 'km2'],
    array['Number of the unit in this index.', 'Its land, WGS 84.', 'State it lies in.', 'Code of the state.',
      'Local government area it lies in.', 'Code of the area.', 'Name of the ward.', 'Its code.', 'Frames in it.',
      'Area in square kilometres, on the ellipsoid.']);
  -- Left joins on whole keys: PostgreSQL leaves a table out whose columns are not asked for.
  perform analyst_view_put('feature_frame', format($body$
    select dataset.layer_id, pair.feature_no as id, feature.feature_id, pair.frame_id, frame.state, frame.lga, frame.ward,
      round(pair.extent::numeric / 1000000, 6) as extent
    from public.dataset
    join %I.feature_frame as pair on pair.version = dataset.version
    left join public.feature on feature.version = pair.version and feature.feature_no = pair.feature_no
    left join %1$I.frame as frame on frame.frame_id = pair.frame_id$body$, index_schema),
    'Features and the frames that they intersect, one row a pair. Its key is layer_id, id and frame_id together.',
    array['layer_id', 'id', 'feature_id', 'frame_id', 'state', 'lga', 'ward', 'extent'],
    array['The dataset of the feature.', 'Number of the feature, as in the view of its dataset.', 'Id of the feature, as it came.',
      'The frame.', 'State of the frame.', 'Local government area of the frame.', 'Ward of the frame.',
      'The length of a line inside the frame in km, or the area of a polygon in km²; null for a point.']);
end $$;
comment on function analyst_units(text) is 'Makes the views of frames and units, over the index in a schema: public, or staging just before it moves there.';
revoke execute on function analyst_units from public;
