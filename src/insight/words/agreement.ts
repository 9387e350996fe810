/** Checks the words around a slot against its facet: its name, its statistic, its year, its frame and its class. */
import { stemOf, type FacetWords, type Families } from './facet-words.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import { statisticFaults } from './statistics.js'
import { beforeName, subjectFaults } from './subjects.js'
import { EACH_WORDS, EARLIER, LATER, NEGATIONS } from './vocabulary.js'
import { isPlace, namesInOrder, slotName, type SentenceView, type SlotView, type WordContext } from './views.js'

export function agreementFaults(
  view: SentenceView,
  slot: SlotView,
  { facets, families, frameIds }: WordContext,
): string[] {
  return [
    ...subjectFaults(view, slot),
    ...statisticFaults(view, slot, facets),
    ...yearFaults(view, slot, facets),
    ...frameFaults(view, slot, frameIds),
    ...spreadFaults(view, slot, facets),
    ...classFaults(view, slot, families),
    ...placeFaults(view, slot, families),
  ]
}

const yearOf = ({ yearText }: FacetWords) => Number(yearText.slice(0, 4))

function yearFaults(
  { tokens, mentions }: SentenceView,
  { facet, from, tailTo }: SlotView,
  facets: readonly FacetWords[],
): string[] {
  const label = mentions.find(
    ({ from: at, facet: other }) =>
      other !== undefined &&
      other.family === facet.family &&
      at >= from &&
      at < tailTo &&
      isLabelOf(tokens, at, from, tailTo),
  )?.facet
  const wrongLabel = label !== undefined && (label.yearText !== facet.yearText || !isSameFigure(label, facet))
  const years = facets.filter(({ family, yearText }) => family === facet.family && yearText !== '').map(yearOf)
  const wrongTime = tokens.some((token, i) => {
    if (i < from || i >= tailTo || token.kind !== 'word') return false
    // "Between the earlier and the later year" is of both.
    if (tokens.slice(Math.max(from, i - 5), i).some((each) => wordAt(each) === 'between')) return false
    if (EARLIER.has(token.low))
      return (
        facet.yearText === '' ||
        years.length < 1 ||
        yearOf(facet) !== Math.min(...years) ||
        Math.min(...years) === Math.max(...years)
      )
    if (LATER.has(token.low) || isThisYear(tokens, i, mentions))
      return facet.yearText === '' || yearOf(facet) !== Math.max(...years)
    return false
  })
  return wrongLabel || wrongTime
    ? [`The words beside ${slotName(facet)} are not of its own label, ${JSON.stringify(facet.label)}.`]
    : []
}
/** "This year" and "the present population" are the latest. */
const isThisYear = (tokens: readonly Token[], i: number, mentions: SentenceView['mentions']) =>
  (wordAt(tokens[i]) === 'year' && wordAt(tokens[i - 1]) === 'this') ||
  (wordAt(tokens[i]) === 'present' && mentions.some(({ from }) => from === i + 1))
/** The sentence "more than the {L2}" compares with another label. */
const isLabelOf = (tokens: readonly Token[], at: number, from: number, tailTo: number) =>
  !tokens
    .slice(Math.max(from, at - 3), Math.min(at, tailTo))
    .some((token) => /^(?:than|with|against|to|for|from)$/.test(wordAt(token)))
const isSameFigure = (label: FacetWords, facet: FacetWords) =>
  label.place === facet.place ||
  label.value === facet.value ||
  (label.statistic === facet.statistic && label.frameId === facet.frameId) ||
  (label.statistic === 'total' && facet.statistic !== 'low' && facet.statistic !== 'high')

/** "Frame {I1} has {F1}": the facet is of that frame. */
function frameFaults(view: SentenceView, slot: SlotView, frameIds: readonly string[]): string[] {
  const { facet } = slot
  const named = frameBehind(view, slot) ?? frameOfSlot(view, slot)
  if (named === undefined || facet.kind !== 'number' || isOtherSide(view, slot)) return []
  const id = frameIds[named]
  return facet.frameId === id || facet.value.endsWith(` in frame ${id}`)
    ? []
    : [`${slotName(facet)} is not of frame ${id}.`]
}

