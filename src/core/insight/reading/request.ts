/** Finds the part of a question that asks: a long introduction, a reason at the end and thanks ask for nothing. */
import { withoutAsides, type Range } from './asides.js'
import type { Word } from './words.js'

const listOf = (text: string) => text.split(/\s*,\s*/)

/** Phrases by their first word. */
type Phrases = ReadonlyMap<string, string[][]>
function requestPhrases(text: string): Phrases {
  const phrases = new Map<string, string[][]>()
  for (const phrase of listOf(text)) {
    const words = phrase.split(' ')
    phrases.set(words[0] ?? '', [...(phrases.get(words[0] ?? '') ?? []), words])
  }
  return phrases
}
const INTRODUCERS: ReadonlySet<string> = new Set(listOf('im, ive, were, weve, my, our, i, we'))
const FIRST_PERSON: ReadonlySet<string> = new Set(listOf('i, im, ive, id, we, weve, my, our, me, us'))
/** The request comes after these words. */
const REQUESTS = requestPhrases(
  `tell me, tell us, show me, show us, give me, give us, let me know, let us know, want to know, need to know, like to know,
  love to know, know, find out, asking, wondering, wonder, question is, looking for, curious about, curious`.replace(
    /\n\s*/g,
    ' ',
  ),
)
/** The request may come after these words. An introduction may hold them too. */
const WISHES = requestPhrases('i want, i need, we need, we want, need, would like, please, id like')
/** These words are a part of the request. */
const COUNT_REQUESTS = requestPhrases('how many, how much, number of')
/** A question begins with one of these words. */
const REQUEST_OPENERS: ReadonlySet<string> = new Set(
  listOf(
    `how, what, which, where, who, when, why, is, are, does, do, did, whats, wheres, list, count, rank, compare, tell, show, give,
    describe`.replace(/\n\s*/g, ' '),
  ),
)
/** A reason follows these words. */
const REASONS = requestPhrases(
  `because, since we, since i, so that, so we, so i, as we, as i, in order to, to help, to plan, to decide,
  before we, before i, we are, i am, we need, we want, we plan, i plan`.replace(/\n\s*/g, ' '),
)

/** A reason without a verb follows these words. It ends at "and". */
const PURPOSES = requestPhrases('as part of, for my, for our, for the purpose of')

export function requestIn(words: readonly Word[]): Range[] {
  const rated = sentencesOf(words).map((range) => ({ range, rating: ratingOf(words, range) }))
  const best = Math.max(0, ...rated.map(({ rating }) => rating))
  return rated
    .filter(({ range, rating }) => rating === best || !speaksOfAsker(words, range))
    .flatMap(({ range }) => withoutAsides(words, range))
    .flatMap((range) => clausesOf(words, range))
    .flatMap((range) => withoutPurpose(words, withoutReason(words, withoutIntroduction(words, range))))
}

function sentencesOf(words: readonly Word[]): Range[] {
  const starts = words.flatMap(({ mark }, i) => (i === 0 || mark === 'strong' ? [i] : []))
  return starts.map((start, i) => ({ start, end: starts[i + 1] ?? words.length }))
}

const speaksOfAsker = (words: readonly Word[], { start, end }: Range) =>
  words.slice(start, end).some(({ word }) => FIRST_PERSON.has(word))

/** 3: asks outright. 2: wishes. 1: neither asks nor tells about the asker. 0: tells about the asker. */
function ratingOf(words: readonly Word[], range: Range): number {
  if (
    openerIn(words, range) !== undefined ||
    phraseIn(words, range, REQUESTS) ||
    phraseIn(words, range, COUNT_REQUESTS)
  )
    return 3
  if (phraseIn(words, range, WISHES)) return 2
  return speaksOfAsker(words, range) ? 0 : 1
}

/** The first of the phrases among the words. */
function phraseIn(words: readonly Word[], { start, end }: Range, phrases: Phrases): Range | undefined {
  for (let i = start; i < end; i++) {
    for (const phrase of phrases.get(words[i]?.word ?? '') ?? []) {
      if (i + phrase.length <= end && phrase.every((word, k) => words[i + k]?.word === word))
        return { start: i, end: i + phrase.length }
    }
  }
  return undefined
}

/** "I was wondering whether you could tell me how steep it is": the last request counts, if something comes after it. */
function lastRequest(words: readonly Word[], range: Range): Range | undefined {
  const found = phraseIn(words, range, REQUESTS)
  if (!found) return undefined
  const later = lastRequest(words, { start: found.end, end: range.end })
  return later && later.end < range.end - 1 ? later : found
}

/** The first word that opens a question, at the beginning or after a comma. */
function openerIn(words: readonly Word[], { start, end }: Range): number | undefined {
  const found = words.findIndex(
    ({ word, mark }, i) => i >= start && i < end && (i === start || mark !== '') && REQUEST_OPENERS.has(word),
  )
  return found === -1 ? undefined : found
}

/** "How steep is it, and I'm drafting a plan and need the population": the introduction begins after the first wish. */
function clausesOf(words: readonly Word[], { start, end }: Range): Range[] {
  const joint = words.findIndex(({ word }, i) => {
    const isBetween = i > start + 1 && i < end - 1
    return isBetween && word === 'and' && INTRODUCERS.has(words[i + 1]?.word ?? '')
  })
  if (joint === -1 || speaksOfAsker(words, { start, end: joint })) return [{ start, end }]
  return [
    { start, end: joint + 1 },
    { start: joint + 1, end },
  ]
}

/** Drops what comes before the request, where it tells about the asker. */
function withoutIntroduction(words: readonly Word[], range: Range): Range {
  const request = lastRequest(words, range) ?? phraseIn(words, range, WISHES)
  const places = [openerIn(words, range), request?.start, phraseIn(words, range, COUNT_REQUESTS)?.start]
  const start = Math.min(range.end, ...places.flatMap((place) => place ?? []))
  const tells = start < range.end && speaksOfAsker(words, { start: range.start, end: start })
  return tells && !leavesOut(words, { start: range.start, end: start }) ? { start, end: range.end } : range
}

const LEAVING_OUT = /\b(dont|do not|not interested|ignore|forget|never mind|except|aside)\b/

/** "I don't care about the schools" is a part of the request. */
const leavesOut = (words: readonly Word[], { start, end }: Range) =>
  LEAVING_OUT.test(
    words
      .slice(start, end)
      .map(({ word }) => word)
      .join(' '),
  )

/** A reason comes after the words that ask: at least two of them. */
function withoutReason(words: readonly Word[], range: Range): Range {
  const reason = phraseIn(words, { start: range.start + 2, end: range.end }, REASONS)
  return reason ? { start: range.start, end: reason.start } : range
}

/** Words after "and" may ask for more: "for our pilot, and the average slope". */
function withoutPurpose(words: readonly Word[], range: Range): Range[] {
  const purpose = phraseIn(words, { start: range.start + 2, end: range.end }, PURPOSES)
  if (!purpose) return [range]
  const joint = words.findIndex(({ word }, i) => i >= purpose.end && i < range.end && word === 'and')
  const before = { start: range.start, end: purpose.start }
  return joint === -1 ? [before] : [before, ...withoutPurpose(words, { start: joint, end: range.end })]
}
