/**
 * Reads a question of which the reader of clauses understood only a part: a chart joins its words into one figure of
 * the algebra. Every word of it is in the figure, or the question is not read.
 */
import type { AlgebraFigure, Subject } from '../../figures/index.js'
import type { Catalogue } from './catalogue.js'
import { chartOf, type Edge } from './chart.js'
import type { WholeLevel } from './clause.js'
import { figureOf, type FigureFragment, nameOf } from './fragments.js'
import { figureProductions } from './figure-productions.js'
import { edgesOf, tokensOf } from './lexicon.js'
import { productionsFor } from './productions.js'
import type { Production } from './production.js'
import type { Reading } from './reading.js'
import { layerOf } from './topic.js'
import { wordsOf } from './words.js'

/** A longer question is no single figure. */
const TOKENS_MAX = 40

export const productionsOf = (catalogue: Catalogue) => [...productionsFor(catalogue), ...figureProductions(catalogue)]

export function composedReading(
  catalogue: Catalogue,
  question: string,
  level: WholeLevel,
  productions: readonly Production[] = productionsOf(catalogue),
): Reading | undefined {
  const words = wordsOf(question)
  const tokens = tokensOf(words)
  if (tokens.length === 0 || tokens.length > TOKENS_MAX) return undefined
  const start = tokens.findIndex(({ isFree }) => !isFree)
  const edges = edgesOf(catalogue, words, tokens, level)
  const figures = chartOf(tokens.length, edges, productions, (at) => tokens[at]?.isFree === true)
  const found = [...new Set([0, start])].flatMap((from) => figures(from, 'figure')) as (Edge & {
    value: FigureFragment
  })[]
  const best = cheapest(found)
  const isOpen = best && isOfWholeOrPart(best, tokens.map(({ word }) => word)) // prettier-ignore
  return best && !isOpen ? readingOf(catalogue, best, question.replace(/[?.!\s]+$/, '')) : undefined
}

/** Undefined where two readings cost the same and differ: nobody knows which of them is meant. */
function cheapest(found: readonly (Edge & { value: FigureFragment })[]): FigureFragment | undefined {
  const [first, second] = found.toSorted((a, b) => a.cost - b.cost)
  const isSame = first && second && sameFigure(first.value, second.value)
  return first && second && !isSame && second.cost === first.cost ? undefined : first?.value
}

/** "Share of urban people with a school": without a verb, the school may be of the whole or of the part. */
function isOfWholeOrPart({ op, to }: FigureFragment, words: readonly string[]): boolean {
  const tests = to ? [...to.things.where, ...to.things.among].filter((test) => !('recorded' in test)) : []
  const hasVerb = words.some((word) =>
    /^(live|lives|living|is|are|have|has|lack|lacks|lie|lies|stand|stands|do|does)$/.test(word),
  )
  return op === 'percent' && tests.length > 0 && !hasVerb
}

/** The order of tests is no difference. */
const sameFigure = (a: FigureFragment, b: FigureFragment): boolean => {
  const sorted = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map((each) => JSON.stringify(sorted(each))).toSorted()
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(Object.entries(value).map(([key, each]) => [key, sorted(each)]))
  }
  return JSON.stringify(sorted(figureOf(a))) === JSON.stringify(sorted(figureOf(b)))
}

function readingOf(catalogue: Catalogue, fragment: FigureFragment, words: string): Reading {
  const figure = figureOf(fragment)
  const subjects = subjectsOf(catalogue, figure)
  const own = fragment.of.topic?.subject
  const subject: Subject = own ?? { kind: 'index', figure: fragment.of.is === 'land' ? 'area' : 'frames' }
  const measure = fragment.unit?.name
  const operation = { op: 'figure' as const, figure, subjects, words, ...(measure !== undefined && { measure }) }
  return { asks: [{ subject, operation, where: [] }], unknown: [], unanswered: [], wants: 'figures' }
}

/** Every subject that the figure reads: its dataset is paid for. */
function subjectsOf({ topics }: Catalogue, figure: AlgebraFigure): Subject[] {
  const layers = new Set<string>()
  const names = new Set<string>()
  JSON.stringify(figure, (key, value: unknown) => {
    if (/^(of|near|things)$/.test(key) && typeof value === 'string') layers.add(value)
    if (key === 'name' && typeof value === 'string') names.add(value)
    return value
  })
  return topics.flatMap((topic) => {
    const isNamed = topic.type === 'features' || names.has(nameOf(topic))
    return layers.has(layerOf(topic) ?? '') && isNamed ? [topic.subject] : []
  })
}