/** "{F1} in frame {I1}" is of that frame. */
function frameBehind({ tokens }: SentenceView, { nounTo, tailTo }: SlotView): number | undefined {
  const frame = tokens.find((token, i) => i >= nounTo && i < tailTo && isSlot(token, 'I'))
  const at = frame === undefined ? -1 : tokens.indexOf(frame)
  const isJoined = tokens
    .slice(nounTo, at)
    .every((token) => /^(?:in|of|for|on|the|at|is|are|live|lives|stand|frame)$/.test(wordAt(token)))
  return frame?.kind === 'slot' && isJoined ? frame.place : undefined
}

/** "{F1}, compared with {F2}": the second figure is of another frame. */
const isOtherSide = ({ tokens }: SentenceView, { at }: SlotView) =>
  tokens.some(
    (token, i) =>
      i < at &&
      i > at - 4 &&
      /^(?:with|against|than)$/.test(wordAt(token)) &&
      isSlot(
        tokens.findLast((each, j) => j < i && each.kind === 'slot'),
        'F',
      ),
  )

/** "{I2} has more buildings than {I1}: {F2} against {F1}": the first figure is of the frame before "than". */
function frameOfSlot({ tokens, slots }: SentenceView, { at }: SlotView): number | undefined {
  const frames = tokens.flatMap((token, i) => (isSlot(token, 'I') && i < at ? [{ i, place: token.place }] : []))
  const [other, last] = frames.slice(-2)
  const than = tokens.findLastIndex((token, i) => i < at && wordAt(token) === 'than')
  if (!other || !last || than < other.i || than > last.i) return frames.at(-1)?.place
  const isFirst = !slots.some((slot) => slot.at > other.i && slot.at < at)
  return isFirst ? other.place : last.place
}

/** "Per school" and "for each school" are the words of a figure per school. */
const isPerWord = ({ statisticText }: FacetWords, tokens: readonly Token[], i: number) =>
  (wordAt(tokens[i]) === 'per' || wordAt(tokens[i - 1]) === 'for') &&
  new RegExp(`\\bper ${stemOf(wordAt(tokens[i + 1]))}`).test(statisticText) &&
  wordAt(tokens[i + 1]) !== ''

const ONE = new Set('a an each every per any one single typical average'.split(' '))
/** A total is neither of one frame nor of every frame. */
function spreadFaults(
  { tokens }: SentenceView,
  { facet, from, tailTo }: SlotView,
  facets: readonly FacetWords[],
): string[] {
  if (facet.kind !== 'number') return []
  if (facets.some(({ family, number }) => family === 'frames' && number === 1)) return []
  const isOfOne = ['average', 'median', 'low', 'high', 'frame'].includes(facet.statistic)
  const wrong = tokens.some((token, i) => {
    if (i < from || i >= tailTo || token.kind !== 'word') return false
    const isFrame = token.low === 'frame' && ONE.has(wordAt(tokens[i - 1]))
    if (tokens.some((each, at) => at < i && NEGATIONS.has(wordAt(each)))) return false
    if (token.low === 'each' && facet.statistic === 'average') return false
    if (isFrame && facet.statisticText.startsWith('per ')) return true
    if (isFrame) return !isOfOne && (facet.statistic !== 'other' || /\binside\b|^names/.test(facet.statisticText))
    if (isPerWord(facet, tokens, i)) return false
    if (token.low === 'any' && (wordAt(tokens[i - 1]) === 'have' || facet.statistic === 'other')) return false
    if (token.low === 'per' && wordAt(tokens[i + 1]) === 'the' && isSlot(tokens[i + 2], 'L')) return false
    return EACH_WORDS.has(token.low) && wordAt(tokens[i + 1]) !== 'frame'
  })
  return wrong ? [`${slotName(facet)} is not for each of something: say it as a whole.`] : []
}

