import type { Break } from './break.js'
import { datasetsBreaks } from './datasets.js'
import { framesBreaks } from './frames.js'
import { ledgerBreaks } from './ledger.js'
import { peopleBreaks } from './people.js'
import { schemaBreaks } from './schema.js'
import { upkeepBreaks } from './upkeep.js'

export const breaks = [
  // The owner of an object that was given to another is changed by a superuser.
  ...schemaBreaks.map((one): Break => (one.check === 'schema' ? { ...one, asAdmin: true } : one)),
  ...upkeepBreaks,
  // Most checks of frames look at the same rows.
  ...framesBreaks.map((one): Break => ({ ...one, isAlone: true })),
  ...datasetsBreaks.map((one): Break => ({ ...one, subject: 'datasets' })),
  ...ledgerBreaks.map((one): Break => ({ ...one, subject: 'ledger' })),
  ...peopleBreaks,
]
