/** Writes the value of a slot with its noun, and with the statistic and the year that its clause leaves out. */
import { lowerWords, stemOf, type FacetWords } from './facet-words.js'
import { statisticsNear } from './statistics.js'
import { saysCondition } from './conditions.js'
import { isMark, isSlot, wordAt } from './tokens.js'
import type { SentenceView, SlotView } from './views.js'

/** A reader still joins a noun and a number over this many words. */
const NEAR = 7
/** The text replaces the tokens up to `until`, because the value has this noun itself. */
export type SlotText = { text: string; until: number }

export function slotText(view: SentenceView, slot: SlotView): SlotText {
  const { facet, at, nounTo } = slot
  if (facet.kind === 'name' && facet.statisticText === '') return { text: facet.value, until: at + 1 }
  const label = labelNear(view, slot)
  const isLabelled = label?.place === facet.place
  const unit = unitNoun(facet)
  const isNounBehind = view.mentions.some(
    ({ from, families, facet: named }) => from === at + 1 && nounTo > from && !named && families.has(facet.family),
  )
  const isNamed = isLabelled || unit || isNounBehind || isNamedBefore(view, slot)
  const statistic = isLabelled || isStatisticNear(view, slot) ? '' : statisticToAdd(facet)
  const year = isLabelled || label?.yearText === facet.yearText ? '' : facet.yearText
  if (!isNamed && facet.statistic === 'count' && facet.family !== '' && facet.condition === '') {
    return { text: `${facet.value} ${countNoun(facet)}`, until: at + 1 }
  }
  const noun = isNamed ? '' : nounOf(facet)
  const condition =
    isLabelled || saysCondition(view, slot) || facet.condition === '' ? '' : `on frames where ${facet.condition}`
  const missing = [noun, year, statistic, condition].filter((part) => part !== '').join(', ')
  const until = unit && isNounBehind && !/ in frame \d+$/.test(facet.value) ? nounTo : at + 1
  return { text: missing === '' ? facet.value : withNote(facet.value, missing), until }
}

/** A value that has a parenthesis gets the note inside it. */
const withNote = (value: string, note: string) => {
  const [, start, inside] = /^(.*) \(([^()]*)\)$/.exec(value) ?? []
  return start !== undefined && inside !== undefined && / of [\d,]+ frames, /.test(inside)
    ? `${start} (${note}: ${inside})`
    : `${value} (${note})`
}

/** "8,358 buildings" has its own noun, "128.96 m" and "754.47 buildings per km²" have none. */
function unitNoun({ value, family, kind }: FacetWords): boolean {
  if (kind !== 'number') return false
  if (family === 'frames' || family === 'area') return true
  const words = lowerWords(value.replace(/ in frame \d+$/, ''))
  const [word = ''] = words
  const stems = lowerWords(family).map(stemOf)
  return (
    words.length === 1 &&
    (stems.length === 1 || word !== 'frames') &&
    (stems.includes(stemOf(word)) || (stems[0] === 'population' && /^(?:people|person)$/.test(word)))
  )
}

const lowerFirst = (text: string) => (/^[A-Z][a-z]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text)
/** "Schools, pupils" has the family of its first two parts. */
const nounOf = ({ label, family }: FacetWords) =>
  lowerFirst(label.split(', ').slice(0, family.split(', ').length).join(', '))
const countNoun = (facet: FacetWords) => (facet.number === 1 ? nounOf(facet).replace(/s$/, '') : nounOf(facet))

const isPlain = ({ statistic, family }: FacetWords) =>
  statistic === 'total' || statistic === 'count' || statistic === 'plain' || family === 'frames' || family === 'area'
const statisticToAdd = (facet: FacetWords) => (isPlain(facet) ? '' : facet.statisticText)

function isStatisticNear(view: SentenceView, { facet, at, from, tailTo }: SlotView): boolean {
  if (facet.statistic === 'frame') return view.tokens.some((token, i) => i < at && isSlot(token, 'I'))
  const first = view.slots[0]
  const opening =
    first && (facet.statistic === 'average' || facet.statistic === 'median') ? statisticsNear(view, 0, first.at) : []
  const said = [...statisticsNear(view, from, tailTo), ...opening]
  if (facet.statistic === 'other') {
    const words = new Set(view.tokens.slice(from, tailTo).map(wordAt))
    return (
      lowerWords(facet.statisticText).every((word) => words.has(word)) ||
      (facet.statisticText.endsWith('have any') && words.has('any'))
    )
  }
  return said.some(({ said: statistic }) => statistic === facet.statistic)
}

const labelNear = ({ mentions, tokens }: SentenceView, { from, tailTo }: SlotView) =>
  mentions.find(
    ({ from: at, facet }) => facet !== undefined && at >= from && at < tailTo && !isMark(tokens[at - 1], '('),
  )?.facet

/** The last name before the slot is its own, and near. */
function isNamedBefore({ mentions }: SentenceView, { facet, at, from }: SlotView): boolean {
  const others = mentions.filter(
    (mention) => mention.from >= from && mention.from < at && !mention.isContainer && !mention.isSoft,
  )
  if (others.some(({ families }) => !families.has(facet.family))) return false
  const last = mentions.findLast((mention) => mention.from >= from && mention.from < at && !mention.isContainer)
  return (
    last !== undefined &&
    last.families.has(facet.family) &&
    at - last.to <= NEAR &&
    (last.families.size === 1 || last.to - last.from > 1)
  )
}
