/** A derived table is its definition: imports fill it by a function, and the doctor holds it against the same function. */
import type { Check } from './check.js'

type Derived = {
  /** Begins the sentence of a finding; %s is the dataset. */
  says: string
  /** Names a row: expressions in the columns of the table. */
  key: string
  /** Selects the rows by their definition, and those of the table. The first column is the dataset, or null. */
  made?: string
  kept?: string
  /** Makes the rows anew from the definition; %L is the dataset. */
  fix?: string
  /** Without these indexes the definition takes hours instead of moments. */
  index?: string
}

const quoted = (text: string) => `'${text.replaceAll("'", "''")}'`

/** A check of one table, or of several, each with the rows that its function <table>_rows defines unless it says otherwise. */
const heldToDefinition = (name: string, tables: Record<string, Derived>): Pick<Check, 'name' | 'text'> => ({
  name,
  text: [
    `-- ${name}: rows that are not those of their definition.`,
    Object.entries(tables).map(statementOf).join('union all\n'),
  ].join('\n'),
})

/** A finding for each dataset. Where the check reads a sample, $1 is its percentage, $2 a seed that draws it. */
function statementOf([table, derived]: [table: string, derived: Derived]): string {
  const {
    says,
    key,
    made = `select null::text as layer, made.* from ${table}_rows() as made`,
    kept = `select null::text as layer, kept.* from ${table} as kept`,
    fix = `select derived_keep('${table}');`,
    index,
  } = derived
  const whole = `begin;\n${fix}\nupdate index_generation set generation = generation + 1;\ncommit;`
  return `${index === undefined ? '' : `-- index: ${index}\n`}(with made as materialized (
  ${made}
), kept as materialized (
  ${kept}
), differing as (
  (table made except all table kept) union all (table kept except all table made)
)
select 'wrong' as severity,
  format(${quoted(says)}, layer) || ': ' || count(distinct key) || ', such as ' || min(key) || '.' as what,
  format(${quoted(whole)}, layer) as fix
from (select layer, concat_ws(' ', ${key}) as key from differing) as named
group by layer
order by layer)
`
}

const UNIT =
  "case level when 'country' then 'the country' else concat_ws(' ', level, concat_ws(', ', ward, lga, state, block)) end"
const OF_UNIT = `'of', (select ${UNIT} from unit where unit.unit_id = differing.unit_id)`
/** Null for all units. */
const DRAWN = '(select units_drawn($1::float8, $2::int, $3::int))::bigint[]'
const TOTALS_AGAIN = `select derived_keep('frame_order');
select arrays_keep('frames');
select totals_keep(layer_id) from dataset;`

export const unitsCounted = heldToDefinition('units_counted', {
  unit_counts: {
    says: 'Units that tables state, lga and ward are wrong about',
    key: UNIT.replace(', block', ''),
    kept: `select null::text as layer, 'state' as level, state, null as lga, null as ward, state_code as code, zone, zone_code, frames from state
    union all
    select null, 'lga', state, lga, null, lga_code, null, null, frames from lga
    union all
    select null, 'ward', state, lga, ward, ward_code, null, null, frames from ward
    union all
    select null, 'country', null, null, null, null, null, null, frames from index_generation`,
    made: 'select null::text as layer, made.* from unit_counts() as made',
    fix: 'select unit_counts_keep();\nupdate index_generation set frames = (select count(*) from frame);',
  },
})

export const unitFrames = heldToDefinition('unit_frames', {
  unit: {
    says: 'Units that table unit is wrong about',
    key: UNIT,
    fix: `select derived_keep('unit');\n${TOTALS_AGAIN}`,
  },
  frame_unit: {
    says: 'Frames that table frame_unit is wrong about',
    key: 'frame_id',
    fix: `select derived_keep('frame_unit');\n${TOTALS_AGAIN}`,
  },
  frame_order: {
    says: 'Frames that table frame_order is wrong about',
    key: 'frame_id',
    fix: TOTALS_AGAIN,
  },
})

export const frameRuns = heldToDefinition('frame_runs', {
  frame_run: { says: 'Runs of frames that table frame_run is wrong about', key: "'the run from frame', first_id" },
})

/** $1 and $2 choose features by their numbers, in both. */
const CHOSEN = 'abs(hashint8extended(feature_no, $2::int) % 10000) < 100 * $1::float8'

