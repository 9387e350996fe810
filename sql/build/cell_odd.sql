-- cell_odd: makes the table of the cells that the area of no ward holds, and of those that several hold.
create unlogged table staging.cell_odd (frame_id bigint, state text, lga text, ward text, is_held boolean)
