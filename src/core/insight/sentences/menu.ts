/** Makes the menu of a narrative: numbered sentences, each of which is true and passes the check of numbers alone. */
import { compareDecimals, groupThousands } from '../../decimal.js'
import {
  type Facet,
  holderText,
  INDEX,
  insideSentence,
  listText,
  nameText,
  nounPhrases,
  refOf,
  type Told,
  type TypedFacet,
  type TypedFigure,
  wordingsOf,
} from '../../figures/index.js'
import type { AnswerFacts, CheckNumbers } from '../verify/verify.js'

/** The places of the facets of an answer that the headline names. */
export type MenuInput = {
  facts: Omit<AnswerFacts, 'facets'> & { facets: readonly Facet[] }
  answers: readonly number[]
  nearest: readonly number[]
  /** Sentences that must come before any figure: what is not recorded, not answered, or left out. */
  notes: readonly string[]
}

export type Sentence = {
  /** Each says the same. */
  wordings: readonly string[]
  figures: readonly number[]
  /** The frames that it is about, where it may begin with them. "They" stands for frames, "It" for one or a ward. */
  start: string
  pronoun: 'They' | 'It'
  category: string
}
/** The lead comes first in every narrative. The others are for the model to choose from. */
export type Menu = {
  lead: readonly Sentence[]
  /** Those of the lead that answer the question, and those that are near to it. */
  answers: readonly Sentence[]
  nearest: readonly Sentence[]
  others: readonly Sentence[]
  /** Every sentence of one figure and of several: a replay, which knows no question, finds those of a narrative here. */
  all: readonly Sentence[]
}

/** The model reads no more. */
const MENU_MAX = 100

export function menuOf(input: MenuInput, check: CheckNumbers): Menu {
  const { facts, answers, nearest } = input
  const facets = facts.facets.map((facet) => ({ ...facet, typed: plainNames(facet.typed) }))
  const passes = (text: string) => isQuotable(text) && check(text, facts).length === 0
  const isSafe = (text: string) => passes(text) && isOneSentence(text)
  const passing = (texts: readonly string[]) => texts.filter(passes)
  const alone = facets.map((facet, place) => {
    const inCounts = passing(wordingsOf({ ...facet, inCounts: true }))
    const wordings = inCounts.length > 0 ? inCounts : passing(wordingsOf({ ...facet, inCounts: false }))
    return facetSentence(facet, wordings, [place])
  })
  const isAsked = (place: number) => answers.includes(place) || nearest.includes(place)
  const told = new Set<number>()
  const possible: Sentence[] = []
  // A pair stands for its figures, all or none of which were asked for, and a comparison beside them.
  const pairs = pairsOf(facets).flatMap(({ figures, texts, isComparison, isBounded }) => {
    const first = facets[figures[0] ?? 0]
    const wordings = passing(texts)
    if (!first || wordings.length === 0) return []
    const sentence = facetSentence(first, wordings, figures)
    possible.push(sentence)
    if (isComparison) return [sentence]
    const isWhole = isBounded || figures.every(isAsked) || !figures.some(isAsked)
    if (!isWhole || figures.some((figure) => told.has(figure))) return []
    for (const figure of figures) told.add(figure)
    return [sentence]
  })
  const usable = distinctSentences([...pairs, ...alone.filter((_, place) => !told.has(place))])
  const plainText = (place: number) => {
    const { label = '', value = '' } = facts.facets[place] ?? {}
    const text = `${spokenName(label)}: ${value}.`
    return isSafe(text) ? text : UNQUOTABLE_FIGURE
  }
  const answered = answering(answers, usable, plainText)
  const near = answering(nearest, usable, plainText)
  const lead = [
    ...input.notes.map((text) => noteSentence(isSafe(text) ? text : UNQUOTABLE_NOTE)),
    ...answered,
    ...(nearest.length === 0 ? [] : [noteSentence(nearest.length === 1 ? NEAR_TEXT : NEAR_SEVERAL)]),
    ...near,
  ]
  const others = usable
    .filter((sentence) => !lead.includes(sentence))
    .toSorted((one, other) => (one.figures[0] ?? 0) - (other.figures[0] ?? 0))
  // A figure that no sentence words is told by its label.
  const plain = alone.flatMap(({ wordings }, place) => (wordings.length > 0 ? [] : [noteSentence(plainText(place))]))
  return {
    lead: [...new Set(lead)],
    answers: answered,
    nearest: near,
    others: others.slice(0, MENU_MAX),
    all: [...alone, ...possible, ...plain],
  }
}

