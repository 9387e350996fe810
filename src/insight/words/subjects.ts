/** Checks the names around a slot: the one that the slot belongs to is the name of its facet. */
import { lowerWords, stemOf, type FacetWords } from './facet-words.js'
import type { Mention } from './mentions.js'
import { isMark, isSlot, wordAt, type Token } from './tokens.js'
import { isPlace, slotName, type SentenceView, type SlotView } from './views.js'
import { NEGATIONS, STATISTIC_WORDS } from './vocabulary.js'

const WEAK_CUTS = new Set('and but while whereas plus which where'.split(' '))
const LINKS = new Set(
  'is are was were be number numbers numbering total totals totalling of measures measure averages'.split(' '),
)

type Scene = SentenceView & {
  slot: SlotView
  /** The name of the facet stands before the slot. */
  own: boolean
  /** A comma or an "and" stands here, before the slot. */
  cut: number
  /** "Both the class and the cover say so: {F1} and {F2}." */
  colon: number
}

/** Every name around a slot is that of its facet, or the sentence uses it otherwise. */
export function subjectFaults(view: SentenceView, slot: SlotView): string[] {
  const scene = sceneOf(view, slot)
  const { facet, from, tailTo } = slot
  const wrong = view.mentions.find(
    (mention) =>
      mention.from >= from &&
      mention.from < tailTo &&
      !mention.families.has(facet.family) &&
      !OTHER_USES.some((isOtherUse) => isOtherUse(mention, scene)) &&
      (mention.isContainer ? takesPlaceOf(mention, scene) : !isOfPrevious(mention, scene)),
  )
  if (!wrong) return []
  const words = view.tokens
    .slice(wrong.from, wrong.to)
    .map((token) => (token.kind === 'slot' ? `{L${token.place + 1}}` : token.text))
    .join(' ')
  return [`${slotName(facet)} stands where "${words}" is named: it is ${JSON.stringify(facet.label)}.`]
}

function sceneOf(view: SentenceView, slot: SlotView): Scene {
  const { tokens, mentions } = view
  const { facet, from, at, nounTo } = slot
  const opensList = isMark(tokens[at - 1], ',:(') || isSlot(tokens[at - 2], 'F')
  return {
    ...view,
    slot,
    own:
      tokens.some(
        (token, i) => i >= from && i < at && facet.share !== undefined && facet.classWords.has(wordAt(token)),
      ) ||
      mentions.some(
        (mention) =>
          mention.from >= from &&
          (mention.from < at || (mention.from === at + 1 && mention.to <= nounTo)) &&
          !mention.isContainer &&
          mention.families.has(facet.family),
      ),
    cut: tokens.findLastIndex(
      (token, i) => i >= from && i < at && (isMark(token, ',—–') || WEAK_CUTS.has(wordAt(token))),
    ),
    colon: opensList ? tokens.findLastIndex((token, i) => i < at && isMark(token, ':')) : -1,
  }
}

const HOUSEHOLDS = /^(?:households?|population)$/
const isNamedAs = ({ families }: Mention, names: RegExp) => names.test([...families].join())

/** A name that is not of the facet has another use where one of these holds. */
const OTHER_USES: readonly ((mention: Mention, scene: Scene) => boolean)[] = [
  // "The denser of the {frames}" and "{F1} and no clinics": claims.ts holds the negation to the figures.
  (_, { slot, tokens }) =>
    isPlace(slot.facet) && wordAt(tokens[slot.at - 1]) === 'the' && wordAt(tokens[slot.at - 2]) === 'of',
  ({ from }, { tokens }) => /^(?:no|without)$/.test(wordAt(tokens[from - 1])),
  // "The land cover across the {frames} is {F2}": the frames are a place here.
  ({ families }, { slot, slots, tokens }) =>
    isPlace(slot.facet) &&
    slots.some(({ at, facet }) => at > slot.at && families.has(facet.family)) &&
    [1, 2].some((back) => /^(?:across|over|within|throughout)$/.test(wordAt(tokens[slot.at - back]))),
  // "The schools have {pupils}", but never "the schools number {pupils}".
  ({ from, families }, { slot, tokens }) =>
    from < slot.at &&
    [...families].some((family) => slot.facet.family.startsWith(`${family}, `)) &&
    /^(?:have|has|of|with|at)$/.test(wordAt(tokens[slot.at - 1])),
  // "The people per school are {F1}".
  ({ from, to }, { slot, tokens }) =>
    /\bper /.test(slot.facet.statisticText) &&
    /^(?:per|each|every|a)$/.test(wordAt(tokens[from - 1])) &&
    namesPerThing(slot.facet, tokens.slice(from, to)),
  // The words "the buildings number {F1}" name the buildings also where a facet is the building density.
  ({ wide }, { slot, own }) => own && wide.has(slot.facet.family),
  // Households may have the average that they weigh.
  (mention, { slot }) => slot.facet.statisticText === 'weighted average' && isNamedAs(mention, HOUSEHOLDS),
  // existence.ts holds "no clinic in any of the {F1}" to the figures.
  (_, { slot, tokens }) =>
    isPlace(slot.facet) && tokens.some((token, i) => i < slot.at && NEGATIONS.has(wordAt(token))),
  // "The area covers {F1}", where another facet is the land cover.
  ({ from, to, isSoft }, { slot, own, tokens }) =>
    isSoft && !isOfThing(tokens, from, own) && (own || to !== slot.at - 1 || !LINKS.has(wordAt(tokens[to]))),
  // "Frames with a population above that, {F1}": the condition of the facet names it.
  ({ families }, { slot }) =>
    slot.facet.condition !== '' &&
    [...families].some((family) => slot.facet.condition.toLowerCase().startsWith(family)),
  ({ from }, { slot, tokens }) => from >= slot.at && /^(?:size|extent)$/.test(wordAt(tokens[from])),
  // "Buildings are dense, at {F1}": the density names them.
  ({ wide }, { slot, tokens }) =>
    wide.has(slot.facet.family) && /density|per km²/.test(slot.facet.label.toLowerCase()) && tokens.some(isDense),
  // "People speak {F1}": the class says who they are.
  (mention, { slot, tokens }) =>
    slot.facet.kind !== 'number' &&
    isNamedAs(mention, /^population$/) &&
    !/^(?:is|are|was|were)$/.test(wordAt(tokens[slot.at - 1])),
  ({ from, families }, { slots, colon, own }) =>
    from < colon && own && slots.some(({ facet }) => families.has(facet.family)),
]
/** "The shops of the market": the market has no such figure. */
const isOfThing = (tokens: readonly Token[], at: number, own: boolean) =>
  own &&
  /^(?:market|trade)$/.test(wordAt(tokens[at])) &&
  wordAt(tokens[at - 2]) === 'of' &&
  wordAt(tokens[at - 1]) === 'the'
