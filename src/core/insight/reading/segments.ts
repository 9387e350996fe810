/** Cuts a sentence into the parts that a chart joins into figures, at the least cost of what is left out. */
import { OF_AMOUNTS } from './amount-productions.js'
import type { Catalogue } from './catalogue.js'
import { chartOf, type Edge, grammarOf, leavesOf, type Skip } from './chart.js'
import { isKept, withOtherDatasets } from './chosen-figures.js'
import { OF_CALCULATIONS } from './figure-productions.js'
import { type Condition, type FigureFragment, nameOf } from './fragments.js'
import { OF_GROUPS, OF_LISTS, OF_ORDERS } from './group-productions.js'
import { type Lexicon, lexiconOf } from './lexicon.js'
import { type ClassNamed, type Token, tokensOf, topicsOf } from './tokens.js'
import { isOfLabel } from './names.js'
import type { Production } from './production.js'
import { OF_CLASSES, OF_NUMBERS, OF_PLACES, OF_THINGS } from './productions.js'
import type { ReadAs, WholeLevel } from './reading.js'
import { OF_TESTS } from './test-productions.js'
import type { Topic } from './topic.js'
import type { Word } from './words.js'

export const PRODUCTIONS: readonly Production[] = [
  ...OF_NUMBERS, ...OF_PLACES, ...OF_CLASSES, ...OF_THINGS, ...OF_TESTS, ...OF_AMOUNTS, ...OF_CALCULATIONS, ...OF_GROUPS, ...OF_ORDERS, ...OF_LISTS,
] // prettier-ignore

const GRAMMAR = grammarOf(PRODUCTIONS)

/** The figures are those of a unit of this level, or of so many frames. A question about another whole is not answered. */
export type Asked = { level?: WholeLevel; frames?: number; grammar?: typeof GRAMMAR }

/** A part of a sentence: figures, or what limits the other parts. */
export type Segment = {
  tokens: readonly Token[]
  isKnown: (at: number) => boolean
  from: number
  to: number
  lost: readonly number[]
  figures: FigureFragment[]
  lead: Condition[]
  readAs: readonly ReadAs[]
  isFirst: boolean
}

