/**
 * Reads a question: a chart joins its words into figures. Where no figure has all of them, it is the nearest that leaves
 * the fewest out, and those are said.
 */
import { OF_AMOUNTS } from './amount-productions.js'
import { asksOf } from './asks.js'
import type { Catalogue } from './catalogue.js'
import { chartOf, type Edge, type Skip } from './chart.js'
import { cuesAt } from './cues.js'
import { OF_CALCULATIONS } from './figure-productions.js'
import { type Condition, type FigureFragment, limitedCalculation, nameOf } from './fragments.js'
import { OF_GROUPS, OF_LISTS, OF_ORDERS } from './group-productions.js'
import { type Lexicon, lexiconOf, type Token, tokensOf } from './lexicon.js'
import { isKept, withOtherDatasets } from './chosen-figures.js'
import type { Production } from './production.js'
import { OF_CLASSES, OF_NUMBERS, OF_PLACES, OF_THINGS } from './productions.js'
import { OF_TESTS } from './test-productions.js'
import type { Ask, NamedPlace, ReadAs, Reading, WholeLevel } from './reading.js'
import { plainWordsOf, type Word, wordsOf } from './words.js'

export const PRODUCTIONS: readonly Production[] = [
  ...OF_NUMBERS, ...OF_PLACES, ...OF_CLASSES, ...OF_THINGS, ...OF_TESTS, ...OF_AMOUNTS, ...OF_CALCULATIONS, ...OF_GROUPS, ...OF_ORDERS, ...OF_LISTS,
] // prettier-ignore

const NOTHING: Reading = { asks: [], unknown: [], unanswered: [], wants: 'nothing' }
/** Markup, SQL and templates are no question. */
const CODE =
  /\{[^}]*\}|<\/?[a-z!][^>]*>|--\s*$|\bselect\b.+\bfrom\b.+;|;\s*(?:drop|delete|insert|update|alter|truncate)\b/is
