/** Writes the headline: the answer in one line, what no dataset records, and what the credits did not cover. */
import { groupThousands } from '../decimal.js'
import { type Facet, frameCountText } from '../figures/index.js'
import { lackSentences, type Notes, noteSentences } from './notes.js'

/** The facets that the headline names come first. */
type Figures = { facets: readonly NamedFacet[]; frames: number }
type NamedFacet = Pick<Facet, 'label' | 'value' | 'source'> & { typed: Pick<Facet['typed'], 'frames'> }

export const NO_FRAMES = 'None of these frames is in the index.'

/** A headline names this many figures. */
export const FIGURES_MAX = 6

/**
 * Names a dataset that was left out, and words that no dataset has, before any figure: a reader must not take the
 * figure for that of the dataset, nor for an answer to the whole question.
 */
export const headlineOf = (notes: Notes, figures: Figures): string =>
  [...noteSentences(notes), figuresOfHeadline(notes, figures)].join(' ')

/** A number in the notes is one of the question, and no figure. */
export function figuresOfHeadline(notes: Notes, { facets, frames }: Figures): string {
  const { profile, answers, nearest } = notes
  const over = `${groupThousands(String(frames))} ${frames === 1 ? 'frame' : 'frames'}`
  const near = figuresText(facets.slice(answers, answers + nearest))
  if (answers > 0)
    return `${figuresText(facets.slice(0, answers))} (${over} asked).${near && ` The nearest to the rest: ${near}.`}`
  if (near) return `The nearest: ${near} (${over} asked).`
  return `${profile && lackSentences(notes).length === 0 ? 'P' : 'A p'}rofile of ${over}.`
}

/**
 * `exact`: the first facet answers the question, or none was asked. `read`: it does, by words that a plan or a near
 * miss tied to a name, or without words that carry nothing. `nearest`: the question, or a part of it, is not answered.
 */
export type Confidence = 'exact' | 'read' | 'nearest'

export function confidenceOf(notes: Notes): Confidence {
  const { profile, answers, nearest, absent, partial, readAs } = notes
  const lacks = lackSentences(notes).length + nearest + absent.length + partial.length
  if (lacks > 0 || (!profile && answers === 0)) return 'nearest'
  return readAs.length > 0 ? 'read' : 'exact'
}

function figuresText(facets: readonly NamedFacet[]): string {
  const texts = facets.map((facet) => `${facet.label}: ${facet.value}${headlineCoverage(facet)}`)
  return [...texts.slice(0, FIGURES_MAX), ...(texts.length > FIGURES_MAX ? ['and more'] : [])].join('; ')
}

/** The values of these say by themselves how many frames they are of. */
const SAYS_FRAMES = ['mode', 'share', 'count', 'frames', 'value', 'per_km2', 'names', 'extent', 'passing']

/** A total of a part of the frames must not pass for the total of all. */
const headlineCoverage = ({ source, typed }: NamedFacet) =>
  (source.attribute !== 'feature' || source.statistic === 'per' || source.by !== undefined) &&
  !SAYS_FRAMES.includes(source.statistic) &&
  source.frames < typed.frames
    ? `${source.by === undefined ? ',' : ';'} recorded on ${frameCountText(source.frames, typed.frames)}`
    : ''