export const featuresJoined = heldToDefinition('features_joined', {
  feature_frame: {
    says: 'Places where %s is out of step with the frames',
    key: "'frame', frame_id",
    made: `select layer_id as layer, made.* from dataset
    cross join lateral feature_frame_rows(version, array(select feature_no from feature where feature.version = dataset.version and ${CHOSEN})) as made`,
    kept: `select layer_id as layer, kept.* from dataset join feature_frame as kept using (version) where ${CHOSEN}`,
    fix: `delete from feature_frame where version = (select version from dataset where layer_id = %1$L);
insert into feature_frame select made.* from dataset cross join lateral feature_frame_rows(version) as made where layer_id = %1$L;`,
    index: 'frame_geom_idx, feature_frame_pkey',
  },
})

/** Null for all. */
const CHUNKS = `(case when $1::float8 < 100 then array(
      select chunk from generate_series(0, greatest((select max(number) from frame_order), (select max(items) from dataset)) / 1024) as chunk
      where abs(hashint8extended(chunk, $2::int) % 10000) < 100 * $1::float8
    ) end)::int[]`

const FRAMES = 'abs(hashint8extended(frame_id, $2::int) % 10000) < 100 * $1::float8'

export const arraysKept = heldToDefinition('arrays_kept', {
  value_row: {
    says: 'Rows of %s whose values differ from those of baseline_row',
    key: "'frame', frame_id",
    made: `select layer_id as layer, made.* from dataset
    cross join lateral value_row_rows(layer_id, case when $1::float8 < 100 then array(
      select frame_id from baseline_row where baseline_row.version = dataset.version and ${FRAMES}
    ) end) as made where kind = 'frames'`,
    kept: `select layer_id as layer, kept.* from dataset join value_row as kept using (version) where ${FRAMES}`,
    fix: `delete from value_row where version = (select version from dataset where layer_id = %1$L);\nselect arrays_keep(%1$L);`,
    index: 'baseline_row_pkey, value_row_pkey',
  },
  value_array: {
    says: 'Arrays of %s that differ from its values',
    key: "name, 'chunk', chunk",
    made: `select layer_id as layer, made.* from (select layer_id from dataset union all select 'frames') as every
    cross join lateral value_array_rows(layer_id, ${CHUNKS}) as made`,
    kept: `select layer_id as layer, kept.* from (select layer_id, version from dataset union all select 'frames', 0) as every
    join value_array as kept using (version)
    where ${CHUNKS} is null or chunk in (select unnest(${CHUNKS}))`,
    fix: 'select arrays_keep(%L);',
    index: 'value_array_pkey, value_row_pkey, feature_pkey',
  },
})

const totals = (name: string, kinds: string, index: string) =>
  heldToDefinition(name, {
    unit_total: {
      says: 'Totals of %s that differ from their frames',
      key: `attribute, ${OF_UNIT}`,
      made: `select layer_id as layer, attribute, unit_id, number, classes[1] as class, class_frames[1] as class_frames, recorded, total, weight
    from dataset cross join lateral totals_made(layer_id, ${DRAWN}) as made where ${kinds} and recorded > 0`,
      kept: `select layer_id as layer, attribute, unit_id, number, class, class_frames, recorded, total, weight
    from dataset join unit_total using (version) where ${kinds} and (${DRAWN} is null or unit_id in (select unnest(${DRAWN})))`,
      fix: 'select totals_keep(%L);',
      index,
    },
  })

export const baselineTotals = totals('baseline_totals', "kind = 'frames'", 'baseline_row_pkey, value_array_pkey')
export const featureTotals = totals('feature_totals', "kind <> 'frames'", 'feature_pkey')

export const intervalsKept = heldToDefinition('intervals_kept', {
  unit_interval: {
    says: 'Intervals of %s that differ from the draws of their frames',
    key: `attribute, ${OF_UNIT}`,
    made: `select layer_id as layer, made.* from dataset cross join lateral unit_interval_rows(version, ${DRAWN}) as made
    where layer_id in (select layer_id from attribute where draws is not null)`,
    kept: `select layer_id as layer, kept.* from dataset join unit_interval as kept using (version)
    where ${DRAWN} is null or unit_id in (select unnest(${DRAWN}))`,
    fix: 'select totals_keep(%L);',
    index: 'frame_interval_pkey, unit_interval_pkey',
  },
})
