/**
 * Reads a question: its sentences become figures. Where no figure has all of the words, it is the nearest that leaves the
 * fewest out, and those are said.
 */
import { asksOf } from './asks.js'
import type { Catalogue } from './catalogue.js'
import { cuesAt } from './cues.js'
import {
  type Condition,
  type FigureFragment,
  isAverageOfNothing,
  isUneven,
  limitedCalculation,
  nameOf,
} from './fragments.js'
import type { Ask, NamedPlace, ReadAs, Reading } from './reading.js'
import { lexiconOf } from './lexicon.js'
import { type Token, tokensOf } from './tokens.js'
import { type Asked, QUIET, type Segment, segmentsOf, textOf } from './segments.js'
import { plainWordsOf, type Word, wordsOf } from './words.js'

const NOTHING: Reading = { asks: [], unknown: [], unanswered: [], wants: 'nothing' }
/** Markup, SQL and templates are no question. */
const CODE =
  /\{[^}]*\}|<\/?[a-z!][^>]*>|--\s*$|\bselect\b.+\bfrom\b.+;|;\s*(?:drop|delete|insert|update|alter|truncate)\b/is
const INSTRUCTION =
  /\b(ignore|disregard|forget|override)\b.*\b(instructions?|prompts?|rules)\b|\bsystem prompt\b|^you are now\b|\bpretend\b|\bjailbreak\b/i

export function readQuestion(catalogue: Catalogue, question: string, asked: Asked = {}): Reading {
  if (CODE.test(question) || INSTRUCTION.test(question)) return NOTHING
  const read: Segment[] = []
  const all = wordsOf(question)
  const start = preambleEnd(catalogue, all, asked)
  for (const words of sentencesOf(all.slice(start))) read.push(...segmentsOf(catalogue, words, asked))
  const reading = readingOf(catalogue, read)
  if (start === 0 || reading.wants !== 'figures') return reading
  const words = all.slice(0, start).map(({ text }) => text).join(' ') // prettier-ignore
  return { ...reading, readAs: [{ words }, ...(reading.readAs ?? [])] }
}

