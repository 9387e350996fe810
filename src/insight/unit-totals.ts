/** Answers a question about a unit that has more frames than a call takes, by the totals that imports keep. */
import type { Reader } from '../db/replicas/reader.js'
import { totalsOfUnit, type DatasetRow, type UnitTotal } from '../db/statements.js'
import { groupThousands } from '../decimal.js'
import { withUnit } from './facets.js'
import { suggestionsFor } from './follow-ups.js'
import { catalogueFor, type CatalogueCache } from './reading/catalogue.js'
import { readCompound } from './reading/compound.js'
import type { Ask, Reading } from './reading/reading.js'

export type TotalOfDataset = UnitTotal & { dataset: DatasetRow }

type TotalsAnswer = {
  headline: string
  /** The totals that answer the question; all totals of the unit where none answers it. */
  totals: TotalOfDataset[]
  /** Questions that the totals answer. */
  suggestions: string[]
}

type UnitQuestion = {
  reader: Reader
  /** The datasets that are read: those that cost nothing. */
  datasets: readonly DatasetRow[]
  catalogues: CatalogueCache | undefined
  args: Parameters<typeof totalsOfUnit> extends [unknown, ...infer Args] ? Args : never
  question: string | undefined
  /** The most frames that a call takes. */
  most: number
}

/** Undefined: the index has no such unit, or the organisation reads no dataset. */
export async function answerByTotals(unit: UnitQuestion): Promise<TotalsAnswer | undefined> {
  const { reader, datasets, catalogues, args, question = '', most } = unit
  const rows = await totalsOfUnit(reader, ...args)
  const totals = rows.flatMap((row) => {
    const dataset = datasets[row.layer - 1]
    return dataset && row.summary !== 'none' ? [{ ...row, dataset }] : []
  })
  const [first] = totals
  if (!first) return undefined
  const suggested = questionsFor(totals)
  const catalogue = await catalogueFor({ reader, datasets, cache: catalogues }, question, suggested)
  const names = args.slice(1, 4).flatMap((name) => (typeof name === 'string' ? [name.toLowerCase()] : []))
  const answersTo = (text: string) => answersIn(readCompound(catalogue, text), totals, names.at(-1))
  const suggestions = suggested.filter((text) => text !== question && answersTo(text)).slice(0, SUGGESTIONS)
  const size = `${groupThousands(String(first.frames))} frames`
  const reading = question === '' ? undefined : readCompound(catalogue, question)
  if (!reading || reading.wants === 'profile') return { headline: `Totals of ${size}.`, totals, suggestions }
  const answers = answersTo(question)
  if (answers) return { headline: `${answers.map(totalText).join('; ')} (${size}).`, totals: answers, suggestions }
  const unknown = reading.unknown.map((word) => `"${word.replaceAll('"', "'")}"`).join(', ')
  const why =
    unknown === ''
      ? `This is answered frame by frame, for at most ${most} frames.`
      : `None of the datasets read here records ${unknown}.`
  return { headline: `Not answered. ${why} The totals of ${size}:`, totals, suggestions }
}

const SUGGESTIONS = 3

/** The first question about each subject; asked of one frame, a question has no highest and no average. */
const questionsFor = (totals: readonly TotalOfDataset[]): string[] =>
  totals.flatMap(({ dataset, attribute: name, label, unit, type, summary, recorded: frames }) => {
    const figures =
      dataset.kind === 'frames'
        ? { attributes: [{ dataset, name, label, unit, type, summary: summaryOf(summary), frames }], features: [] }
        : { attributes: [], features: summary === 'count' ? [{ dataset, features: frames, frames }] : [] }
    return suggestionsFor({ frames: { frames: 1 }, ...figures })
      .slice(0, 1)
      .map(({ question }) => question)
  })

/** Only datasets of features have the other three. */
const summaryOf = (summary: UnitTotal['summary']) =>
  summary === 'count' || summary === 'length' || summary === 'area' ? 'none' : summary

/** Undefined where a part of the question has no total. */
function answersIn(
  { asks, unknown, unanswered, wants }: Reading,
  totals: readonly TotalOfDataset[],
  unitName: string | undefined,
): TotalOfDataset[] | undefined {
  if (wants !== 'figures' || unknown.length + unanswered.length > 0) return undefined
  const found = asks.map((ask) =>
    isAboutUnit(ask, unitName) ? totals.find((each) => isTotalOf(ask, each)) : undefined,
  )
  const answers = found.filter((total) => total !== undefined)
  return answers.length === found.length && answers.length > 0 ? answers : undefined
}

/** The figure is of all frames of the unit, or of no other place than the unit itself. */
const isAboutUnit = ({ where, places = [], isNearest }: Ask, unitName: string | undefined) =>
  !isNearest &&
  where.length === 0 &&
  places.every(({ text, isExcluded, unit }) => !isExcluded && unit === undefined && text.toLowerCase() === unitName)

function isTotalOf({ subject, operation: { op } }: Ask, { dataset, attribute, summary }: UnitTotal & TotalOfDataset) {
  if (subject.kind === 'index' || subject.kind === 'property' || subject.layerId !== dataset.layerId) return false
  if (subject.kind === 'features') {
    if (op === 'extent') return summary === 'length' || summary === 'area'
    return summary === 'count' && (op === 'usual' || op === 'sum')
  }
  if (attribute !== subject.attribute) return false
  if (op === 'mean') return summary === 'mean' || summary === 'weighted_mean'
  return op === 'usual' || op === summary
}

export const valueOfTotal = ({ class: commonest, number, unit }: UnitTotal): string =>
  commonest ?? (number === null ? 'no value' : withUnit(number, unit))

/** A total of a part of the frames must not pass for the total of all. Features are not recorded on each frame. */
function totalText(total: TotalOfDataset): string {
  const { label, recorded, frames, dataset } = total
  const isPart = dataset.kind === 'frames' && recorded < frames
  const part = isPart ? `, recorded on ${groupThousands(String(recorded))} frames` : ''
  return `${label}${wayOf(total)}: ${valueOfTotal(total)}${part}`
}

const WAYS: Readonly<Record<UnitTotal['summary'], string>> = {
  sum: ', total',
  count: '',
  length: ', length',
  area: ', area',
  mean: ', average',
  weighted_mean: ', weighted average',
  mode: ', most common',
  none: '',
}

export const wayOf = ({ summary }: UnitTotal): string => WAYS[summary]