/** Two figures may be one in words: the highest and the lowest of a single frame. */
function distinctSentences(sentences: readonly Sentence[]): Sentence[] {
  const kept = new Map<string, Sentence>()
  for (const sentence of sentences) {
    const [text] = sentence.wordings
    if (text === undefined) continue
    const { figures } = kept.get(text) ?? { figures: [] }
    kept.set(text, { ...sentence, figures: [...figures, ...sentence.figures] })
  }
  return [...kept.values()]
}

const UNQUOTABLE_NOTE = 'The headline says what this answer leaves out.'
export const UNQUOTABLE_FIGURE = 'The headline gives the figure.'
const NEAR_TEXT = 'The next figure is near to the question, and does not answer it.'
const NEAR_SEVERAL = 'The next figures are near to the question, and do not answer it.'
/** A narrative may say these of any figures. */
export const GENERAL_NOTES = [UNQUOTABLE_NOTE, UNQUOTABLE_FIGURE, NEAR_TEXT, NEAR_SEVERAL]

const noteSentence = (text: string, figures: number[] = []): Sentence => ({
  wordings: [text],
  figures,
  start: '',
  pronoun: 'They',
  category: '',
})
function facetSentence({ typed, category }: TypedFacet, wordings: string[], figures: number[]): Sentence {
  const { start, isOne } = refOf(typed)
  return { wordings, figures, start, pronoun: isOne ? 'It' : 'They', category }
}

/** Sentences that hold each of these figures. */
function answering(
  places: readonly number[],
  sentences: readonly Sentence[],
  plainText: (place: number) => string,
): Sentence[] {
  const found: Sentence[] = []
  for (const place of places) {
    if (found.some(({ figures }) => figures.includes(place))) continue
    const best = sentences.find(({ figures }) => figures.includes(place))
    found.push(best ?? noteSentence(plainText(place), [place]))
  }
  return found
}

const spokenName = (label: string) => label.split(', ').map(nameText).join(', ')
const NAMING_MEMBERS: ReadonlySet<string> = new Set(['label', 'unit', 'method', 'noun', 'plural', 'features'])
const VALUES: ReadonlySet<string> = new Set(['value', 'name', 'names', 'classes', 'at'])
/** Puts a name in quotes where the owner of the dataset wrote more than a plain name: it must not end our sentence. */
const plainNames = (typed: TypedFigure) =>
  JSON.parse(JSON.stringify(typed), (key, value: unknown) => {
    const quoted = (each: unknown) => (typeof each === 'string' ? nameText(each) : each)
    if (VALUES.has(key)) return Array.isArray(value) ? value.map(quoted) : quoted(value)
    return NAMING_MEMBERS.has(key) && typeof value === 'string' ? spokenName(value) : value
  }) as TypedFigure
