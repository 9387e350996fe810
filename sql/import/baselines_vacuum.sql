-- baselines_vacuum: gathers statistics of baselines. The planner knows nothing of new rows until then, and on the embedded
-- database no autovacuum does it.
vacuum (analyze) baseline_row, dataset, attribute