const namesPerThing = ({ statisticText }: FacetWords, tokens: readonly Token[]) =>
  tokens.every((token) =>
    lowerWords(statisticText)
      .map(stemOf)
      .includes(stemOf(wordAt(token))),
  )
const isDense = (token: Token) => /^(?:dense|densely|density)$/.test(wordAt(token))

/** "Area: {F1}" and "the area is {F1}" name the facet, "the area has {F1}" names the place. */
function takesPlaceOf({ from, to, families }: Mention, { tokens, slot, own }: Scene): boolean {
  const { facet, at } = slot
  const before = wordAt(tokens[at - 1])
  // "{states}, which are wards"
  if (from > at && LINKS.has(wordAt(tokens[from - 1])) && wordAt(tokens[from - 2]) === 'which') return true
  const isAverage = facet.statistic === 'average' && before.startsWith('average')
  const isLinked = isMark(tokens[at - 1], ':') || (LINKS.has(before) && !isAverage)
  const isLinkOf = before === 'of' && facet.kind !== 'number'
  const isDirect =
    from < at && !own && isLinked && !isLinkOf && saysStatistic(tokens.slice(to, at - 1)) && !isInGeneral(tokens, from)
  // "The most populous wards are {frame 700, frame 701}"
  if (isLinked && to === at - 1 && facet.value.startsWith('frame ') && !families.has('frames')) return true
  const isOfUnit =
    [...families].some((family) => /^(?:state|lga|ward|zone)$/.test(family)) &&
    !isPlace(facet) &&
    beforeName(tokens, from) !== 'same' &&
    !tokens.some((token, i) => i >= slot.from && i < from && /^(?:frames?|areas?|land)$/.test(wordAt(token)))
  return (isDirect && (facet.kind === 'number' || !families.has('area'))) || (isOfUnit && facet.kind === 'number')
}

/** "Zone, most common" and "Area, average by area" are labels. */
const saysStatistic = (tokens: readonly Token[]) =>
  tokens.every(
    (token) =>
      isMark(token, ',') || /^(?:most|by|area|weighted)$/.test(wordAt(token)) || STATISTIC_WORDS.has(wordAt(token)),
  )

/** "The highest number in a frame is {F1}" speaks of frames in general. */
const isInGeneral = (tokens: readonly Token[], at: number) =>
  /^(?:a|any)$/.test(wordAt(tokens[at - 1])) &&
  /^(?:in|of|on|for)$/.test(wordAt(tokens[at - 2])) &&
  tokens.slice(0, at).some((token) => STATISTIC_WORDS.has(wordAt(token)))

/** The name before the comma is that of the figure before it. */
function isOfPrevious({ from, families }: Mention, { slots, slot, cut }: Scene): boolean {
  const previous = slots.findLast((other) => other.at < slot.at)
  return previous !== undefined && from < cut && families.has(previous.facet.family)
}

export const beforeName = (tokens: readonly Token[], at: number) =>
  ['the', 'this', 'these', 'its', 'same'].includes(wordAt(tokens[at - 1])) && wordAt(tokens[at - 1]) !== 'same'
    ? wordAt(tokens[at - 2])
    : wordAt(tokens[at - 1])
