import { importGrid } from '../load/imports.js'
import { plays } from '../support/transcript.js'
import { undoMigrations } from './undo-migrations.js'

plays('cli/datasets', importGrid)
plays('cli/people', 'shared')
plays('cli/load-demo', 'datasets')
plays('cli/upgrades', 'datasets', {}, { undo: undoMigrations('020') })
plays('cli/what-if', 'shared')