const OF_ASKER = /^(hello|hi|dear|as|i|im|ive|we|my|our|for (our|my)|according to) /
const ASKING = /^(how|#count|what|whats|which|where|who|whether|if)$/
/** "The Marembe Herald asks". */
const ASKS = / (asks?|asked|wonders?|wondered|(wants?|wanted|would like) to know)$/
/**
 * "Our office plans wells: how many people": up to a mark, or to how it asks, the asker says who asks. What limits a figure
 * is no such part, and nor is a place.
 */
function preambleEnd(catalogue: Catalogue, words: readonly Word[], asked: Asked): number {
  const textTo = (at: number) => words.slice(0, at).map(({ word }) => word).join(' ') // prettier-ignore
  const asking = words.findIndex(({ word }, i) => ASKING.test(word) && ASKS.test(textTo(i)))
  const end = asking > 0 ? asking : words.findIndex(({ mark }, i) => i > 2 && mark !== '')
  const part = words.slice(0, end)
  const text = textTo(end)
  if (end < 0 || !(OF_ASKER.test(text) || asking > 0) || /\d/.test(text)) return 0
  if (asking > 0 && lexiconOf(catalogue, part, tokensOf(catalogue, part), asked).edges.some(({ category }) => category === 'place')) return 0 // prettier-ignore
  const isAsked = segmentsOf(catalogue, part, asked).some(
    ({ lead, figures, lost }) => lead.length > 0 || (figures.length > 0 && lost.length === 0),
  )
  return isAsked ? 0 : end
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

/** "How many schools and clinics per 1,000 people": behind one "how many", the rate of the last is that of those before it. */
function sharedRate({ tokens, from, to }: Segment, figures: readonly FigureFragment[]): FigureFragment[] {
  const words = tokens.slice(from, to).map(({ word }) => word)
  const last = figures.at(-1)
  const isOfOne = words.filter((word) => /^(#count|number)$/.test(word)).length === 1
  const isRate = isOfOne && words.slice(words.lastIndexOf('and')).includes('per')
  if (!last || !isRate || last.op !== 'ratio') return [...figures]
  const { of: _of, ...rate } = last
  return figures.map((each) => (each.op === undefined && each.of.is === last.of.is ? { ...each, ...rate } : each))
}

const VERB = /^(live|lives|living|is|are|was|were|have|has|here|there|exist)$/
/**
 * "Population and shops in urban frames", "how many people and how many schools are in towns": what limits the frames of the
 * last figure limits those before it, which have no verb.
 */
function sharedFrames(
  sections: readonly Section[],
  segment: Segment,
  figures: readonly FigureFragment[],
): FigureFragment[] {
  const same = sections.filter((each) => each.segment.tokens === segment.tokens)
  const last = same.at(-1)
  const own = last?.figures.at(-1)
  const words = segment.tokens.slice(segment.from, segment.to)
  const verb = words.findIndex(({ word }, i) => VERB.test(word) && (last?.segment !== segment || words.slice(0, i).some((each) => !each.isFree && !QUIET.test(each.word)))) // prettier-ignore
  const isClosed = verb >= 0 && (last?.segment !== segment || words.slice(verb).some(({ word }) => /^(and|,)$/.test(word))) // prettier-ignore
  const others = same.flatMap((each) => each.figures).filter((figure) => figure !== own)
  const isUnlimited = (figure: FigureFragment) => !figure.order && !figure.having && testsOf(figure.of).length === 0
  if (!own || isClosed || own.of.isNamed || !others.every(isUnlimited) || (own.of.is === 'count' && own.of.things.of !== 'features')) return [...figures] // prettier-ignore
  // The urban share of people is one of all people.
  const whole = own.to && JSON.stringify(testsOf(own.to))
  const tests = testsOf(own.of).filter((test) => whole === undefined || whole.includes(JSON.stringify(test)))
  return figures.map((figure) =>
    figure === own || sameAmount(figure, own)
      ? figure
      : tests.reduce<FigureFragment>((each, test) => ({ ...each, ...limitedCalculation(each, test) }), figure),
  )
}
/** The tests that the frames of an amount pass, or the frames that its features lie on. */
const testsOf = ({ things: { of, where, among } }: FigureFragment['of']): Condition[] =>
  [...(of === 'frames' ? where : [...among, ...where.filter((filter) => 'near' in filter)])]
    .filter((filter) => !('said' in filter) && !('recorded' in filter))
    .map((filter) =>
      'near' in filter ? { frames: filter, features: { layer: undefined, filter } } : { frames: filter },
    )
const sameAmount = ({ of: one }: FigureFragment, { of: other }: FigureFragment) =>
  one.is === other.is && one.topic === other.topic

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
  // "People within 3 km of a school and on flooded land": the second limits the first.
  const asks = tokens.slice(from, to).some(({ word }) => /^(#count|which|what|how|number)$/.test(word))
  if (/^(on|in|at|with|within|without|of|outside|near)$/.test(first?.word ?? '') && !asks) return true
  if (earlier.some((one) => figures.some((other) => isUneven(one, other)))) return true
  const isOfFrames = figures.some(({ of }) => of.is === 'count' && of.things.of === 'frames')
  const isLimited = earlier.some(({ of, op, having }) => op === 'percent' || having !== undefined || [...(of.things.of === 'frames' ? of.things.where : of.things.among)].some((filter) => !('said' in filter))) // prettier-ignore
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
    const own = sharedRate(segment, sharedPlace(sections, segment, sharedFrames(sections, segment, figures)))
    const { tokens, from, to } = segment
    const lost = wordsLost(catalogue, segment, own)
    const text = textOf(tokens.slice(from, to))
    const hasLost = lost.unknown.length + lost.unanswered.length > 0
    const isLoose = !hasLost && own.some(isOfNothing)
    const isBack = isLimited && segment.figures.length > 0 && pointsBack(segment)
    const found = own.map((figure) => (isOpen(figure, tokens) ? [] : asksOf(catalogue, figure, text)))
    const isUnread =
      isLost || isBack || isElliptic(segment, earlier) || isLoose || found.some(({ length }) => length === 0)
    unknown.push(...lost.unknown)
    unanswered.push(...lost.unanswered, ...(isUnread ? [isLost ? textOf(tokens) : text] : []))
    const isNearest = isUnread || hasLost
    for (const ask of found.flat()) asks.push(isNearest ? { ...ask, isNearest } : ask)
    for (const [at, token] of tokens.entries())
      if (token.near !== undefined && at >= from && at < to && !segment.lost.includes(at))
        readAs.push({ words: token.text, name: token.near })
    readAs.push(...segment.readAs)
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

const isOfNothing = ({ of, to }: FigureFragment) =>
  isAverageOfNothing(of) || (to !== undefined && isAverageOfNothing(to))

/** "Share of urban people with a school": without a verb, the school may be of the whole or of the part. */
function isOpen({ op, to, by }: FigureFragment, tokens: readonly Token[]): boolean {
  const isOfAmount = to && (to.is !== 'count' || to.things.of !== 'frames')
  const tests = isOfAmount ? [...to.things.where, ...to.things.among].filter((test) => !('recorded' in test) && !(by && 'said' in test)) : [] // prettier-ignore
  const hasVerb = tokens.some(({ word }) =>
    /^(live|lives|living|is|are|have|has|lack|lacks|lie|lies|stand|stands|do|does)$/.test(word),
  )
  return op === 'percent' && tests.length > 0 && !hasVerb
}

/** Words of the names of what is asked, which say nothing more: "what do people speak". */
function ownWords({ topics, stemOf }: Catalogue, figures: readonly FigureFragment[]): ReadonlySet<string> {
  const text = JSON.stringify(figures)
  const names = topics
    .filter((topic) => text.includes(`"name":"${nameOf(topic)}"`) || text.includes(JSON.stringify(topic.series)))
    .flatMap(({ label, names: all, unit = '' }) => [
      label,
      unit,
      ...all.filter((name) => /^(what|who|where) /.test(name)),
    ])
  return new Set(names.flatMap(plainWordsOf).map(stemOf))
}
const JOINING = /^(of|in|on|at|for|from|to|with|and|have|has|by|do|does)$/

/** Words that stand side by side are said together: "within 2 km of". */
function wordsLost(catalogue: Catalogue, segment: Segment, own: readonly FigureFragment[]) {
  const { tokens, isKnown, from, to, lost, figures, lead } = segment
  const names = lost.length > 0 ? ownWords(catalogue, own) : new Set<string>()
  const isOwn = (word = '') => names.has(catalogue.stemOf(word))
  const left = lost.filter((at) => isKnown(at) || tokens[at]?.isGuess || !isOwn(tokens[at]?.word))
  const runs: number[][] = []
  for (const at of left.toSorted((a, b) => a - b)) {
    const last = runs.at(-1)
    const isNext = last && tokens.slice((last.at(-1) ?? 0) + 1, at).every(({ isFree }) => isFree)
    if (tokens[at]?.word === ',') continue
    if (isNext) last.push(at)
    else runs.push([at])
  }
  const is = (words: RegExp) => (at: number) => words.test(tokens[at]?.word ?? '')
  // A word that several names contain is known, though none of them is meant.
  const isUnknown = (at: number) =>
    !isKnown(at) && (tokens[at]?.isGuess || !catalogue.names.stems.has(catalogue.stemOf(tokens[at]?.word ?? '')))
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
