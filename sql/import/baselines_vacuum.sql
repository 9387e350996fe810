-- baselines_vacuum: gathers statistics of baselines, for the planner, and marks pages as all-visible.
-- Nothing else does it on the embedded database, which has no autovacuum.
vacuum (analyze) baseline_row, value_row, unit_total, value_array, block_class, attribute_spread, frame_interval, unit_interval, dataset, attribute
