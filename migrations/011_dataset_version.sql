-- Up Migration

-- One version belongs to one dataset: where two had the same, each would be answered with the rows of both.

do $$
declare
  shared record;
begin
  select version, string_agg(layer_id, ', ' order by layer_id) as layers into shared
  from dataset group by version having count(*) > 1 order by version limit 1;
  if found then
    raise exception 'these datasets share version %: %', shared.version, shared.layers
      using hint = 'Import each of them again with the program that made them, then migrate.';
  end if;
end $$;

-- The table has one row for each dataset: the locks that these statements take last a moment.
-- squawk-ignore require-concurrent-index-deletion
drop index dataset_version_idx;
-- squawk-ignore constraint-missing-not-valid, disallowed-unique-constraint
alter table dataset add constraint dataset_version_once unique (version);
comment on index dataset_version_once is 'The dataset that rows belong to: no two have one version.';

-- A dump of the table now carries the state of its sequence.
alter sequence dataset_version owned by dataset.version;
