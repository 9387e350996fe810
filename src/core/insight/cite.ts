/** A cite is a figure on one line, with what it takes to compute it again: its place, its date and the versions read. */
import { Ajv } from 'ajv'
import type { Database, DatasetRow, Reader } from '../db/index.js'
import { datasetsServed, frameBoxes, indexGeneration } from '../db/statements.js'
import { shortened } from '../errors.js'
import {
  computeFigure,
  type Facet,
  type Figure,
  type FrameSet,
  INDEX,
  readsOf,
  setInPlace,
  setOfIds,
} from '../figures/index.js'
import { isFrameId } from '../frame-id.js'
import { escapeLine } from '../plain-text.js'
import { type Area, placeText } from '../place.js'
import { shapeOf } from '../shape.js'
import { figureOfSource, nothingOfNoFigure } from './replay.js'
import { IDS_MAX } from '../parameters.js'

/** `frames` has ids and runs of ids: "322074005-322074009,322078001". */
type CitedPlace = Area | { frames: string }
/** Stands as JSON at the end of the line, with the figure. */
type Cited = { place: CitedPlace; date: string; versions: Readonly<Record<string, string>> }

/** The line of a longer shape would fill a page. */
const SHAPE_MAX = 1000
const text = { type: 'string' }
const isCited = new Ajv().compile<Cited>({
  type: 'object',
  required: ['place', 'date', 'versions'],
  properties: {
    place: {
      type: 'object',
      minProperties: 1,
      maxProperties: 1,
      additionalProperties: false,
      properties: {
        frames: { ...text, pattern: '^\\d+(-\\d+)?(,\\d+(-\\d+)?)*$' },
        unit: { type: 'array', maxItems: 3, items: text },
        box: { type: 'array', minItems: 4, maxItems: 4, items: { type: 'number' } },
        shape: { ...text, maxLength: SHAPE_MAX },
      },
    },
    date: text,
    versions: { type: 'object', additionalProperties: text },
  },
})

/** Gives each facet its cite. Undefined for a shape of many corners, and where there is no figure. */
export async function citesOf(
  { reader, datasets }: { reader: Reader; datasets: readonly DatasetRow[] },
  set: FrameSet,
  facets: readonly (Facet | undefined)[],
): Promise<(string | undefined)[]> {
  if (set.place && 'shape' in set.place && set.place.shape.length > SHAPE_MAX) return []
  const served = versionsOf(datasets, await indexGeneration(reader))
  const place = set.place ?? { frames: runsOf(set.frames) }
  const date = new Date().toISOString().slice(0, 10)
  return facets.map((facet) => {
    const figure = facet && figureOfSource(facet.source)
    const layers = new Set(JSON.stringify([INDEX.layerId, figure]).match(/(?<=")(?:frames|lyr_\w+)(?=")/g))
    const versions = Object.fromEntries(
      [...layers].flatMap((layer) => {
        const version = served.get(layer)
        return version === undefined ? [] : [[layer, version]]
      }),
    )
    return figure && lineOf(facet, { place, date, versions }, figure)
  })
}

type Versioned = Pick<DatasetRow, 'layerId' | 'version'>
const versionsOf = (datasets: readonly Versioned[], [index]: readonly { switchedAt: string }[]) =>
  new Map(
    [...datasets, ...(index ? [{ layerId: INDEX.layerId, version: index.switchedAt }] : [])].map(
      ({ layerId, version }) => [layerId, version],
    ),
  )

function lineOf({ label, value, source }: Facet, cited: Cited, figure: Figure): string {
  const { place, date } = cited
  const where = placeText('frames' in place ? { frames: idsOf(place.frames) } : place)
  return escapeLine(
    `${label}: ${value}. ${source.dataset}, ${where}, ${date}. ${JSON.stringify({ ...cited, ...figure })}`,
  )
}

export const isCite = (line: string): boolean => line.includes(CITED)
const CITED = ' {"place":'

type CiteVerdict = { verdict: 'same' | 'another' | 'gone'; says: string }

/** Computes the figure of a cite again, from what is served now. */
export async function verifyCite(db: Database, cite: string): Promise<CiteVerdict> {
  const [cited, figure] = citedIn(cite)
  const { place, versions } = cited
  const [served, index] = await Promise.all([datasetsServed(db, Object.keys(versions)), indexGeneration(db)])
  const now = versionsOf(served, index)
  const gone = Object.entries(versions).flatMap(([layer, version]) =>
    now.get(layer) === version ? [] : [goneText(layer, version, now.get(layer))],
  )
  const reads = readsOf(
    db,
    served.map((dataset) => ({ ...dataset, price: null })),
  )
  const set =
    'frames' in place
      ? await knownOf(db, idsOf(place.frames))
      : await setInPlace(reads, 'shape' in place ? { shape: await shapeOf(db, place.shape) } : place)
  const facet = set.count === 0 ? undefined : await computeFigure(reads, set, figure).catch(nothingOfNoFigure)
  if (!facet) return { verdict: 'gone', says: ['There is no such figure now.', ...gone].join(' ') }
  const { label, value } = facet
  if (lineOf(facet, cited, figure) === cite.trim())
    return { verdict: 'same', says: [`The same figure now: ${label}: ${value}.`, ...gone].join(' ') }
  const why = gone.length > 0 ? gone : ['Each version is still served, so the line was changed.']
  return { verdict: 'another', says: [`Another figure now: ${label}: ${value}.`, ...why].join(' ') }
}

const goneText = (layer: string, version: string, now: string | undefined) =>
  `Version ${version} of ${layer === INDEX.layerId ? 'the index' : layer} is gone: ${now === undefined ? 'it is not served any more' : `${now} is served`}.`

async function knownOf(db: Database, ids: string[]): Promise<FrameSet> {
  const boxes = await frameBoxes(db, ids)
  return setOfIds(boxes.flatMap(({ place }) => ids[place - 1] ?? []))
}

function citedIn(cite: string): [Cited, Figure] {
  const refuse = () =>
    new Error(`A cite is a line as sources[].cite of an answer has it, with its JSON; "${shortened(cite)}" came.`)
  let json: unknown
  try {
    json = JSON.parse(cite.slice(cite.lastIndexOf(CITED)))
  } catch {
    throw refuse()
  }
  if (!isCited(json)) throw refuse()
  const { place, date, versions, ...figure } = json
  const read = figureOfSource({ label: '', dataset: '', frames: 0, ...(figure as Figure) })
  if (!read || ('frames' in place && idsOf(place.frames).length > IDS_MAX)) throw refuse()
  return [{ place, date, versions }, read]
}

function runsOf(ids: readonly string[]): string {
  const sorted = ids.map(BigInt).toSorted((a, b) => (a < b ? -1 : 1))
  const starts = sorted.filter((id, i) => sorted[i - 1] !== id - 1n)
  const ends = sorted.filter((id, i) => sorted[i + 1] !== id + 1n)
  return starts.map((start, i) => (ends[i] === start ? `${start}` : `${start}-${ends[i]}`)).join()
}

/** A run that is too long for a question has one id more than a question takes. */
const idsOf = (runs: string): string[] =>
  runs
    .split(',')
    .flatMap((run) => {
      const [first = 0n, last = first] = run.split('-').map(BigInt)
      const length = Math.min(Number(last - first) + 1, IDS_MAX + 1)
      return Array.from({ length: Math.max(length, 0) }, (_, i) => String(first + BigInt(i)))
    })
    .filter(isFrameId)
