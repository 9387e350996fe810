import { datasetsBreaks } from './datasets.js'
import { framesBreaks } from './frames.js'
import { ledgerBreaks } from './ledger.js'
import { peopleBreaks } from './people.js'
import { schemaBreaks } from './schema.js'
import { upkeepBreaks } from './upkeep.js'

export const breaks = [
  ...schemaBreaks,
  ...upkeepBreaks,
  ...framesBreaks,
  ...datasetsBreaks,
  ...ledgerBreaks,
  ...peopleBreaks,
]