/** Words that ask and join may be left out beside others; that says less. */
export const QUIET =
  /^(which|what|whats|#count|number|who|whom|of|in|on|at|for|from|to|and|or|with|has|have|do|does|by|how|where|,)$/
const COSTS = { comma: 1, quiet: 8, unknown: 24, known: 30, segment: 2 }

function costOf({ word }: Token, isKnown: boolean): number {
  if (word === ',') return COSTS.comma
  return QUIET.test(word) ? COSTS.quiet : isKnown ? COSTS.known : COSTS.unknown
}

export function segmentsOf(
  catalogue: Catalogue,
  words: readonly Word[],
  { grammar = GRAMMAR, ...whole }: Asked,
): Segment[] {
  const tokens = tokensOf(catalogue, words)
  if (tokens.length === 0) return []
  const lexicon = lexiconOf(catalogue, words, tokens, whole)
  const chart = (skips: Skip[][]) =>
    chartOf({ length: tokens.length, words: lexicon.edges, grammar, context: catalogue, skips })
  const all = segmented({ tokens, lexicon, skips: lexicon.skips, found: chart(lexicon.skips), isWhole: true })
  if (all) return all
  const skips = lexicon.skips.map((own, at): Skip[] => {
    const token = tokens[at]
    const isFree = own.some(({ to }) => to === at + 1)
    return isFree || !token ? own : [...own, { to: at + 1, cost: costOf(token, lexicon.isKnown(at)) }]
  })
  return segmented({ tokens, lexicon, skips, found: chart(skips), isWhole: false }) ?? []
}

type Sentence = {
  tokens: readonly Token[]
  lexicon: Lexicon
  skips: readonly (readonly Skip[])[]
  found: (from: number, to: number, category: string) => readonly Edge[]
  isWhole: boolean
}
type Path = { cost: number; segments: Segment[]; isIdle: boolean }
const isJoiner = ({ word }: Token) => /^(and|but|,)$/.test(word)

/** A sentence that only limits is no question, but for one that names a place. */
const IDLE = 100

/** The cheapest segments that a sentence has, one behind another. Each ends at an "and", a comma or the end. */
function segmented(sentence: Sentence): Segment[] | undefined {
  const { tokens, isWhole } = sentence
  const best: Path[][] = [[{ cost: 0, segments: [], isIdle: false }]]
  const keep = (at: number, path: Path) => {
    const others = (best[at] ?? []).filter(({ isIdle }) => isIdle !== path.isIdle)
    const known = (best[at] ?? []).find(({ isIdle }) => isIdle === path.isIdle)
    if (!known || path.cost < known.cost) best[at] = [...others, path]
  }
  for (let from = 0; from < tokens.length; from++)
    for (const path of best[from] ?? [])
      for (let to = from + 1; to <= tokens.length; to++) {
        const end = tokens[to]
        if (end && !isJoiner(end)) continue
        for (const found of segmentsAt(sentence, from, to)) {
          if (isWhole && found.lost.length > 0) continue
          const { figures, lead } = found.segment
          const isIdle = figures.length === 0 && (path.segments.length === 0 || path.isIdle) && (path.isIdle || lead.some(({ isPlace }) => !isPlace)) // prettier-ignore
          const cost = path.cost + found.cost + (path.segments.length > 0 ? COSTS.segment : 0)
          const next = { cost, segments: [...path.segments, found.segment], isIdle }
          const isTwice = end?.word === ',' && tokens[to + 1]?.word === 'and'
          for (const place of end ? [to + 1, ...(isTwice ? [to + 2] : [])] : [to]) keep(place, next)
        }
      }
  const [first] = (best[tokens.length] ?? []).toSorted((a, b) => a.cost + (a.isIdle ? IDLE : 0) - b.cost - (b.isIdle ? IDLE : 0)) // prettier-ignore
  return first && !(isWhole && first.isIdle) ? first.segments : undefined
}

type Priced = { segment: Segment; cost: number; lost: readonly number[] }

function segmentsAt(sentence: Sentence, from: number, to: number): Priced[] {
  const { tokens, lexicon, found } = sentence
  const base = { tokens, isKnown: lexicon.isKnown, from, to, readAs: [], isFirst: from === 0 }
  const made: Priced[] = []
  const starts = startsOf(sentence, from, to)
  for (const [start, { cost, lost }] of starts) {
    const own =
      start === to
        ? []
        : [
            ...withOtherDatasets(found(start, to, 'figures').filter((edge) => isKept(edge) && hasVerbs(edge, lexicon))),
            ...found(start, to, 'lead').slice(0, 1),
          ]
    for (const edge of own) {
      const all = [...lost, ...edge.lost]
      const isLead = edge.category === 'lead'
      // "Where is the land cover forest" asks.
      if (isLead && tokens[start]?.word === 'where' && /^(is|are)$/.test(tokens[start + 1]?.word ?? '')) continue
      const figures = isLead ? [] : (edge.value as FigureFragment[])
      const lead = isLead ? (edge.value as Condition[]) : []
      made.push({
        segment: { ...base, lost: all, figures, lead, readAs: headings(edge, tokens) },
        cost: cost + edge.cost + (isLead ? 2 : 0),
        lost: all,
      })
    }
    if (start === to && (lost.length > 0 || to === tokens.length))
      made.push({ segment: { ...base, lost, figures: [], lead: [] }, cost, lost })
  }
  const cheapest = made.toSorted((a, b) => a.cost - b.cost)
  const kinds = [cheapest.find(({ segment }) => segment.lead.length === 0), cheapest.find(({ segment }) => segment.lead.length > 0)] // prettier-ignore
  return kinds.flatMap((each) => each ?? [])
}

/** A verb, or "per year", asks for nothing more beside its own subject alone. */
function hasVerbs(edge: Edge, { verbs }: Lexicon): boolean {
  const leaves = leavesOf(edge)
  const text = JSON.stringify(edge.value)
  // "Over 40 hours per week" has no name of the hours.
  const isTested = (topic: Topic) => nameOf(topic) !== '' && text.includes(`{"name":"${nameOf(topic)}"`)
  const isOf = (topics: readonly Topic[]) =>
    leaves.some((leaf) => topicsOf(leaf).some((topic) => topics.includes(topic))) || topics.some(isTested)
  return [...verbs].every(
    ([at, topics]) =>
      at < edge.from ||
      at >= edge.to ||
      leaves.some(({ from, category }) => from === at && category !== 'with') ||
      isOf(topics),
  )
}

/** Beside a class, a name of its category may be narrower than the label: "farmland forest". The answer says it. */
function headings(edge: Edge, tokens: readonly Token[]): ReadAs[] {
  const leaves = leavesOf(edge)
  return leaves.flatMap(({ category, value, from, to, readAs }, i) => {
    const isBeside = [leaves[i - 1], leaves[i + 1]].some(
      (each) => each?.category === 'class' && (each.value as ClassNamed).topic === value,
    )
    const words = textOf(tokens.slice(from, to).filter(({ isFree }) => !isFree))
    // The name of its category stands beside a class.
    const isNamed = category === 'class' && leaves.some((each) => each.value === (value as ClassNamed).topic)
    if (readAs !== undefined) return isNamed ? [] : [{ words, name: readAs }]
    if (category !== 'category' || !isBeside) return []
    const { label } = value as Topic
    return isOfLabel(label, words) ? [] : [{ words, name: label }]
  })
}

/** Where a fragment may start, with the words before it that are left out. */
function startsOf(
  { skips, tokens }: Sentence,
  from: number,
  to: number,
): Map<number, { cost: number; lost: number[] }> {
  const starts = new Map([[from, { cost: 0, lost: [] as number[] }]])
  for (let at = from; at < to; at++) {
    const own = starts.get(at)
    // A part of its own ends at a comma.
    for (const { to: next, cost } of own && tokens[at]?.word !== ',' ? (skips[at] ?? []) : []) {
      const sum = { cost: (own?.cost ?? 0) + cost, lost: cost > 0 ? [...(own?.lost ?? []), at] : (own?.lost ?? []) }
      const known = starts.get(next)
      if (next <= to && (!known || sum.cost < known.cost)) starts.set(next, sum)
    }
  }
  return starts
}

export const textOf = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(' ').replaceAll(' ,', ',') // prettier-ignore
