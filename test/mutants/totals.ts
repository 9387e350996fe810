/** `npm run test:mutants` tries these mutants of the totals of units, too, with LONG=1. */
import type { Mutant } from './mutant.js'

const sums = { tests: ['totals/frames'], grep: 'equal the sum' }

export const totalMutants: Mutant[] = [
  {
    breaks: 'a weighted mean of a unit leaves the weights out',
    file: 'sql/functions/total_lists.sql',
    from: 'sum(row.a%1$s * %2$s) filter (where %2$s > 0) as t%1$s',
    to: 'sum(row.a%1$s) filter (where %2$s > 0) as t%1$s',
    ...sums,
  },
  {
    breaks: 'frames without a value count as recorded',
    file: 'sql/functions/total_lists.sql',
    from: "format('count(row.a%s) as r%1$s', n)",
    to: "format('count(*) as r%1$s', n)",
    ...sums,
  },
  {
    breaks: 'the mean of a unit is divided by a constant',
    file: 'sql/functions/totals_of_baseline.sql',
    from: "when 'mean' then whole.total / whole.recorded",
    to: "when 'mean' then whole.total / 2",
    ...sums,
  },
  {
    breaks: 'wards of one name in two states are one unit',
    file: 'sql/functions/frame_units_keep.sql',
    from: 'on home.state = frame.state and home.lga',
    to: 'on home.lga',
    tests: ['totals/imports'],
    grep: 'two states apart',
  },
  {
    breaks: 'a block begins where its frames have their corner, one frame too far',
    file: 'sql/functions/frame_units_keep.sql',
    from: 'block_at((ST_XMin(frame.geom) + ST_XMax(frame.geom)) / 2, ',
    to: 'block_at(ST_XMax(frame.geom) + 0.001, ',
    ...sums,
  },
  {
    breaks: 'the commonest class is the rarest',
    file: 'sql/functions/totals_of_baseline.sql',
    from: 'frames desc, class',
    to: 'frames, class',
    ...sums,
  },
  {
    breaks: 'blocks have no total',
    file: 'sql/functions/totals_of_baseline.sql',
    from: `cross join lateral unnest(coalesce(home.within, '{0}') || part.block_id) as unit (unit_id)
      group by unit.unit_id$q$, list.wholes)`,
    to: `cross join lateral unnest(coalesce(home.within, '{0}')) as unit (unit_id)
      group by unit.unit_id$q$, list.wholes)`,
    tests: ['totals/frames'],
    grep: 'equal the sum|add up',
  },
  {
    breaks: 'a feature on several frames counts once for each piece of a unit',
    file: 'sql/functions/totals_of_features.sql',
    from: 'where not step.follows or unit.unit_id <> all',
    to: 'where true or unit.unit_id <> all',
    ...sums,
  },
  {
    breaks: 'a feature on several frames of a block counts once for each',
    file: 'sql/functions/totals_of_features.sql',
    from: 'select distinct feature_no, block_id from total_pair',
    to: 'select feature_no, block_id from total_pair',
    ...sums,
  },
  {
    breaks: 'the lengths and areas of a unit are those of its frames counted twice',
    file: 'sql/functions/totals_of_features.sql',
    from: 'select home_id, block_id, count(*) as frames, sum(extent) as extent from total_frame',
    to: 'select home_id, block_id, count(*) as frames, 2 * sum(extent) as extent from total_frame',
    ...sums,
  },
  {
    breaks: 'an import keeps the totals of the version before',
    file: 'sql/functions/totals_keep.sql',
    from: 'delete from unit_total where version = served.version',
    to: 'return',
    tests: ['totals/imports'],
  },
  {
    breaks: 'features are added up without statistics of their version',
    file: 'sql/functions/totals_of_features.sql',
    from: 'analyze feature_frame (version, feature_no);',
    to: '',
    tests: ['totals/plans'],
  },
  {
    breaks: 'a frame inside a polygon has a tenth of its area',
    file: 'sql/functions/totals_of_features.sql',
    from: 'then frame.area_km2::float8 * 1e6',
    to: 'then frame.area_km2::float8 * 1e5',
    ...sums,
  },
  {
    breaks: 'a shape that a box cut wrongly is not cut again',
    file: 'sql/functions/totals_of_features.sql',
    from: 'abs(inside.planar - whole.planar) > 1e-9',
    to: 'abs(inside.planar - whole.planar) > 1e9',
    tests: ['totals/imports'],
    grep: 'on the edge of two frames',
  },
  {
    breaks: 'a new index keeps no units of its frames',
    file: 'sql/functions/units_keep.sql',
    from: 'perform frame_units_keep();',
    to: '',
    tests: ['totals/imports'],
  },
]
