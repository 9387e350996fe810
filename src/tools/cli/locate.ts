/** frames locate: writes the frame of each point of a CSV file beside its row. */
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { counted, noun } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { locatePoints, type LocateJob, type LocateResult } from '../locate/locate.js'
import { refuseUnwritable } from '../load/input-file.js'
import { commandForm, UsageError, type Arguments, commandOfOneForm, type Output } from './command.js'
import { VALUE_OPTIONS, withFrames } from './frame-source.js'
import { anyValue } from './values.js'

const STANDARD = '-'

const locateOptions = {
  lon: {
    value: anyValue('COLUMN', 'the name of a column'),
    description: 'the column of longitudes',
    default: 'lon, lng, longitude or x, in any case',
  },
  lat: {
    value: anyValue('COLUMN', 'the name of a column'),
    description: 'the column of latitudes',
    default: 'lat, latitude or y, in any case',
  },
  ...VALUE_OPTIONS,
  rejected: {
    value: anyValue('FILE', 'the path of a file'),
    description: 'the file for rows without a usable point',
    default: 'OUT.rejected.csv, and rejected.csv for standard output',
  },
} as const

const LOCATE_NOTES = [
  'A point on a shared edge is in the frame of the lowest id, as in GET /v1/frames/at. Coordinates are degrees, WGS 84, with a point for the decimals.',
  'IN is CSV in UTF-8 with a line of names. Commas, semicolons, tabs and bars are recognised. GeoPackage, Shapefile and GeoJSON are refused with the line of ogr2ogr that makes CSV of them. OUT has each row as it was, in the same order, and then frame_id. With --with-units come state, stateCode, lga, lgaCode, ward, wardCode, zone and zoneCode, and with --data a column for each attribute that the datasets record on these frames. If the file has a column of that name already, "frame" or the id of the dataset comes before it (frame_state). A point off the grid has an empty frame_id.',
  'The rows of IN are copied byte for byte: the guard against formulas is for the columns that are added.',
  'A row without a usable point is not in OUT. The file of rejected rows has it, with its line and the reason, and the exit status is 1.',
  'The command reads the database (DATABASE_URL, or the embedded one). For values, --org names the organisation that reads, or --key the id of its key: what it owns or may read at no cost. A dataset with a price is refused: a program reads it through the API, as the client in clients/python does.',
  'OUT appears when it is whole; until then its parts are in the folder OUT.part. Standard output gets the rows at the end.',
]

export const locateCommand = commandOfOneForm(
  'find the frame of each point of a CSV file',
  commandForm({
    description: 'Writes the frame of each point of a CSV file beside its row.',
    operands: [
      { value: anyValue('IN', 'the path of a CSV file, or - for standard input'), description: 'the points' },
      { value: anyValue('OUT', 'the path of a file, or - for standard output'), description: 'the rows with frames' },
    ],
    options: locateOptions,
    notes: LOCATE_NOTES,
    run: async (config, { operands: [input, output], options: given }, print) => {
      const rejected = rejectedFile(given, output)
      checkFiles(input, output, rejected, print)
      const result = await withFrames(config, given, (db, layers) => {
        const job: LocateJob = {
          input: input === STANDARD ? process.stdin : input,
          output,
          rejected,
          columns: { lon: given.lon, lat: given.lat },
          units: given['with-units'],
          guards: !given['no-formula-guard'],
          layers,
        }
        return (output === STANDARD ? locateToStandard : locatePoints)(db, job, print.progress)
      })
      const report = locateReport(result)
      if (output === STANDARD) print.progress(report)
      else print.result(result, report)
      if (result.rejectedFile !== undefined) {
        throw new Error(
          `${result.rejected} of ${counted(result.rows, 'row')} ${noun(result.rejected, 'has', 'have')} no usable point: see ${result.rejectedFile}.`,
        )
      }
    },
  }),
)

type LocateOptions = Arguments<[], typeof locateOptions>['options']

function checkFiles(input: string, output: string, rejected: string, { json }: Output): void {
  for (const file of [output, rejected]) refuseUnwritable(file)
  if (output === STANDARD && json) throw new UsageError('--json: standard output gets the rows already. Name a file.')
  for (const [names, one, other] of [
    ['IN and OUT', input, output],
    ['IN and the file of rejected rows', input, rejected],
    ['OUT and the file of rejected rows', output, rejected],
  ] as const)
    if (one !== STANDARD && isSameFile(one, other)) throw new UsageError(`${names} are one file: name another.`)
}

/** Two names may lead to one file, through a link. */
function isSameFile(one: string, other: string): boolean {
  const [first, second] = [one, other].map((path) => statSync(path, { throwIfNoEntry: false }))
  if (first && second) return first.dev === second.dev && first.ino === second.ino
  return resolve(one) === resolve(other)
}

const rejectedFile = ({ rejected }: LocateOptions, output: string): string =>
  rejected ?? (output === STANDARD ? 'rejected.csv' : `${output.replace(/\.csv$/i, '')}.rejected.csv`)

/** Standard output gets its rows once all are there: a run that fails writes none. */
async function locateToStandard(db: Database, job: LocateJob, progress: Output['progress']): Promise<LocateResult> {
  const folder = mkdtempSync(join(tmpdir(), 'frames-locate-'))
  try {
    const output = join(folder, 'rows.csv')
    const result = await locatePoints(db, { ...job, output }, progress)
    await pipeline(createReadStream(output), process.stdout, { end: false })
    return { ...result, file: 'standard output' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const locateReport = ({ file, rows, located, outside, rejected, seconds, values = [] }: LocateResult): string =>
  [
    `${file}: ${counted(rows, 'row')}, ${located} located, ${outside} off the grid, ${rejected} rejected, in ${seconds} s.`,
    ...values.map(({ layerId, rows: some }) => `${layerId} has values for ${counted(some, 'row')}.`),
  ].join('\n')