const isOneSentence = (text: string) => !/[.!?] /.test(text.replaceAll(/"[^"]*"/g, ''))

const LENGTH_MAX = 1500

/** Names of datasets stand in sentences: none may act on a page that shows the narrative. */
export const isQuotable = (text: string) =>
  text.trim() !== '' &&
  text.length <= LENGTH_MAX &&
  !/[\p{C}\p{Zl}\p{Zp}]|<[a-z!/?]|:\/\/|www\.|&#?\w+;|!\[|\]\(|[`|]/iu.test(text)

/** `figures` are places among the facets. A comparison says more than its figures one by one. */
type Pair = { figures: number[]; texts: readonly string[]; isComparison: boolean; isBounded?: true }
/** A figure with its place. */
type PlacedFacet = TypedFacet & { place: number }

function pairsOf(facets: readonly TypedFacet[]): Pair[] {
  const placed = facets.map((facet, place) => ({ ...facet, place }))
  const amounts = placed.filter(({ typed }) => typed.result.is === 'amount')
  const whole = placed.filter(isFullyRecorded)
  const ofPlaces = whole.filter((each) => amounts.includes(each) && each.typed.scope.length > 0)
  return [
    ...unitPair(placed),
    ...areaPair(amounts),
    ...groupedBy(placed, (each) => [subjectKey(each), scopeKey(each), each.typed.ward].join()).flatMap(boundedPair),
    ...groupedBy(whole, (each) => subjectKey(each) + scopeKey(each)).flatMap(extremePair),
    ...groupedBy(ofPlaces, (each) => each.source.statistic + subjectKey(each)).flatMap(comparisonPair),
  ]
}

const scopeKey = ({ typed }: TypedFacet) => JSON.stringify(typed.scope)
const subjectKey = ({ source }: TypedFacet) => [source.layerId, source.attribute, source.property].join()
const isFullyRecorded = ({ typed: { named, recorded } }: TypedFacet) =>
  named.type === 'features' || !recorded || recorded.count === recorded.of
const amountOf = ({ typed: { result } }: TypedFacet) => (result.is === 'amount' ? result.number : '')
const told = (facet: TypedFacet): Told => ({ ...facet, inCounts: true })

/** Groups figures by key, and keeps their order. */
function groupedBy(placed: readonly PlacedFacet[], key: (each: PlacedFacet) => string): PlacedFacet[][] {
  const groups = new Map<string, PlacedFacet[]>()
  for (const each of placed) groups.set(key(each), [...(groups.get(key(each)) ?? []), each])
  return [...groups.values()]
}

const sentencePair = (figures: readonly { place: number }[], text: string, isComparison = false): Pair => ({
  figures: figures.map(({ place }) => place),
  texts: [text],
  isComparison,
})

/** A total is told with its interval, and so is the highest total of units. */
function boundedPair(group: readonly PlacedFacet[]): Pair[] {
  const intervals = group.filter(({ source }) => source.statistic === 'interval' && source.of === undefined)
  return group.flatMap((facet): Pair[] => {
    const { result } = facet.typed
    if ((result.is !== 'amount' && result.is !== 'group') || result.number === '0') return []
    const beside = intervals.find((each) => totalKey(each) === totalKey(facet))
    const interval = beside && intervalOf(beside.typed.result, result.is === 'group' ? result.names : undefined)
    if (!beside || !interval || !['sum', 'count', 'figure'].includes(facet.source.statistic)) return []
    const texts = [true, false].map((inCounts) => wordingsOf({ ...facet, inCounts, interval }))
    return [
      {
        figures: [facet.place, beside.place],
        texts: texts.flat(),
        isComparison: false,
        isBounded: true,
      },
    ]
  })
}

/** The total of all frames, or of each group. */
const totalKey = ({ source: { figure } }: TypedFacet) => JSON.stringify(figure && [figure.of, figure.op, figure.by])

/** `names`: the interval of the group that has this name, if it is one. */
function intervalOf(result: TypedFigure['result'], names?: readonly string[]) {
  if (names === undefined) return result.is === 'interval' ? result : undefined
  const found =
    result.is === 'groups' && names.length === 1 ? result.ranked.find(({ name }) => name === names[0]) : undefined
  return found?.lower === undefined || found.upper === undefined
    ? undefined
    : { lower: found.lower, upper: found.upper, isOfDraws: true }
}

/** "These frames lie in the ward B, in the LGA C and in the state A." A dataset may record the same of all of them. */
function unitPair(placed: readonly PlacedFacet[]): Pair[] {
  const units = ['ward', 'lga', 'state'].flatMap((attribute) =>
    placed
      .filter(({ source }) => isOfIndex(source, attribute))
      .flatMap(({ typed, place }) =>
        typed.result.is === 'text' && typed.result.value !== typed.place
          ? [{ typed, place, label: typed.named.label, name: typed.result.value }]
          : [],
      )
      .slice(0, 1),
  )
  const [first] = units
  if (!first || units.length < 2) return []
  const same = placed.filter(({ typed: { named, result, frames, scope } }) => {
    if (scope.length > 0 || result.is !== 'mode' || result.count < frames) return false
    return units.some(({ label, name }) => label === named.label && result.classes[0] === name)
  })
  const { start, isOne } = refOf(first.typed)
  const list = listText(units.map(({ label, name }) => `in the ${insideSentence(label)} ${name}`))
  return [sentencePair([...units, ...same], `${start} ${isOne ? 'lies' : 'lie'} ${list}.`)]
}

const isOfIndex = ({ layerId, attribute, where }: TypedFacet['source'], name: string) =>
  layerId === INDEX.layerId && attribute === name && where === undefined

/** "These 9 frames cover 11.05 km²." */
function areaPair(amounts: readonly PlacedFacet[]): Pair[] {
  const of = (attribute: string, statistic: string) =>
    amounts.find(({ source }) => isOfIndex(source, attribute) && source.statistic === statistic)
  const [frames, area] = [of('frame_id', 'count'), of('geom', 'sum')]
  if (!frames || !area) return []
  const number = amountOf(frames)
  const { place } = frames.typed
  if (place !== undefined) {
    const { start } = refOf(frames.typed)
    const text = `${start} covers ${groupThousands(amountOf(area))} km², in ${groupThousands(number)} ${number === '1' ? 'frame' : 'frames'}.`
    return [sentencePair([frames, area], text)]
  }
  const those = number === '1' ? 'This frame covers' : `These ${groupThousands(number)} frames cover`
  return [sentencePair([frames, area], `${those} ${groupThousands(amountOf(area))} km².`)]
}

/** "Of these frames, frame 9 has the most people, 90, and frame 7 the fewest, 40." */
function extremePair(group: readonly PlacedFacet[]): Pair[] {
  const [high, low] = ['max', 'min'].map((end) => group.find(({ source }) => source.statistic === end))
  if (!high || !low || high.typed.frames === 1) return []
  const [highest, lowest] = [high.typed.result, low.typed.result]
  if (highest.is !== 'extreme' || lowest.is !== 'extreme' || high.typed.named.type === 'property') return []
  if (highest.at === null || lowest.at === null) return []
  const { name, frames, isThings, many, measure, value } = nounPhrases(told(high), true)
  if (highest.number === lowest.number)
    return [sentencePair([high, low], `The ${measure} is the same in each of ${name}: ${value(highest.number)}.`)]
  const [most, least] = isThings ? [`the most ${many}`, 'the fewest'] : [`the highest ${measure}`, 'the lowest']
  const start = `Of ${frames}, ${holderText(highest.at, highest.others)} ${highest.others === 0 ? 'has' : 'have'} ${most}`
  const end = `${holderText(lowest.at, lowest.others)} ${least}, ${value(lowest.number)}`
  return [sentencePair([high, low], `${start}, ${value(highest.number)}, and ${end}.`)]
}

const STATISTIC_WORDS: Partial<Record<TypedFacet['source']['statistic'], string>> = {
  mean: 'average ',
  weighted_mean: 'average ',
  median: 'median ',
}

/** Two figures of one subject in some places are compared, more stand in their order. */
function comparisonPair(group: readonly PlacedFacet[]): Pair[] {
  const [most, ...others] = group.toSorted((a, b) => compareDecimals(amountOf(b), amountOf(a)))
  const least = others.at(-1)
  if (!most || !least) return []
  const { isThings, value, many, measure } = nounPhrases(told(most), false)
  const kind = STATISTIC_WORDS[most.source.statistic] ?? ''
  const isCount = isThings && kind === ''
  const nameOf = ({ typed }: PlacedFacet) => refOf(typed).name
  const start = `${refOf(most.typed).start} ${refOf(most.typed).isOne ? 'has' : 'have'}`
  const [high, low] = [value(amountOf(most)), value(amountOf(least))]
  const text =
    high === low
      ? `${start} ${isCount ? `as many ${many}` : `the same ${kind}${measure}`} as ${listText(others.map(nameOf))}: ${high}.`
      : others.length === 1
        ? `${start} ${isCount ? `more ${many}` : `a higher ${kind}${measure}`} than ${nameOf(least)}: ${high} against ${low}.`
        : `From the highest ${kind}${measure} to the lowest, these are ${listText([most, ...others].map((each) => `${nameOf(each)} (${value(amountOf(each))})`))}.`
  return [sentencePair(group, text, true)]
}
