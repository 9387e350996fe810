/** The unit that a question is about, its totals, and the reads that answer the question. */
import type { Reader } from '../../db/replicas/reader.js'
import type { Statement } from '../../db/statement.js'
import { totalsOfBox, totalsOfUnit, type DatasetRow } from '../../db/statements.js'
import type { ClassFrames, UnitTotal } from '../../db/unit-totals.js'
import { groupThousands } from '../../decimal.js'
import type { Subject } from '../reading/reading.js'
import type { Corners, UnitPath } from './statements.js'

/**
 * Figures of single frames read every frame of a unit: 7,308 frames take 25 ms on PostgreSQL. On the embedded database,
 * which answers one statement at a time, 12,411 take 0.5 s.
 */
export const FRAMES_READ_MAX = 50_000

const UNIT_LEVELS = ['country', 'state', 'lga', 'ward'] as const
type UnitDepth = (typeof UNIT_LEVELS)[number]
const levelOf = (path: UnitPath): UnitDepth => UNIT_LEVELS[path.length] ?? 'country'

const WHOLE_INDEX = 'the whole index'
export const nameOf = (path: UnitPath): string => path.at(-1) ?? WHOLE_INDEX

/** The box of a question: its corners, and its land to two places and exactly. */
type AskedBox = { corners: Corners; km2: string; exactKm2: string; frames: number }

/** A unit has the path of its names; the path of a box is empty. */
export type FigurePlace = { path: UnitPath; box?: AskedBox | undefined }
export type PlaceSource = { unit: string; level: UnitDepth | 'box' }
export const sourceOf = ({ path, box }: FigurePlace): PlaceSource =>
  box
    ? { unit: `the box of ${groupThousands(String(box.frames))} frames`, level: 'box' }
    : { unit: nameOf(path), level: levelOf(path) }

/** A total, with the dataset that it is of. A box has the frames of each class, the most common first. */
export type UnitFact = UnitTotal & { dataset: DatasetRow; classes?: readonly ClassFrames[] | undefined }

export type ShownStatement = { name: string; args: readonly unknown[] }
export type Read = <Args extends readonly unknown[], Row>(
  statement: Statement<Args, Row>,
  ...args: Args
) => Promise<Row[]>

/** Keeps the statements that an answer rests on, in the order in which they were sent. Each is sent once. */
export function keptReads(reader: Reader): { read: Read; statements: ShownStatement[] } {
  const statements: ShownStatement[] = []
  const rows = new Map<string, Promise<unknown[]>>()
  const read: Read = async (statement, ...args) => {
    const key = JSON.stringify([statement.name, args])
    const known = rows.get(key)
    if (known) return (await known) as Awaited<ReturnType<typeof statement>>
    statements.push({ name: statement.name, args })
    const found = statement(reader, ...args)
    rows.set(key, found)
    return await found
  }
  return { read, statements }
}

/** One place that a figure is of: the unit or the box of the question, or a unit that the question names. */
export type UnitTarget = FigurePlace & {
  frames: number
  facts: readonly UnitFact[]
  /** Undefined for the unit of the question: its figures need no name. */
  name: string | undefined
}

export async function targetOf(
  read: Read,
  datasets: readonly DatasetRow[],
  path: UnitPath,
  name?: string,
): Promise<UnitTarget | undefined> {
  const [state = null, lga = null, ward = null] = path
  const layers = datasets.map(({ layerId }) => layerId)
  const rows = await read(totalsOfUnit, levelOf(path), state, lga, ward, null, layers)
  const facts = rows.flatMap((row) => {
    const dataset = datasets[row.layer - 1]
    return dataset ? [{ ...row, dataset }] : []
  })
  const [first] = facts
  return first && { path, frames: first.frames, facts, name }
}

/** Undefined without a frame or a dataset. */
export async function targetOfBox(
  read: Read,
  datasets: readonly DatasetRow[],
  corners: Corners,
): Promise<UnitTarget | undefined> {
  const layers = datasets.map(({ layerId }) => layerId)
  const rows = await read(totalsOfBox, ...corners, layers)
  const facts = rows.flatMap((row) => {
    const dataset = row.layer === null ? undefined : datasets[row.layer - 1]
    if (row.layer === null || !dataset) return []
    const [first] = row.classes ?? []
    const common = { class: first?.class ?? null, classFrames: first?.frames ?? null }
    return [{ ...row, ...common, classes: row.classes ?? undefined, dataset }]
  })
  const [size] = rows
  if (!size || size.frames === 0 || facts.length === 0) return undefined
  const { frames, km2, exactKm2 } = size
  return { path: [], box: { corners, km2, exactKm2, frames }, frames, facts, name: undefined }
}

/** The total of an attribute, or the number of features. */
export const factOf = ({ facts }: UnitTarget, subject: Subject): UnitFact | undefined => {
  if (subject.kind !== 'attribute' && subject.kind !== 'features') return undefined
  const name = subject.kind === 'attribute' ? subject.attribute : 'features'
  return facts.find(({ dataset, attribute }) => dataset.layerId === subject.layerId && attribute === name)
}

/** The length of lines or the area of polygons. */
export const extentOf = ({ facts }: UnitTarget, layerId: string): UnitFact | undefined =>
  facts.find(({ dataset, summary }) => dataset.layerId === layerId && (summary === 'length' || summary === 'area'))
