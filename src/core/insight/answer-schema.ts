/** Holds parts of an answer that comes back to openapi.yaml: people edit files, and agents write JSON. */
import { Ajv } from 'ajv'
import { objectAt } from '../openapi.js'
import type { Source } from '../figures/index.js'
import type { Notes } from './notes.js'

const described = new Ajv({ strict: false }).addSchema({ $id: 'openapi', components: objectAt('components') })
const checkOf = <Part>(name: string) => described.compile<Part>({ $ref: `openapi#/components/schemas/${name}` })

export const areNotes = checkOf<Notes>('Notes')
export const isSource = checkOf<Source>('Source')
