import type { Break } from './break.js'
import { datasetsBreaks } from './datasets.js'
import { framesBreaks } from './frames.js'
import { ledgerBreaks } from './ledger.js'
import { peopleBreaks } from './people.js'
import { schemaBreaks } from './schema.js'
import { upkeepBreaks } from './upkeep.js'

export const breaks = [
  // A trigger of the ledger is off while a break of the ledger is carried out.
  ...schemaBreaks.map((one): Break => (one.check === 'triggers_missing' ? { ...one, subject: 'ledger' } : one)),
  ...upkeepBreaks,
  // Most checks of frames look at the same rows.
  ...framesBreaks.map((one): Break => ({ ...one, isAlone: true })),
  ...datasetsBreaks.map((one): Break => ({ ...one, subject: 'datasets' })),
  ...ledgerBreaks.map((one): Break => ({ ...one, subject: 'ledger' })),
  ...peopleBreaks,
]
