/** Writes the headline: the answer in one line, what no dataset records, and what the credits did not cover. */
import { groupThousands } from '../decimal.js'
import type { Facet } from './figures/facets.js'
import { frameCountText } from './figures/figure-text.js'
import { notesOf } from './numbers/headline-notes.js'

type PlacesNoted = { absent: readonly string[]; partial: readonly string[] }

export type HeadlineInput = {
  /** `overview`: the caller asks no question, or asks for all. `nothing`: no question about frames was found. */
  about: 'overview' | 'nothing' | 'figures'
  /** These facets answer the question, in its order. */
  answers: readonly AnsweringFacet[]
  /** These facets are near to a part of the question which has an unknown word. */
  nearest: readonly AnsweringFacet[]
  /** No dataset has these words of the question. */
  unknown: readonly string[]
  /** These parts of the question are understood and not computed. */
  unanswered: readonly string[]
  /** These subjects are near to the question, cost credits, and are not shown, as nobody asked for them alone. */
  priced: readonly string[]
  /** Sentences that say why a part of the question has no figure here. */
  reasons?: readonly string[]
  /** None of the frames, or only some of a profile's frames, lie in these places of the question. */
  places: PlacesNoted
  frames: number
  leftOut: readonly DatasetLeftOut[]
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
  const { about, answers, nearest, places, frames } = input
  const over = `${groupThousands(String(frames))} ${frames === 1 ? 'frame' : 'frames'}`
  const notes = lackNotes(input)
  const placed = placeNotes(places)
  if (answers.length > 0) {
    const near = nearest.length === 0 ? [] : [`The nearest to the rest: ${figuresText(nearest)}.`]
    return [...notes, ...placed, `${figuresText(answers)} (${over} asked).`, ...near].join(' ')
  }
  if (nearest.length > 0)
    return [...notes, ...placed, `The nearest: ${figuresText(nearest)} (${over} asked).`].join(' ')
  if (notes.length > 0) return [...notes, ...placed, `A profile of ${over}.`].join(' ')
  const profile = about === 'overview' ? `Profile of ${over}.` : `${NO_QUESTION} A profile of ${over}.`
  return [...placed, profile].join(' ')
}

export const NO_QUESTION = 'No question about these frames was found.'

function lackNotes({ unknown, unanswered, priced, leftOut, reasons = [] }: HeadlineInput): string[] {
  return [
    ...(leftOut.length === 0 ? [] : [leftOutText(leftOut)]),
    ...(unknown.length === 0 ? [] : [`No dataset has a name for ${quotedWords(unknown)}.`]),
    ...(unanswered.length === 0 ? [] : [`Not answered: ${quotedWords(unanswered)}.`]),
    ...(priced.length === 0 ? [] : [pricedText(priced)]),
    ...reasons,
  ]
}

/** The sentences that come before any figure, in the headline and in a narrative. */
export function notesBeforeFigures(input: HeadlineInput): string[] {
  const notes = lackNotes(input)
  const isFound = input.about !== 'nothing' || notes.length + input.answers.length + input.nearest.length > 0
  return [...notes, ...placeNotes(input.places), ...(isFound ? [] : [NO_QUESTION])]
}

const placeNotes = ({ absent, partial }: PlacesNoted): string[] => [
  ...(absent.length === 0 ? [] : [`None of these frames lies in ${absent.join(' or ')}.`]),
  ...(partial.length === 0 ? [] : [`Only some of these frames lie in ${partial.join(' or ')}.`]),
]

/** True where the headline says that the question, or a part of it, is not answered. */
export const isUnanswered = (headline: string): boolean =>
  /^(?:.*? (?:is|are) left out: .*?\. )?(?:No dataset has a name for "|Not answered: "|No question about |"[^"]*" costs \d+ credits? a call, )/.test(
    headline,
  )

type Replayed = { facets: readonly AnsweringFacet[]; frames: number; leftOut: readonly DatasetLeftOut[] }

/** An answer does not hold its question. Its headline may quote any words of it, and names facets from the first on. */
export function isPossibleHeadline(headline: string, { facets, frames, leftOut }: Replayed): boolean {
  const notes = notesOf(headline)
  const possible = (about: HeadlineInput['about'], answers: number, nearest: number) =>
    headlineOf({
      about,
      answers: facets.slice(0, answers),
      nearest: facets.slice(answers, answers + nearest),
      ...notes,
      frames,
      leftOut: about === 'overview' ? [] : leftOut,
    }) === headline
  if (possible('overview', 0, 0) || possible('nothing', 0, 0)) return true
  const counts = Array.from({ length: Math.min(facets.length, REPLAYED_MAX) + 1 }, (_, count) => count)
  return counts.some((answers) => counts.some((nearest) => possible('figures', answers, nearest)))
}

/** More answers than a headline names make the same headline. */
const REPLAYED_MAX = FIGURES_MAX + 1
const quotedWords = (words: readonly string[]) => words.map((word) => `"${word.replaceAll('"', "'")}"`).join(', ')

function figuresText(facets: readonly AnsweringFacet[]): string {
  const texts = facets.map((facet) => `${facet.label}: ${facet.value}${coverageText(facet)}`)
  return [...texts.slice(0, FIGURES_MAX), ...(texts.length > FIGURES_MAX ? ['and more'] : [])].join('; ')
}

/** The values of other statistics say by themselves how many frames they are of. */
const OF_RECORDED_FRAMES = [
  'sum',
  'mean',
  'weighted_mean',
  'median',
  'min',
  'max',
  'range',
  'rank',
  'part',
  'portion',
  'per',
  'change',
]

/** A total of a part of the frames must not pass for the total of all. */
const coverageText = ({ source, typed }: AnsweringFacet) =>
  source.attribute !== 'feature' && OF_RECORDED_FRAMES.includes(source.statistic) && source.frames < typed.frames
    ? `${source.by === undefined ? ',' : ';'} recorded on ${frameCountText(source.frames, typed.frames)}`
    : ''

function leftOutText(datasets: readonly DatasetLeftOut[]): string {
  const [last = '', ...others] = datasets.map(({ name }) => name).toReversed()
  const costs = datasets.every(({ reason }) => reason === 'costs_credits')
  if (others.length === 0)
    return `${last} is left out: ${costs ? 'it costs credits' : 'the credits do not cover its price'}.`
  const why = costs ? 'they cost credits' : 'the credits do not cover their prices'
  return `${others.toReversed().join(', ')} and ${last} are left out: ${why}.`
}

const pricedText = (names: readonly string[]) =>
  names.length === 1
    ? `${quotedWords(names)} costs credits: only a question that is understood whole reads it.`
    : `${quotedWords(names)} cost credits: only a question that is understood whole reads them.`
