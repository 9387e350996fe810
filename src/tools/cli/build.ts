/** frames build: makes a new index from an outline and wards. */
import { build } from '../load/build.js'
import { form, required, type Command } from './command.js'
import { dryRun } from './import.js'
import { buildReport } from './load-report.js'
import { onDatabase } from './open-database.js'
import { anyValue } from '../../core/values.js'

export const buildCommand: Command = {
  summary: 'build the index: a grid over the outline, each frame in a ward',
  form: form({
    description: 'Builds a new index beside the one that is being served, and switches to it at the end.',
    args: {
      outline: required(anyValue('FILE', 'GeoJSON, or CSV with wkt'), 'the outline of the country'),
      wards: required(
        anyValue('FILE', 'GeoJSON, a JSON array of rows, or CSV with wkt or with lon and lat'),
        'the wards, as points or polygons, with the names of their states and areas',
      ),
      'dry-run': dryRun,
    },
    run: onDatabase(
      (db, { 'dry-run': isDryRun, ...files }, output) => build(db, files, output.progress, isDryRun),
      buildReport,
    ),
  }),
}
