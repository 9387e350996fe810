/** frames locate: writes the frame of each point of a CSV file beside its row. */
import { createReadStream, mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import type { Config } from '../../server/config.js'
import { counted, noun } from '../../core/counted.js'
import { locatePoints, priceOfLocate, type LocateJob, type LocatePrice, type LocateResult } from '../locate/locate.js'
import { apiLocator, databaseLocator, type Locator } from '../locate/locator.js'
import { priceReport } from '../export/price.js'
import { refuseFolder } from '../load/input-file.js'
import { commandForm, UsageError, type Arguments, type Command, type Output } from './command.js'
import {
  API_OPTIONS,
  apiFrom,
  checkDryRun,
  checkSource,
  DATA_OPTION,
  DRY_RUN_OPTION,
  FORMULA_OPTION,
  layersIn,
  withLayers,
  withPrices,
} from './frame-source.js'
import { anyValue, organisationValue } from './values.js'

const STANDARD = '-'

const options = {
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
  'with-units': { description: 'adds the administrative units of each frame' },
  data: DATA_OPTION,
  'no-formula-guard': FORMULA_OPTION,
  'dry-run': DRY_RUN_OPTION,
  rejected: {
    value: anyValue('FILE', 'the path of a file'),
    description: 'the file for rows without a usable point',
    default: 'OUT.rejected.csv, and rejected.csv for standard output',
  },
  org: {
    value: organisationValue,
    description: 'reads the values of --data as this organisation may',
    default: 'no values',
  },
  ...API_OPTIONS,
} as const

const LOCATE_NOTES = [
  'A point on a shared edge is in the frame of the lowest id, as in GET /v1/frames/at. Coordinates are degrees, WGS 84, with a point for the decimals.',
  'IN is CSV in UTF-8 with a line of names. Commas, semicolons, tabs and bars are recognised. GeoPackage, Shapefile and GeoJSON are refused with the line of ogr2ogr that makes CSV of them. OUT has each row as it was, in the same order, and then frame_id. With --with-units come state, stateCode, lga, lgaCode, ward, wardCode, zone and zoneCode, and with --data a column for each attribute that the datasets record on these frames. If the file has a column of that name already, "frame" or the id of the dataset comes before it (frame_state). A point off the grid has an empty frame_id.',
  'The rows of IN are copied byte for byte: the guard against formulas is for the columns that are added.',
  'A row without a usable point is not in OUT. The file of rejected rows has it, with its line and the reason, and the exit status is 1.',
  'The command reads the database (DATABASE_URL, or the embedded one). For values, --org names the organisation that reads: what it owns or may read at no cost; a dataset with a price is refused. With --url or --key, the command asks the API, which takes one point a call: 300 points a minute for a key. The organisation of the key is charged for each call that reads a dataset with a price (100 frames).',
  '--dry-run finds the frames, and adds up the prices of the calls that the same command would make for them, after the rows that an earlier run wrote, against the credits that the organisation has now. With --org, the prices are those of calls with a key of this organisation.',
  'A run that was cut short is resumed by the same command. Standard input and output (-) cannot be resumed, and standard output gets the rows at the end.',
]

export const locateCommand: Command = {
  summary: 'find the frame of each point of a CSV file',
  forms: [
    commandForm({
      description: 'Writes the frame of each point of a CSV file beside its row.',
      operands: [
        { value: anyValue('IN', 'the path of a CSV file, or - for standard input'), description: 'the points' },
        { value: anyValue('OUT', 'the path of a file, or - for standard output'), description: 'the rows with frames' },
      ],
      options,
      notes: LOCATE_NOTES,
      run: async (config, { operands: [input, output], options: given }, print) => {
        checkFiles(input, output, rejectedFile(given, output), print)
        checkSource(given)
        checkDryRun(given['dry-run'], layersIn(given.data))
        if (given['dry-run']) {
          const price = await withLocator(config, given, print, (locator, source) =>
            priceOfLocate(locator, { ...jobFrom(given, input, output), source }, print.progress),
          )
          print.result(price, locatePriceReport(price))
          return
        }
        const result = await withLocator(config, given, print, (locator, source) =>
          input === STANDARD || output === STANDARD
            ? locateStreams(locator, { ...jobFrom(given, input, output), source }, print)
            : locatePoints(locator, { ...jobFrom(given, input, output), source }, print.progress),
        )
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
  ],
}

type LocateOptions = Arguments<[], typeof options>['options']

function checkFiles(input: string, output: string, rejected: string, { json }: Output): void {
  for (const file of [output, rejected]) refuseFolder(file)
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

const jobFrom = (given: LocateOptions, input: string, output: string): Omit<LocateJob, 'source'> => ({
  input: input === STANDARD ? process.stdin : input,
  output,
  rejected: rejectedFile(given, output),
  columns: { lon: given.lon, lat: given.lat },
  units: given['with-units'],
  guards: !given['no-formula-guard'],
  layers: layersIn(given.data),
})

async function withLocator<Answer>(
  config: Config,
  given: LocateOptions,
  output: Output,
  work: (locator: Locator, source: string) => Promise<Answer>,
): Promise<Answer> {
  const layers = layersIn(given.data)
  if ((given.url ?? given.key) !== undefined) {
    const [api, url] = await apiFrom(given, layers, config, { ...output, progress: withFewWaits(output.progress) })
    return await work(apiLocator(api), url)
  }
  if (layers.length > 0 && given.org === undefined)
    throw new UsageError('--data: --org names the organisation that reads the database; or name the API, with --url.')
  const { org } = given
  return given['dry-run'] && org !== undefined
    ? await withPrices(config, { org, layers }, (db, quote) => work(databaseLocator(db, layers, quote), 'database'))
    : await withLayers(config, { org, layers }, (db) => work(databaseLocator(db, layers), 'database'))
}

const BETWEEN_WAITS_MS = 10_000

/** A key waits every second once its bucket is empty: one message in ten seconds says so. */
function withFewWaits(progress: Output['progress']): Output['progress'] {
  let last = -Infinity
  return (step) => {
    const isWait = step.startsWith('waiting ')
    if (isWait && performance.now() - last < BETWEEN_WAITS_MS) return
    if (isWait) last = performance.now()
    progress(step)
  }
}

/** Standard output gets its rows once all are there: a run that fails writes none. */
async function locateStreams(locator: Locator, job: LocateJob, { progress }: Output): Promise<LocateResult> {
  if (job.output !== STANDARD) return await locatePoints(locator, job, progress)
  const folder = mkdtempSync(join(tmpdir(), 'frames-locate-'))
  try {
    const output = join(folder, 'rows.csv')
    const result = await locatePoints(locator, { ...job, output }, progress)
    await pipeline(createReadStream(output), process.stdout, { end: false })
    return { ...result, file: 'standard output' }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

const locatePriceReport = ({ file, rows, located, resumedAt, ...price }: LocatePrice): string =>
  [
    `${file} would get ${counted(rows, 'row')}, ${located} of them located${resumedAt > 0 ? `, after the ${resumedAt} of the run before` : ''}. Nothing was written or charged.`,
    priceReport(price),
  ].join('\n')

function locateReport({
  file,
  rows,
  located,
  outside,
  rejected,
  resumedAt,
  seconds,
  values = [],
}: LocateResult): string {
  const resumed = resumedAt > 0 ? ` ${resumedAt} of them are from the run before.` : ''
  const lines = values.map(({ layerId, rows: some, charges }) => {
    const charged = charges > 0 ? `, charged for ${counted(charges, 'call')}` : ''
    return `${layerId} has values for ${counted(some, 'row')}${charged}.`
  })
  return [
    `${file}: ${counted(rows, 'row')}, ${located} located, ${outside} off the grid, ${rejected} rejected, in ${seconds} s.${resumed}`,
    ...lines,
  ].join('\n')
}