/** "{urban} are rural": the class behind the slot is another of its family. */
function classBehind(tokens: readonly Token[], { facet, nounTo, tailTo }: SlotView, families: Families) {
  const other = tokens.find(
    (token, i) =>
      i >= nounTo &&
      i < tailTo &&
      /^(?:is|are)$/.test(wordAt(tokens[i - 1])) &&
      !facet.classWords.has(wordAt(token)) &&
      families.byClass.get(wordAt(token))?.some(({ family }) => family === facet.family) === true,
  )
  return other?.kind === 'word' ? other.text : undefined
}

/** "More forest than cropland: {F1} against {F2}": comparisons.ts holds the classes to the slots. */
const isCompared = (tokens: readonly Token[], i: number, at: number) =>
  tokens
    .slice(0, at)
    .some((token, k) => (wordAt(token) === 'than' || wordAt(token) === 'as') && Math.abs(k - i) <= 3) &&
  tokens.slice(i, at).some((token) => isMark(token, ':'))

/** A class of the data in the words before a figure is that of all frames, or the slot's own. */
function classFaults(
  { tokens, mentions, slots, topicWords }: SentenceView,
  slot: SlotView,
  families: Families,
): string[] {
  const { facet, from, at } = slot
  if (slots.length > 1 && namesInOrder({ tokens, slots })) return []
  const isForeign = (word: string) => {
    const owners = facet.classWords.has(word) ? undefined : families.byClass.get(word)
    return owners !== undefined && !owners.some(({ isWhole }) => isWhole)
  }
  const elsewhere = facet.kind === 'number' ? topicWords?.find(isForeign) : undefined
  if (elsewhere !== undefined)
    return [`The sentence before ${slotName(facet)} is about "${elsewhere}": name what it is of.`]
  const wrong = tokens.find((token, i) => {
    if (i < from || i >= at || token.kind !== 'word' || facet.classWords.has(token.low)) return false
    if (isPlace(facet) && /^(?:over|across|in)$/.test(wordAt(tokens[i + 1]))) return false
    if (isCompared(tokens, i, at)) return false
    if (mentions.some((mention) => mention.from <= i && i < mention.to)) return false
    return isForeign(token.low)
  })
  const other = facet.share === undefined ? undefined : classBehind(tokens, slot, families)
  if (other !== undefined) return [`"${other}" is not the class of ${slotName(facet)}.`]
  return wrong?.kind === 'word' ? [`"${wrong.text}" is not of all frames: leave it out beside ${slotName(facet)}.`] : []
}

const HOLDS = new Set(
  'has have had holds hold is are was were numbers counts contains totals covers records'.split(' '),
)
const INSIDE = new Set('in within around across inside near from'.split(' '))
/** The frames lie in the ward: a figure of the frames is no figure of the ward. */
function placeFaults({ tokens, slots }: SentenceView, { facet, at }: SlotView, families: Families): string[] {
  if (facet.kind !== 'number' || facet.family === 'frames') return []
  const verb = tokens.findLastIndex((token, i) => i < at && HOLDS.has(wordAt(token)))
  const subject = slots.find(({ nounTo }) => nounTo === verb)
  const isUnitWord = (i: number) =>
    families.byClass.get(wordAt(tokens[i]))?.some(({ kind }) => kind === 'name') === true
  const named = tokens.findLastIndex((_, i) => i < verb && !isUnitWord(i))
  const start = subject?.at ?? named + 1
  const isUnit = subject ? subject.facet.kind === 'name' : verb > 0 && isUnitWord(verb - 1)
  return isUnit && !INSIDE.has(beforeName(tokens, start))
    ? [`${slotName(facet)} is a figure of the frames, not of the whole place: name the frames or the area.`]
    : []
}
