/** Says which words of a sentence belong to which slot: those before it, its own noun behind it, and those after it. */
import { stemOf, type FacetWords, type Families } from './facet-words.js'
import { mentionsIn, type Mention } from './mentions.js'
import { isMark, isSlot, wordAt, type Sentence, type Token } from './tokens.js'

/** The words of one answer must agree with all of this. */
export type WordContext = {
  facets: readonly FacetWords[]
  families: Families
  frameIds: readonly string[]
  question: string
}

/** Numbers are places of tokens. The noun ends before `nounTo`, and the words after it end before `tailTo`. */
export type SlotView = { facet: FacetWords; at: number; from: number; nounTo: number; tailTo: number }
export type SentenceView = {
  tokens: readonly Token[]
  mentions: readonly Mention[]
  slots: readonly SlotView[]
  /** The sentence before it ends with this figure. */
  lastFacet?: FacetWords | undefined
  /** The sentence before it has no figure, and these words: "Now to Marembe." */
  topicWords?: readonly string[]
  /** The sentences around it give figures of these families. */
  givenAround?: ReadonlySet<string>
}

const SEPARATORS = new Set('and but while whereas plus which'.split(' '))
/** "{F1}, as a weighted average, and" goes on about the first slot. */
const ASIDES = new Set('as on by averaged weighted measured'.split(' '))
const isStrong = (token: Token | undefined) => isMark(token, '.;:!?()')
const isSeparator = (token: Token | undefined) => isMark(token, ',—–') || SEPARATORS.has(wordAt(token))

export function viewOf({ tokens }: Sentence, facets: readonly FacetWords[], families: Families): SentenceView {
  const isClass = (i: number) => families.byClass.has(wordAt(tokens[i]))
  const mentions = mentionsIn(tokens, families, facets).filter(
    ({ from, to, facet }) =>
      facet !== undefined ||
      !(
        (to === from + 1 && isClass(from) && !families.byWhole.has(stemOf(wordAt(tokens[from])))) ||
        (wordAt(tokens[from]) === 'area' && wordAt(tokens[from - 1]) === 'by')
      ),
  )
  const slots: SlotView[] = []
  tokens.forEach((token, at) => {
    const facet = isSlot(token, 'F') ? facets[token.place] : undefined
    if (!facet) return
    const previous = slots.at(-1)
    const nounTo = nounEnd({ tokens, mentions, slots }, at, facet)
    const tailTo = tailEnd({ tokens, mentions, slots }, nounTo, facet)
    slots.push({ facet, at, from: windowStart(tokens, at, previous?.tailTo ?? 0), nounTo, tailTo })
  })
  return { tokens, mentions, slots }
}

/** A clause begins after a strong mark, but "Clinics: {F1}" and "the town ({F1})" are one clause. */
function windowStart(tokens: readonly Token[], at: number, earliest: number): number {
  let from = isMark(tokens[at - 1], ':(') ? at - 1 : at
  while (from > earliest && !isStrong(tokens[from - 1])) from -= 1
  return from
}

/** These words name a family, and stand behind a slot as the verb: "{F1} live here". */
const NAMING_VERBS = new Set('live lives lived living reside dwell speak cover covers covered trade travel'.split(' '))

/** "{F1} main roads": the noun behind the slot is the words of its own family. */
function nounEnd({ tokens, mentions }: SentenceView, at: number, facet: FacetWords): number {
  const behind = mentions.find(({ from, facet: label }) => from === at + 1 && !label)
  if (behind?.families.has(facet.family) && !NAMING_VERBS.has(wordAt(tokens[at + 1]))) return behind.to
  let to = at + 1
  while (facet.kind !== 'number' && facet.classWords.has(wordAt(tokens[to]))) to += 1
  return to
}

/** The words up to the next separator belong to this slot, unless they name what the next slot is. */
function tailEnd({ tokens, mentions }: SentenceView, nounTo: number, facet: FacetWords): number {
  const next = tokens.findIndex((token, i) => i >= nounTo && (isSlot(token, 'F') || isStrong(token)))
  const limit = next < 0 ? tokens.length : next
  if (!isSlot(tokens[limit], 'F') && !(isMark(tokens[limit], ':(') && isSlot(tokens[limit + 1], 'F'))) return limit
  // "From {F1} in the earlier estimate to {F2}": the words up to "to" are of the first.
  if (wordAt(tokens[limit - 1]) === 'to' && wordAt(tokens[nounTo - 2]) === 'from') return limit - 1
  const isAside = isMark(tokens[nounTo], ',') && ASIDES.has(wordAt(tokens[nounTo + 1]))
  const separator = tokens.findIndex((token, i) => i >= nounTo + (isAside ? 1 : 0) && i < limit && isSeparator(token))
  if (separator < 0) return nounTo
  const inTail = mentions.filter(({ from }) => from >= nounTo && from < separator)
  return inTail.length === 0 || inTail.some(({ families }) => families.has(facet.family)) ? separator : nounTo
}

export const isPlace = ({ kind, family }: FacetWords) =>
  kind === 'name' || family === 'frames' || family === 'area' || /^(?:states?|lgas?|wards?|zones?)$/.test(family)

/** "Marembe and Kofa have {F1} and {F2}": the names of the slots stand in the order of the slots. */
export function namesInOrder({ tokens, slots }: Pick<SentenceView, 'tokens' | 'slots'>): boolean {
  const places = slots.map(({ facet }) => tokens.findIndex((token) => facet.classWords.has(wordAt(token))))
  const first = slots[0]?.at ?? 0
  return places.every((place, i) => place >= 0 && place < first && (i === 0 || place > (places[i - 1] ?? 0)))
}

/** Says whether the facet names a state, an LGA, a ward or a zone. */
export const isUnit = ({ family }: FacetWords) => /^(?:states?|lgas?|wards?|zones?)$/.test(family)

export const slotName = ({ place }: FacetWords) => `{F${place + 1}}`
