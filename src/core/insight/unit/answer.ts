/**
 * Answers a question about a unit or a box that has more frames than a call takes, or about the whole index: by the
 * totals that imports keep, and by its single frames where they are not too many. Every number of the answer is one of
 * its figures.
 */
import { counted } from '../../counted.js'
import type { Reader } from '../../db/replicas/reader.js'
import type { DatasetRow } from '../../db/statements.js'
import { groupThousands } from '../../decimal.js'
import { catalogueFor, type Catalogue, type CatalogueCache } from '../reading/catalogue.js'
import { readQuestion } from '../reading/read.js'
import type { Ask, Reading, Subject } from '../reading/reading.js'
import { unknownWordsIn } from '../reading/unknown-words.js'
import { unaccountedNumbers } from '../numbers/verify.js'
import { comparisonOf, planOfShare } from './compared.js'
import { planOf, totalFigure } from './figures.js'
import type { NamedPlaces, UnitFigure } from './figure.js'
import type { PlanScope } from './plan.js'
import { targetsOf } from './places.js'
import { questionsAbout } from './questions.js'
import { factOf, keptReads, targetOf, targetOfBox, type Read, type ShownStatement, type UnitTarget } from './scope.js'
import type { Corners, UnitPath } from './statements.js'

export type UnitAnswer = {
  headline: string
  isAnswered: boolean
  /** The figures that answer the question, those near to it, or all totals. */
  figures: UnitFigure[]
  followUps: string[]
  statements: ShownStatement[]
  frames: number
  named: NamedPlaces
}

type QuestionOfUnit = {
  reader: Reader
  /** All that the organisation reads. Totals of those that cost are not read. */
  datasets: readonly DatasetRow[]
  catalogues: CatalogueCache | undefined
  place: AskedPlace
  question: string | undefined
  /** Gets the words of the question that no name of these datasets has. */
  onUnknown?: ((words: readonly string[]) => void) | undefined
}

/** The path of the whole index is empty. */
export type AskedPlace = { path: UnitPath } | { box: Corners }

/**
 * Undefined: the index has no such unit, no frame touches the box, or the organisation reads no dataset without a price.
 */
export async function answerAboutUnit(asked: QuestionOfUnit): Promise<UnitAnswer | undefined> {
  const { reader, datasets, catalogues, place, question = '', onUnknown } = asked
  const { read, statements } = keptReads(reader)
  const free = datasets.filter(({ price }) => price === null)
  const target =
    'box' in place
      ? await targetOfBox(read, free, place.box)
      : // SQL folds the names again: these are the ones that a person reads.
        await targetOf(
          read,
          free,
          place.path.map((name) => name.toUpperCase()),
        )
  if (!target) return undefined
  const questions = questionsAbout(target)
  const suggested = questions.map((each) => each.question)
  const catalogue = await catalogueFor({ reader, datasets, cache: catalogues }, question, suggested)
  const reading =
    question === ''
      ? undefined
      : readQuestion(catalogue, question, { isCountry: 'path' in place && place.path.length === 0 })
  const scope = { read, datasets, free, catalogue, target }
  const answered = await figuresFor(scope, reading)
  onUnknown?.(unknownWordsIn({ question, reading, catalogue }))
  const followUps = followUpsOf(scope, questions, { question, asks: reading?.asks ?? [] })
  const named = namedPlaces(answered.figures, target)
  return { ...checked(answered, target), followUps, statements, frames: target.frames, named }
}

/** A map lights at most this many places of each kind. */
const PLACES_LIT_MAX = 50

/** The unit of the question itself is not among them. */
function namedPlaces(figures: readonly UnitFigure[], { path: asked }: UnitTarget): NamedPlaces {
  const places = figures
    .filter((figure) => !figure.isDetail)
    .map(({ named, path }) => named ?? { frames: [], units: path.length > asked.length ? [path] : [] })
  const units = new Map(places.flatMap((each) => each.units.map((unit) => [unit.join('\n'), unit] as const)))
  return {
    frames: [...new Set(places.flatMap(({ frames }) => frames))].slice(0, PLACES_LIT_MAX),
    units: [...units.values()].slice(0, PLACES_LIT_MAX),
  }
}

type AnswerScope = {
  read: Read
  datasets: readonly DatasetRow[]
  free: readonly DatasetRow[]
  catalogue: Catalogue
  target: UnitTarget
}
type UnitHeadline = Pick<UnitAnswer, 'headline' | 'isAnswered' | 'figures'>

const sizeOf = ({ frames }: UnitTarget) => `${groupThousands(String(frames))} frames`

async function figuresFor(scope: AnswerScope, reading: Reading | undefined): Promise<UnitHeadline> {
  const { target } = scope
  const totals = target.facts.flatMap((fact) => totalFigure(fact, target) ?? [])
  const profile = (why?: string): UnitHeadline => ({
    headline:
      why === undefined
        ? `Totals of ${sizeOf(target)}.`
        : `Not answered. ${why} Below are the totals of ${sizeOf(target)}.`,
    isAnswered: why === undefined,
    figures: totals,
  })
  if (!reading) return profile()
  if (reading.wants === 'profile')
    return (reading.places ?? []).length > 0 ? profile('It names places and no figure to compare.') : profile()
  const results = await Promise.all(reading.asks.map((ask) => resultOf(scope, ask)))
  const figures = results.flatMap((result) => ('figures' in result ? result.figures : []))
  const lost = [...whyUnread(reading), ...results.flatMap((result) => ('why' in result ? [result.why] : []))]
  if (lost.length === 0 && figures.length > 0) return { headline: `${textOf(figures)}.`, isAnswered: true, figures }
  const why = [...new Set(lost)].join(' ') || 'This asks for no figure.'
  if (figures.length > 0)
    return { headline: `Answered in part. ${why} ${textOf(figures)}.`, isAnswered: false, figures }
  const near = reading.asks.flatMap(({ subject }) => nearestOf(scope, subject))
  if (near.length === 0) return profile(why)
  return { headline: `Not answered. ${why} The nearest: ${textOf(near)}.`, isAnswered: false, figures: near }
}

