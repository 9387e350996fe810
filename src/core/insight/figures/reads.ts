/** Makes the reads of one answer: PostgreSQL gets a statement with the same values once. */
import type { Reader } from '../../db/replicas/reader.js'
import type { AttributeEntry, DatasetRow, UnitTotal } from '../../db/rows.js'
import type { Statement } from '../../db/statement.js'
import { attributesOfDatasets, totalsOfArea, totalsOfUnit } from '../../db/statements.js'
import { framesOfArea, setOfPlace, type Area, type FrameSet, type Place, type UnitPath } from './frame-set.js'

/** A statement with its values, for people who run it themselves. */
export type SentStatement = { name: string; args: readonly unknown[] }

type Rows = <Args extends readonly unknown[], Row>(statement: Statement<Args, Row>, ...args: Args) => Promise<Row[]>

export type Reads = {
  rows: Rows
  datasets: readonly DatasetRow[]
  datasetOf(layerId: string): DatasetRow | undefined
  attributeOf(layerId: string, name: string): Promise<AttributeEntry | undefined>
  /** Undefined for ids, for a unit that the index does not have, and where no frame touches the area. */
  totalsOf(set: FrameSet): Promise<Totals | undefined>
  /** In the order in which they were sent. */
  sent: () => SentStatement[]
}

/** The name of the kept number of features. */
export const FEATURES_COUNTED = 'features'
/** The totals that imports keep, of the datasets without a price. */
export type Totals = { frames: number; km2: string; exactKm2: string; km2Inside?: string; totals: readonly Total[] }
/** A box or a shape has the frames of each class, the most common first, and totals by the share of each frame inside. */
export type Total = UnitTotal & {
  dataset: DatasetRow
  classes?: readonly { class: string; frames: number }[]
  byArea?: string | null
}

export function readsOf(reader: Reader, datasets: readonly DatasetRow[]): Reads {
  const made = new Map<string, Promise<unknown[]>>()
  return readsThrough(datasets, (statement, ...args) => {
    const key = readKey(statement.name, args)
    const known = made.get(key) as ReturnType<typeof statement> | undefined
    const promise = known ?? statement(reader, ...args)
    made.set(key, promise)
    return promise
  })
}

/** The same reads, whose `sent` are those of one figure. */
export const readsOfFigure = ({ rows, datasets }: Reads): Reads => readsThrough(datasets, rows)

const readKey = (name: string, args: readonly unknown[]) => JSON.stringify([name, args])

function readsThrough(datasets: readonly DatasetRow[], send: Rows): Reads {
  const sent = new Map<string, SentStatement>()
  const rows: Rows = (statement, ...args) => {
    sent.set(readKey(statement.name, args), { name: statement.name, args })
    return send(statement, ...args)
  }
  const free = datasets.filter(({ price }) => price === null)
  const layers = datasets.map(({ layerId }) => layerId)
  return {
    rows,
    datasets,
    sent: () => [...sent.values()],
    datasetOf: (layerId) => datasets.find((dataset) => dataset.layerId === layerId),
    async attributeOf(layerId, name) {
      const entries = await rows(attributesOfDatasets, layers)
      return entries.find((entry) => layers[entry.layer - 1] === layerId && entry.name === name)
    },
    async totalsOf({ place }) {
      if (!place) return undefined
      return 'unit' in place ? totalsOfPath(rows, free, place.unit) : totalsInArea(rows, free, place)
    },
  }
}

/** Counts the frames of a place: none where the index has no such unit, or no frame touches the area. */
export async function setInPlace(reads: Reads, place: Place): Promise<FrameSet> {
  const totals = await reads.totalsOf(setOfPlace(place, 0))
  return setOfPlace(place, totals?.frames ?? 0)
}

const PATH_LEVELS = ['country', 'state', 'lga', 'ward'] as const

async function totalsOfPath(
  rows: Reads['rows'],
  datasets: readonly DatasetRow[],
  path: UnitPath,
): Promise<Totals | undefined> {
  const [state = null, lga = null, ward = null] = path
  const layers = datasets.map(({ layerId }) => layerId)
  const found = await rows(totalsOfUnit, PATH_LEVELS[path.length] ?? 'ward', state, lga, ward, null, layers)
  const [first] = found
  if (!first) return undefined
  const totals = found.flatMap((row) => withDataset(row, datasets[row.layer - 1]))
  return { frames: first.frames, km2: first.km2, exactKm2: first.exactKm2, totals }
}

async function totalsInArea(
  rows: Reads['rows'],
  datasets: readonly DatasetRow[],
  area: Area,
): Promise<Totals | undefined> {
  const layers = datasets.map(({ layerId }) => layerId)
  const found = await rows(totalsOfArea, framesOfArea(area), layers)
  const [first] = found
  if (!first || first.frames === 0) return undefined
  const totals = found.flatMap((row) => {
    if (row.layer === null) return []
    const [common] = row.classes ?? []
    const { classes, ...total } = row
    const mode = { class: common?.class ?? null, classFrames: common?.frames ?? null }
    return withDataset({ ...total, ...mode, ...(classes && { classes }) }, datasets[row.layer - 1])
  })
  return { frames: first.frames, km2: first.km2, exactKm2: first.exactKm2, km2Inside: first.km2Inside, totals }
}

const withDataset = <Row>(row: Row, dataset: DatasetRow | undefined) => (dataset ? [{ ...row, dataset }] : [])
