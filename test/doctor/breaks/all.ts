import type { Break } from './break.js'
import { datasetsBreaks } from './datasets.js'
import { framesBreaks } from './frames.js'
import { ledgerBreaks } from './ledger.js'
import { peopleBreaks } from './people.js'
import { schemaBreaks } from './schema.js'
import { upkeepBreaks } from './upkeep.js'

/** Checks of one subject look at the same rows. */
const DATASETS: Record<string, string> = {
  features_joined: 'features',
  distances_kept: 'features',
  dataset_items: 'features',
  classes_kept: 'features',
  unit_frames: 'features',
  totals_missing: 'totals',
  totals_add_up: 'totals',
  baseline_totals: 'totals',
  intervals_kept: 'totals',
}

const alone = (one: Break): Break => ({ ...one, isAlone: true })

/** Breaks that may share a round, in the order of their rounds. */
export const breaks: readonly Break[][] = [
  // The owner of an object that was given to another is changed by a superuser.
  schemaBreaks.map((one) => (one.check === 'schema' ? { ...one, asAdmin: true } : one)),
  [
    ...upkeepBreaks,
    ...datasetsBreaks
      .filter(({ check }) => check !== 'analyst_views')
      // Features that were moved have right totals once those of all datasets were made anew. Arrays follow every row.
      .map((one) =>
        ['feature_totals', 'arrays_kept'].includes(one.check) ? alone(one) : { ...one, subject: DATASETS[one.check] },
      ),
    ...ledgerBreaks,
    ...peopleBreaks,
  ],
  // Most checks of frames look at the same rows.
  framesBreaks.map((one) => (['unit_areas', 'units_counted', 'frame_runs'].includes(one.check) ? one : alone(one))),
  // They leave an attribute behind that has no totals.
  datasetsBreaks.filter(({ check }) => check === 'analyst_views'),
]