const INSTRUCTION =
  /\b(ignore|disregard|forget|override)\b.*\b(instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are now\b|\bpretend\b|\bjailbreak\b/i

/** `level`: the figures are those of such a unit. A question about another whole is not answered. */
type Asked = { level?: WholeLevel; productions?: readonly Production[] }

export function readQuestion(catalogue: Catalogue, question: string, asked: Asked = {}): Reading {
  if (CODE.test(question) || INSTRUCTION.test(question)) return NOTHING
  const read: Segment[] = []
  for (const words of sentencesOf(wordsOf(question))) read.push(...segmentsOf(catalogue, words, asked))
  return readingOf(catalogue, read)
}

/** A longer sentence is cut at its commas. */
const TOKENS_MAX = 40

function sentencesOf(words: readonly Word[]): Word[][] {
  const cut = (isEnd: (word: Word, length: number) => boolean, all: readonly Word[]) =>
    all.reduce<Word[][]>((parts, word) => {
      const last = parts.at(-1)
      if (!last || isEnd(word, last.length)) return [...parts, [word]]
      last.push(word)
      return parts
    }, [])
  return cut(({ mark }) => mark === 'strong', words).flatMap((sentence) =>
    sentence.length <= TOKENS_MAX
      ? [sentence]
      : cut(({ mark }) => mark !== '', sentence).flatMap((part) => cut((_, length) => length >= TOKENS_MAX, part)),
  )
}

/** A part of a sentence: figures, or what limits the other parts. */
type Segment = {
  tokens: readonly Token[]
  isKnown: (at: number) => boolean
  from: number
  to: number
  lost: readonly number[]
  figures: FigureFragment[]
  lead: Condition[]
  isFirst: boolean
}

/** Words that ask and join may be left out beside others; that says less. */
const QUIET =
  /^(which|what|whats|#count|number|who|whom|of|in|on|at|for|from|to|and|or|with|has|have|do|does|by|how|where|,)$/
const COSTS = { comma: 1, quiet: 8, unknown: 24, known: 30, segment: 2 }

function costOf({ word }: Token, isKnown: boolean): number {
  if (word === ',') return COSTS.comma
  return QUIET.test(word) ? COSTS.quiet : isKnown ? COSTS.known : COSTS.unknown
}

function segmentsOf(
  catalogue: Catalogue,
  words: readonly Word[],
  { level, productions = PRODUCTIONS }: Asked,
): Segment[] {
  const tokens = tokensOf(catalogue, words)
  if (tokens.length === 0) return []
  const lexicon = lexiconOf(catalogue, words, tokens, level)
  const chart = (skips: Skip[][]) =>
    chartOf({ length: tokens.length, words: lexicon.edges, rules: productions, context: catalogue, skips })
  const whole = segmented({ tokens, lexicon, skips: lexicon.skips, found: chart(lexicon.skips), isWhole: true })
  if (whole) return whole
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
  const base = { tokens, isKnown: lexicon.isKnown, from, to, isFirst: from === 0 }
  const made: Priced[] = []
  const starts = startsOf(sentence, from, to)
  for (const [start, { cost, lost }] of starts) {
    const own =
      start === to
        ? []
        : [...withOtherDatasets(found(start, to, 'figures').filter(isKept)), ...found(start, to, 'lead').slice(0, 1)]
    for (const edge of own) {
      const all = [...lost, ...edge.lost]
      const isLead = edge.category === 'lead'
      // "Where is the land cover forest" asks.
      if (isLead && tokens[start]?.word === 'where' && /^(is|are)$/.test(tokens[start + 1]?.word ?? '')) continue
      const figures = isLead ? [] : (edge.value as FigureFragment[])
      const lead = isLead ? (edge.value as Condition[]) : []
      made.push({
        segment: { ...base, lost: all, figures, lead },
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

type Section = { segment: Segment; figures: FigureFragment[]; isLost: boolean }
const placesIn = (figures: readonly FigureFragment[]): boolean => JSON.stringify(figures).includes('"said"')
const limitedTo = (figures: readonly FigureFragment[], conditions: readonly Condition[]): FigureFragment[] =>
  conditions.flatMap((condition) =>
    figures.flatMap((figure) => {
      const own = limitedCalculation(figure, condition)
      return own ? [{ ...figure, ...own }] : []
    }),
  )

/** "In Marembe, how many people and how many schools", "how many people, and in Lakeside": the place is of all figures. */
function withLeads(read: readonly Segment[]): Section[] {
  const leads = read.filter(({ lead, figures }) => lead.length > 0 && figures.length === 0)
  const isBeside = (segment: Segment) =>
    !segment.isFirst &&
    (segment.tokens[segment.from - 1]?.word === 'and' ||
      /^(and|what|how)$/.test(segment.tokens[segment.from]?.word ?? ''))
  return read.map((segment) => {
    const { figures } = segment
    if (figures.length === 0) return { segment, figures, isLost: false }
    let all = figures
    for (const { lead } of leads.filter((each) => !isBeside(each))) all = limitedTo(all, lead)
    const beside = leads.filter(isBeside).flatMap(({ lead }) => limitedTo(figures, lead))
    // "Not in Marembe and in N'Dara" may mean one or the other.
    const isEither = figures.some(({ of }) => of.things.isDenied) && leads.some(({ isFirst }) => !isFirst)
    return { segment, figures: [...all, ...beside], isLost: all.length === 0 || isEither }
  })
}

/** A place of the first or of the last figure of a sentence is that of the others, too. */
function sharedPlace(
  sections: readonly Section[],
  segment: Segment,
  figures: readonly FigureFragment[],
): FigureFragment[] {
  const same = sections.filter((each) => each.segment.tokens === segment.tokens)
  const all = same.flatMap((each) => each.figures)
  const [own, ...more] = all.filter((figure) => placesIn([figure]))
  const isAtEnd = own !== undefined && (own === all[0] || own === all.at(-1))
  if (!own || more.length > 0 || !isAtEnd || same.some((each) => each.segment.lead.length > 0)) return [...figures]
  const filters = [...own.of.things.where, ...own.of.things.among].filter((filter) => 'said' in filter)
  return figures.map((figure) => {
    if (figure === own) return figure
    return filters.reduce<FigureFragment>(
      (each, frames) => ({ ...each, ...limitedCalculation(each, { frames, isPlace: true }) }),
      figure,
    )
  })
}

const textOf = (tokens: readonly Token[]) => tokens.map(({ text }) => text).join(' ').replaceAll(' ,', ',') // prettier-ignore

/** "How many people live there": the part points at the frames of the one before it. "Are there" does not. */
const pointsBack = ({ tokens, from, to }: Segment): boolean =>
  /\b(them|those|it|their|its|they)\b|(?<!\b(is|are|was|were) )\bthere\b(?! (is|are)\b)/.test(
    tokens.slice(from, to).map(({ word }) => word).join(' '),
  ) // prettier-ignore
/** "People in urban frames and non-urban frames": the second may be elliptic, where it does not ask by itself. */
function isElliptic({ tokens, from, to, figures }: Segment, earlier: readonly FigureFragment[]): boolean {
  const first = tokens.slice(from, to).find(({ isFree }) => !isFree)
  if (
    earlier.length === 0 ||
    figures.length === 0 ||
    /^(#count|which|what|where|how|number|who|list|name)$/.test(first?.word ?? '')
  )
    return false
  const isOfFrames = figures.some(({ of }) => of.is === 'count' && of.things.of === 'frames')
  const isLimited = earlier.some(({ of, op }) => op === 'percent' || [...(of.things.of === 'frames' ? of.things.where : of.things.among)].some((filter) => !('said' in filter))) // prettier-ignore
  return (
    earlier.some(({ of }) => of.things.isDenied === true) || (isLimited && (isOfFrames || !figures.some(limitsFrames)))
  )
}
const limitsFrames = ({ of }: FigureFragment) => of.things.where.length + of.things.among.length > 0
const limits = (figures: readonly FigureFragment[]): boolean =>
  figures.some(({ of, order, having }) => of.things.where.length + of.things.among.length > 0 || order || having)

function readingOf(catalogue: Catalogue, read: readonly Segment[]): Reading {
  const asks: Ask[] = []
  const unknown: string[] = []
  const unanswered: string[] = []
  const readAs: ReadAs[] = []
  const places: NamedPlace[] = []
  let isLimited = false
  let earlier: FigureFragment[] = []
  const sections = withLeads(read)
  for (const { segment, figures, isLost } of sections) {
    if (segment.isFirst) earlier = []
    const own = sharedPlace(sections, segment, figures)
    const { tokens, from, to } = segment
    const lost = wordsLost(segment, ownWords(catalogue, own))
    const text = textOf(tokens.slice(from, to))
    const isBack = isLimited && segment.figures.length > 0 && pointsBack(segment)
    const found = own.map((figure) => (isOpen(figure, tokens) ? [] : asksOf(catalogue, figure, text)))
    const isUnread = isLost || isBack || isElliptic(segment, earlier) || found.some(({ length }) => length === 0)
    unknown.push(...lost.unknown)
    unanswered.push(...lost.unanswered, ...(isUnread ? [isLost ? textOf(tokens) : text] : []))
    const isNearest = isUnread || lost.unknown.length + lost.unanswered.length > 0
    for (const ask of found.flat()) asks.push(isNearest ? { ...ask, isNearest } : ask)
    for (const [at, token] of tokens.entries())
      if (token.near !== undefined && at >= from && at < to && !segment.lost.includes(at))
        readAs.push({ words: token.text, name: token.near })
    places.push(...saidIn([...segment.lead, ...figures]))
    isLimited ||= limits(figures)
    earlier = [...earlier, ...segment.figures]
  }
  if (asks.length === 0 && places.some(({ isExcluded }) => isExcluded))
    unanswered.push(read.map(({ tokens }) => textOf(tokens)).join(' '))
  const isEmpty = asks.length + unknown.length + unanswered.length === 0
  // A place is known by itself.
  const known = distinct([...asks.flatMap((ask) => ask.places ?? []), ...(asks.length > 0 ? [] : places)])
  const wants = !isEmpty ? 'figures' : isProfile(read) || places.length > 0 ? 'profile' : 'nothing'
  const same = (place: NamedPlace) => known.find((each) => JSON.stringify(each) === JSON.stringify(place)) ?? place
  return {
    asks: distinct(asks).map((ask) => (ask.places ? { ...ask, places: ask.places.map(same) } : ask)),
    unknown: [...new Set(unknown)],
    unanswered: [...new Set(unanswered)],
    readAs,
    // A profile is of the place, even where no frame lies there.
    places: wants === 'profile' ? known.map(({ otherwise: _class, ...place }) => place) : known,
    wants,
  }
}
const distinct = <T>(all: readonly T[]): T[] => [...new Map(all.map((each) => [JSON.stringify(each), each])).values()]
function saidIn(value: unknown, isExcluded = false): NamedPlace[] {
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, each]) =>
    key === 'said'
      ? [{ ...(each as NamedPlace), ...(isExcluded && { isExcluded }) }]
      : saidIn(each, isExcluded || key === 'not'),
  )
}
const isProfile = (read: readonly Segment[]): boolean =>
  read.some(({ tokens }) => {
    const plain = tokens.map(({ word }) => word)
    return plain.some((_, at) =>
      cuesAt(plain, at).some(({ cue }) => /^(profile|frames|state|lga|ward)$/.test(cue.kind)),
    )
  })

/** "Share of urban people with a school": without a verb, the school may be of the whole or of the part. */
function isOpen({ op, to, by }: FigureFragment, tokens: readonly Token[]): boolean {
  const isOfAmount = to && (to.is !== 'count' || to.things.of !== 'frames')
  const tests = isOfAmount ? [...to.things.where, ...to.things.among].filter((test) => !('recorded' in test) && !(by && 'said' in test)) : [] // prettier-ignore
  const hasVerb = tokens.some(({ word }) =>
    /^(live|lives|living|is|are|have|has|lack|lacks|lie|lies|stand|stands|do|does)$/.test(word),
  )
  return op === 'percent' && tests.length > 0 && !hasVerb
}

/** A word of a name of what is asked says nothing more: "what do people speak". */
function ownWords({ topics, stemOf }: Catalogue, figures: readonly FigureFragment[]) {
  const text = JSON.stringify(figures)
  const names = topics
    .filter((topic) => text.includes(`"name":"${nameOf(topic)}"`) || text.includes(JSON.stringify(topic.series)))
    .flatMap(({ label, names: all, unit = '' }) => [
      label,
      unit,
      ...all.filter((name) => /^(what|who|where) /.test(name)),
    ])
  const words = new Set(names.flatMap(plainWordsOf).map(stemOf))
  return (word: string) => words.has(stemOf(word))
}
const JOINING = /^(of|in|on|at|for|from|to|with|and|have|has|by|do|does)$/

/** Words that stand side by side are said together: "within 2 km of". */
function wordsLost({ tokens, isKnown, from, to, lost, figures, lead }: Segment, isOwn: (word: string) => boolean) {
  const left = lost.filter((at) => isKnown(at) || tokens[at]?.isGuess || !isOwn(tokens[at]?.word ?? ''))
  const runs: number[][] = []
  for (const at of left.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    const isNext = last && tokens.slice((last.at(-1) ?? 0) + 1, at).every(({ isFree }) => isFree)
    if (tokens[at]?.word === ',') continue
    if (isNext) last.push(at)
    else runs.push([at])
  }
  const is = (words: RegExp) => (at: number) => words.test(tokens[at]?.word ?? '')
  const isUnknown = (at: number) => !isKnown(at)
  const told = runs.filter((run) => !run.every(is(QUIET)))
  // Where they join alone, they are said with what they join.
  const isAlone = told.length === 0 && runs.length > 0 && lead.length === 0 && figures.length > 0
  if (isAlone) return { unknown: [], unanswered: [textOf(tokens.slice(from, to))] }
  const unknown: string[] = []
  const unanswered: string[] = []
  for (const run of told) {
    const content = run.filter((at) => !is(JOINING)(at))
    const last = content.at(-1)
    if (content.length > 0 && content.every(isUnknown)) unknown.push(...content.map((at) => tokens[at]?.text ?? ''))
    else unanswered.push(textOf(run.flatMap((at) => (at <= (last ?? at) ? (tokens[at] ?? []) : []))))
  }
  return { unknown, unanswered }
}
