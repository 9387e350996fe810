/** Writes the headline: the answer in one line, what no dataset records, and what the credits did not cover. */
import { groupThousands } from '../decimal.js'
import type { Facet } from './figures/facets.js'
import { frameCountText, listText } from './figures/figure-text.js'
import { notesOf } from './numbers/headline-notes.js'
import type { ReadAs } from './reading/reading.js'

type PlacesNoted = { absent: readonly string[]; partial: readonly string[] }

/** These stand before any figure, in the headline and in a narrative. */
type HeadlineNotes = {
  /** No dataset has these words of the question. */
  unknown: readonly string[]
  /** These parts of the question are understood and not computed. */
  unanswered: readonly string[]
  /** Sentences that say why a part of the question has no figure here. */
  reasons: readonly string[]
  readAs: readonly ReadAs[]
  /** None of the frames, or only some of a profile's frames, lie in these places of the question. */
  places: PlacesNoted
  leftOut: readonly DatasetLeftOut[]
}
export type HeadlineInput = HeadlineNotes & {
  /** `overview`: the caller asks no question, or asks for all. `nothing`: no question about frames was found. */
  about: 'overview' | 'nothing' | 'figures'
  /** These facets answer the question, in its order. */
  answers: readonly AnsweringFacet[]
  /** These facets are near to a part of the question which has an unknown word. */
  nearest: readonly AnsweringFacet[]
  frames: number
}
/** Without a reason, the credits do not cover its price. */
type DatasetLeftOut = { name: string; reason?: 'insufficient_credits' | 'costs_credits' }
type AnsweringFacet = Pick<Facet, 'label' | 'value' | 'source'> & { typed: Pick<Facet['typed'], 'frames'> }

export const NO_FRAMES = 'None of these frames is in the index.'

/** A headline names this many figures. */
export const FIGURES_MAX = 6

/**
 * Names a dataset that was left out, and words that no dataset has, before any figure: a reader must not take the
 * figure for that of the dataset, nor for an answer to the whole question.
 */
export function headlineOf(input: HeadlineInput): string {
  const { about, answers, nearest, frames } = input
  const over = `${groupThousands(String(frames))} ${frames === 1 ? 'frame' : 'frames'}`
  const isPlain = about === 'overview' && lackNotes(input).length === 0
  const near = nearest.length === 0 ? [] : [`The nearest to the rest: ${figuresText(nearest)}.`]
  const figures =
    answers.length > 0
      ? [`${figuresText(answers)} (${over} asked).`, ...near]
      : [
          nearest.length > 0
            ? `The nearest: ${figuresText(nearest)} (${over} asked).`
            : `${isPlain ? 'P' : 'A p'}rofile of ${over}.`,
        ]
  return [...notesBeforeFigures(input), ...figures].join(' ')
}

export const NO_QUESTION = 'No question about these frames was found.'

const lackNotes = ({ unknown, unanswered, leftOut, reasons }: HeadlineNotes): string[] => [
  ...(leftOut.length === 0 ? [] : [leftOutText(leftOut)]),
  ...(unknown.length === 0 ? [] : [`No dataset has a name for ${quotedWords(unknown)}.`]),
  ...(unanswered.length === 0 ? [] : [`Not answered: ${quotedWords(unanswered)}.`]),
  ...reasons,
]

/** The sentences that come before any figure, in the headline and in a narrative. */
export function notesBeforeFigures(input: HeadlineInput): string[] {
  const { about, answers, nearest, places, readAs } = input
  const notes = lackNotes(input)
  const isFound = about === 'overview' || notes.length + answers.length + nearest.length > 0
  return [
    ...notes,
    ...readAs.map(({ words, name }) => `Read ${quotedWords([words])} as ${quotedWords([name])}.`),
    ...(places.absent.length === 0 ? [] : [`None of these frames lies in ${places.absent.join(' or ')}.`]),
    ...(places.partial.length === 0 ? [] : [`Only some of these frames lie in ${places.partial.join(' or ')}.`]),
    ...(isFound ? [] : [NO_QUESTION]),
  ]
}

/**
 * `exact`: the first facet answers the question, or none was asked. `read`: it does, by words that a plan or a near
 * miss tied to a name. `nearest`: the question, or a part of it, is not answered.
 */
export type Confidence = 'exact' | 'read' | 'nearest'

export function confidenceOf(input: HeadlineInput): Confidence {
  const { about, answers, nearest, places, readAs } = input
  const lacks = [lackNotes(input), nearest, places.absent, places.partial].some((list) => list.length > 0)
  if (lacks || about === 'nothing' || (about === 'figures' && answers.length === 0)) return 'nearest'
  return readAs.length > 0 ? 'read' : 'exact'
}

/** The input of a headline without notes: its first facets answer, and the next are near. */
export const plainInput = ({ facets, frames, leftOut }: Replayed, answers = 1, nearest = 0): HeadlineInput => ({
  about: 'figures',
  answers: facets.slice(0, answers),
  nearest: facets.slice(answers, answers + nearest),
  ...notesOf(''),
  frames,
  leftOut,
})
type Replayed = { facets: readonly AnsweringFacet[]; frames: number; leftOut: readonly DatasetLeftOut[] }

/** An answer does not hold its question. Its headline may quote any words of it, and names facets from the first on. */
export function isPossibleHeadline(headline: string, replayed: Replayed): boolean {
  const notes = notesOf(headline)
  const isOf = (input: HeadlineInput) => headlineOf({ ...input, ...notes }) === headline
  const none = plainInput(replayed, 0)
  if (isOf({ ...none, about: 'overview', leftOut: [] }) || isOf(none)) return true
  // More answers than a headline names make the same headline.
  const counts = Array.from({ length: Math.min(replayed.facets.length, FIGURES_MAX + 1) + 1 }, (_, count) => count)
  return counts.some((answers) => counts.some((nearest) => isOf(plainInput(replayed, answers, nearest))))
}

export const quotedWords = (words: readonly string[]) =>
  words.map((word) => `"${word.replaceAll('"', "'")}"`).join(', ')

function figuresText(facets: readonly AnsweringFacet[]): string {
  const texts = facets.map((facet) => `${facet.label}: ${facet.value}${headlineCoverage(facet)}`)
  return [...texts.slice(0, FIGURES_MAX), ...(texts.length > FIGURES_MAX ? ['and more'] : [])].join('; ')
}

/** The values of these say by themselves how many frames they are of. */
const SAYS_FRAMES = ['mode', 'share', 'count', 'frames', 'value', 'per_km2', 'names', 'extent', 'passing']

/** A total of a part of the frames must not pass for the total of all. */
const headlineCoverage = ({ source, typed }: AnsweringFacet) =>
  (source.attribute !== 'feature' || source.statistic === 'per' || source.by !== undefined) &&
  !SAYS_FRAMES.includes(source.statistic) &&
  source.frames < typed.frames
    ? `${source.by === undefined ? ',' : ';'} recorded on ${frameCountText(source.frames, typed.frames)}`
    : ''

function leftOutText(datasets: readonly DatasetLeftOut[]): string {
  const costs = datasets.every(({ reason }) => reason === 'costs_credits')
  const [is, it, its, price] =
    datasets.length === 1 ? ['is', 'it costs', 'its', 'price'] : ['are', 'they cost', 'their', 'prices']
  const why = costs ? `${it} credits` : `the credits do not cover ${its} ${price}`
  return `${listText(datasets.map(({ name }) => name))} ${is} left out: ${why}.`
}