/** The first figure of each ask answers it; the others help to read it. */
const textOf = (figures: readonly UnitFigure[]): string =>
  figures
    .filter((figure) => !figure.isDetail)
    .slice(0, ANSWERS_MAX)
    .map(({ label, value }) => `${label}: ${value}`)
    .join('; ')
const ANSWERS_MAX = 6

/** QuestionWords that no dataset has, and parts that were understood and have no figure. */
function whyUnread({ unknown, unanswered }: Reading): string[] {
  const quoted = (words: readonly string[]) => words.map((word) => `"${word.replaceAll('"', "'")}"`).join(', ')
  return [
    ...(unknown.length === 0 ? [] : [`None of the datasets read here records ${quoted(unknown)}.`]),
    ...(unanswered.length === 0 ? [] : [`No figure answers ${quoted(unanswered)}.`]),
  ]
}

type AskResult = { figures: UnitFigure[] } | { why: string }

async function resultOf(scope: AnswerScope, ask: Ask): Promise<AskResult> {
  if (ask.isNearest) return { figures: [] }
  const { read, free, target } = scope
  const sold = pricedText(scope, ask.subject)
  if (sold !== undefined) return { why: sold }
  const placed = await targetsOf({ read, datasets: free, target }, ask.places ?? [])
  if ('why' in placed) return placed
  const plan: PlanScope = { read }
  const { targets } = placed
  const results = await Promise.all(
    targets.map(async (each): Promise<AskResult> => {
      const planned =
        ask.operation.op === 'portion' ? planOfShare(read, ask, { whole: target, part: each }) : planOf(plan, ask, each)
      if ('why' in planned) return planned
      const [first, ...details] = await planned.run()
      if (!first) return { why: 'Nothing is recorded for it here.' }
      return { figures: [first, ...details.map((figure) => ({ ...figure, isDetail: true as const }))] }
    }),
  )
  const lost = results.find((result) => 'why' in result)
  if (lost) return lost
  const figures = results.flatMap((result) => ('figures' in result ? result.figures : []))
  const [one, other, ...more] = targets
  const compared = one && other && more.length === 0 ? await comparisonOf(read, ask, [one, other]) : undefined
  return { figures: compared ? [compared, ...figures] : figures }
}

/** A dataset with a price is sold for a call of few frames, and its totals are not. */
function pricedText({ datasets, catalogue }: AnswerScope, subject: Subject): string | undefined {
  if (subject.kind === 'index') return undefined
  const dataset = datasets.find(({ layerId }) => layerId === subject.layerId)
  if (!dataset || dataset.price === null) return undefined
  const label =
    catalogue.topics.find((topic) => JSON.stringify(topic.subject) === JSON.stringify(subject))?.label ?? dataset.name
  return `${label} is part of the dataset ${dataset.name}, which costs ${counted(dataset.price, 'credit')} a call and is sold for at most 50 frames: pick a smaller place.`
}

function nearestOf({ target }: AnswerScope, subject: Subject): UnitFigure[] {
  const fact = factOf(target, subject)
  const figure = fact && totalFigure(fact, target)
  return figure ? [figure] : []
}

const LED_ON_BY = 3

type Followed = { question: string; asks: readonly Ask[] }

/** Each is read, and planned, as it will be when somebody asks it. */
function followUpsOf(
  { read, catalogue, target }: AnswerScope,
  questions: ReturnType<typeof questionsAbout>,
  { question, asks }: Followed,
): string[] {
  const isOwn = ({ subject }: { subject: Subject }) =>
    asks.some((ask) => JSON.stringify(ask.subject) === JSON.stringify(subject))
  const isAsked = (ask: Ask) => asks.some((each) => JSON.stringify(each) === JSON.stringify(ask))
  const found: string[] = []
  const layers = new Set<string>()
  const turns = [...questions.filter(isOwn), ...questions.filter((each) => !isOwn(each))]
  for (const each of turns) {
    const layer = 'layerId' in each.subject ? each.subject.layerId : ''
    if (found.length === LED_ON_BY) break
    if (each.question === question || (layers.has(layer) && !isOwn(each)) || (isOwn(each) && found.length === 2))
      continue
    const reading = catalogue.suggestions.get(each.question) ?? readQuestion(catalogue, each.question)
    catalogue.suggestions.set(each.question, reading)
    const [ask, ...more] = reading.asks
    if (!ask || more.length > 0 || isAsked(ask) || !isRead(reading, each.subject)) continue
    if ('why' in planOf({ read }, ask, target)) continue
    layers.add(layer)
    found.push(each.question)
  }
  return found
}

const isRead = ({ asks, unknown, unanswered, wants, places = [] }: Reading, subject: Subject): boolean =>
  wants === 'figures' &&
  unknown.length + unanswered.length + places.length === 0 &&
  asks.every((ask) => JSON.stringify(ask.subject) === JSON.stringify(subject) && ask.where.length === 0)

/** A number of the answer that is none of its figures is a fault of this code: the answer is withheld. */
function checked(answered: UnitHeadline, target: UnitTarget): UnitHeadline {
  const { headline, figures, isAnswered } = answered
  if (!isAnswered) return answered
  const facts = { headline: '', facets: figures, frames: target.frames, frameIds: [] }
  const [fault] = unaccountedNumbers(headline, facts)
  return fault ? { headline: 'The figures below answer it.', figures, isAnswered } : answered
}
