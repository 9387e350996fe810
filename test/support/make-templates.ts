/** Makes the template databases of TEST_DATABASE, where none are kept. */
import { exitOnSignals } from './children.js'
import { templates } from './templates.js'

exitOnSignals()
await templates()
process.exit()
