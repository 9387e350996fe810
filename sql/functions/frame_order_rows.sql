-- frame_order_rows: what table frame_order has: the frames in the order of their lowest units, with a point inside each.
-- The numbers of units grow in the order of a tree, so the frames of a unit and of those in it follow one another.
create or replace function frame_order_rows() returns table (number int, frame_id bigint, spot geometry)
  language sql stable as $$
  select (row_number() over (order by frame_unit.home_id nulls last, frame_id))::int - 1, frame_id, ST_PointOnSurface(frame.geom)
  from frame_unit
  join frame using (frame_id)
  order by 1
$$;
comment on function frame_order_rows() is 'What table frame_order has: the frames in the order of their lowest units.';
