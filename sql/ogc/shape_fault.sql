-- shape_fault: a sentence that says why a shape cannot select anything, and the place of the fault; null where it can.
--   $1 wkt  text
--   $2 crs  int   as shape_in takes it
-- budget: buffers <= 20, rows read <= 1
-- example: 'POLYGON((0 0,1 1,1 0,0 1,0 0))', 84
-- Reads no table.
-- null: fault
select shape_fault(shape_in($1::text, $2::int)) as fault
