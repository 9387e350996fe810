/** Writes the headline: the first sentences of the menu, behind what is not recorded, not answered or left out. */
import { noun } from '../counted.js'
import { groupThousands } from '../decimal.js'
import { AREA, type Facet } from '../figures/index.js'
import { lackSentences, type Notes, noteSentences } from './notes.js'
import { composed, narrativeText } from './sentences/compose.js'
import { type Menu, type MenuInput, menuOf, type Sentence, UNQUOTABLE_FIGURE } from './sentences/menu.js'
import { unaccountedNumbers } from './verify/verify.js'

export const NO_FRAMES = 'None of these frames is in the index.'

/** A headline names this many figures. */
const FIGURES_MAX = 6

/** The facts of an answer, but for its headline. */
type Figures = { facets: readonly Facet[]; frames: number; frameIds: readonly string[] }
/** `figures` is the headline without its notes: a number in the notes is one of the question, and no figure. */
type Headline = { headline: string; figures: string; input: MenuInput }

/**
 * Names a dataset that was left out, and words that no dataset has, before any figure: a reader must not take the
 * figure for that of the dataset, nor for an answer to the whole question.
 */
export function headlineOf(notes: Notes, figures: Figures): Headline {
  const before = noteSentences(notes)
  const input = { ...placesOf(notes, figures.facets), facts: { ...figures, headlineFigures: '' }, notes: before }
  const text = figuresText(notes, figures, menuOf(input, unaccountedNumbers))
  const facts = { ...input.facts, headlineFigures: text }
  return {
    headline: [...before, text].filter((part) => part !== '').join(' '),
    figures: text,
    input: { ...input, facts },
  }
}

/** The facets that answer the question come first, and those that are near to it behind them. */
function placesOf({ answers, nearest }: Notes, facets: readonly Facet[]): Pick<MenuInput, 'answers' | 'nearest'> {
  const places = facets.map((_, place) => place)
  return {
    answers: places
      .slice(0, answers)
      .slice(0, FIGURES_MAX)
      .flatMap((place) => [place, ...wardsBeside(place, facets)])
      .slice(0, FIGURES_MAX),
    nearest: places.slice(answers, answers + nearest).slice(0, FIGURES_MAX),
  }
}

/** The figure of a few frames and that of their ward are told together. */
function wardsBeside(place: number, facets: readonly Facet[]): number[] {
  const answer = facets[place]?.source
  return facets.flatMap(({ source: { layerId, attribute, unit } }, i) =>
    unit !== undefined && answer?.unit === undefined && layerId === answer?.layerId && attribute === answer.attribute
      ? [i]
      : [],
  )
}

function figuresText(notes: Notes, { facets, frames }: Figures, menu: Menu): string {
  const { profile, answers } = notes
  const near = sentencesText(menu.nearest, facets)
  if (answers > 0) {
    const more = answers > FIGURES_MAX ? ' The facets have more.' : ''
    return sentencesText(menu.answers, facets) + more + (near && ` The nearest to the rest: ${inside(near)}`)
  }
  if (near) return `The nearest: ${inside(near)}`
  // No figure is near to what nothing has.
  if (!profile && lackSentences(notes).length > 0) return ''
  const [first] = facets
  const of = first?.typed.place === AREA ? undefined : first?.typed.place
  const over = `${groupThousands(String(frames))} ${noun(frames, 'frame')}`
  const start = `${profile && lackSentences(notes).length === 0 ? 'P' : 'A p'}rofile of`
  return of === undefined ? `${start} ${over}.` : `${start} ${of}: ${over}.`
}

/** A sentence behind a colon; a name keeps its capital. */
const inside = (text: string) =>
  /^(?:The|These|This|There|Those|They|It|In|On|Of|Over|By|All|Both|None|A|An|At|From|Averaged|Equally) /.test(text)
    ? text.charAt(0).toLowerCase() + text.slice(1)
    : text

/** A headline quotes names that a page does not show as a sentence. */
function sentencesText(sentences: readonly Sentence[], facets: readonly Facet[]): string {
  const quoted = sentences.map((sentence): Sentence => {
    const { label = '', value = '' } = facets[sentence.figures[0] ?? 0] ?? {}
    return sentence.wordings[0] === UNQUOTABLE_FIGURE ? { ...sentence, wordings: [`${label}: ${value}.`] } : sentence
  })
  const menu = { lead: quoted, answers: [], nearest: [], others: [], all: [] }
  return narrativeText(composed(menu, []))
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
