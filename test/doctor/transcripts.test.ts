import { readFileSync } from 'node:fs'
import { rectangle } from '../load/files.js'
import { importGrid } from '../load/imports.js'
import { fixture } from '../support/service.js'
import { plays } from '../support/transcript.js'

plays('doctor/imports', importGrid)
plays('doctor/doctor', 'datasets', {
  'outline.geojson': JSON.stringify(rectangle(20, 10, 25, 15)),
  'wards.json': readFileSync(fixture('wards.json'), 'utf8'),
})
