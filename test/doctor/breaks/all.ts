import type { Break } from './break.js'
import { datasetsBreaks } from './datasets.js'
import { framesBreaks } from './frames.js'
import { ledgerBreaks } from './ledger.js'
import { peopleBreaks } from './people.js'
import { schemaBreaks } from './schema.js'
import { upkeepBreaks } from './upkeep.js'

export const breaks = [
  ...schemaBreaks,
  ...upkeepBreaks,
  // Most checks of frames look at the same rows.
  ...framesBreaks.map((one): Break => ({ ...one, isAlone: true })),
  ...datasetsBreaks,
  ...ledgerBreaks,
  ...peopleBreaks,
]
