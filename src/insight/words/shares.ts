/** Holds what a sentence says of all frames, or of most, to the share that its class has. */
import type { FacetWords } from './facet-words.js'
import { saysFrames, statisticsNear } from './statistics.js'
import { isSlot, wordAt } from './tokens.js'
import { isUnit, slotName, type SentenceView, type WordContext } from './views.js'
import { isClauseEnd } from './clauses.js'
import { MOSTLY, UNIVERSAL } from './vocabulary.js'

/** "Mostly" and "the majority" need more than this share. */
const MAJORITY = 0.5

export function shareFaults(view: SentenceView, { facets }: WordContext): string[] {
  const { tokens } = view
  return view.slots
    .flatMap(({ facet, at, from, tailTo }) => {
      if (facet.share === undefined || facet.share === 1) return []
      const start = clauseStart(view, at)
      const near = tokens.slice(start, tailTo)
      const words = near.map(wordAt)
      if (isCount(facet)) return countFaults(view, { facet, start, end: tailTo })
      const saysMode = facet.statistic === 'mode' && saysMostCommon(view, Math.min(start, from), tailTo)
      const all = words.find((word, i) => UNIVERSAL.has(word) && !(word === 'all' && words[i - 1] === 'of' && i === 0))
      const isOfPeople = words.some(
        (word, i) => /^speaks?$/.test(word) || (word === 'of' && /^(?:is|are)$/.test(words[i - 1] ?? '')),
      )
      const most = words.find(
        (word, i) => MOSTLY.has(word) || word === 'majority' || (word === 'most' && isMostOf(words[i + 1])),
      )
      const unit = isUnit(facet) && words.some((word) => /^(?:in|within|to)$/.test(word))
      const name = `{F${facet.place + 1}}`
      if (saysMode) return words.includes('same') || words.includes('entire') ? [notAll(name, facet)] : []
      if (all !== undefined || unit || (isOfPeople && most === undefined)) return [notAll(name, facet)]
      if (most !== undefined && facet.share <= MAJORITY)
        return [`"${most}" needs more than half of the frames: ${name} is ${JSON.stringify(facet.value)}.`]
      return []
    })
    .concat(spokenFaults(view, facets), coverageFaults(view, facets))
}

const notAll = (name: string, { value }: FacetWords) =>
  `${name} does not say so of all frames: it is ${JSON.stringify(value)}. Say that it is the most common, or give it alone.`

/** "9 of 9 frames have no clinic" is a count of frames, and no class. */
const isCount = ({ kind, statisticText }: FacetWords) =>
  kind === 'number' && /^(?:recorded on|frames .*)$/.test(statisticText)

/** "All frames lack a school: {F1}" and "the record is complete: {F1}" need all frames. */
function countFaults({ tokens }: SentenceView, { facet, start, end }: CountedFrames): string[] {
  const has = (isSaid: (i: number) => boolean) => tokens.some((_, i) => i >= start && i < end && isSaid(i))
  const isAll = (i: number) =>
    /^(?:all|every|each)$/.test(wordAt(tokens[i])) &&
    !/^(?:across|of|in|over|for|from|not)$/.test(wordAt(tokens[i - 1])) &&
    tokens.slice(i + 1, i + 4).some((token) => /^frames?$/.test(wordAt(token)))
  const isComplete = (i: number) => /^(?:complete|full|fully|completely|entire|entirely)$/.test(wordAt(tokens[i]))
  const isMost = (i: number) => /^(?:most|majority)$/.test(wordAt(tokens[i])) && saysFrames(tokens, i + 1)
  const isSubject = (i: number) =>
    isSlot(tokens[i], 'F') &&
    tokens[i]?.kind === 'slot' &&
    facet.statisticText.startsWith('frames ') &&
    /^(?:is|are|was|were|of|number)$/.test(wordAt(tokens[i - 1])) &&
    /^(?:people|population|residents|inhabitants)$/.test(wordAt(tokens[i - 2])) &&
    !/^(?:no|without)$/.test(wordAt(tokens[i - 3]))
  return has((i) => isAll(i) || isComplete(i) || isSubject(i)) || (has(isMost) && (facet.share ?? 0) <= MAJORITY)
    ? [notAll(slotName(facet), facet)]
    : []
}
type CountedFrames = { facet: FacetWords; start: number; end: number }

/** "The survey reached all of the frames and counted {F1}" needs a figure that all of them record. */
function coverageFaults({ tokens, slots }: SentenceView, facets: readonly FacetWords[]): string[] {
  const isAll = tokens.some(
    (token, i) =>
      /^(?:reached|covered|surveyed|visited|counted|known|recorded|examined)$/.test(wordAt(token)) &&
      tokens.slice(i + 1, i + 4).some((each) => /^(?:all|every|each)$/.test(wordAt(each))) &&
      tokens.slice(i + 2, i + 6).some((each) => /^frames?$/.test(wordAt(each))),
  )
  const partly = slots.find(({ facet }) =>
    facets.some(
      ({ family, statisticText, share }) =>
        family === facet.family && statisticText === 'recorded on' && share !== undefined && share < 1,
    ),
  )
  return isAll && partly ? [`${slotName(partly.facet)} is not recorded on all frames: do not say so.`] : []
}

const isMostOf = (next: string | undefined) => /^(?:of|frames|people|land|residents)$/.test(next ?? '')

const saysMostCommon = (view: SentenceView, from: number, to: number) =>
  statisticsNear(view, from, to).some(({ said }) => said === 'mode') ||
  view.mentions.some((mention) => mention.facet?.statistic === 'mode' && mention.from >= from && mention.from < to)

function clauseStart({ tokens }: SentenceView, at: number): number {
  let start = at
  while (start > 0 && !isClauseEnd(tokens, start - 1, at)) start -= 1
  return start
}

/** "All land is forest" needs the class of all frames, also if a count of frames stands beside it. */
function spokenFaults({ tokens, slots }: SentenceView, facets: readonly FacetWords[]): string[] {
  if (slots.length > 0) return []
  const most = tokens.some((token) => MOSTLY.has(wordAt(token)))
  const spoken = facets.filter(
    ({ kind, classWords }) => kind === 'class' && tokens.some((token) => classWords.has(wordAt(token))),
  )
  const isTrue = spoken.every(({ share }) => share === undefined || share > MAJORITY)
  const isLabelled = tokens.some((token) => isSlot(token, 'L'))
  return most && !isTrue && !isLabelled ? ['No figure says that most of it is so.'] : []
}
