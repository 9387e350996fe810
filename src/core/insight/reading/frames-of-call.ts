/** The words of a question that mean the frames of the call, or tell how many there are: they limit nothing. */
import type { Catalogue } from './catalogue.js'
import { cuesAt } from './cues.js'
import type { WholeLevel } from './reading.js'
import { numberAt } from './spelling.js'

/** The figures are those of a unit of the level, which "the state" means, or of so many frames. */
export type Whole = { level?: WholeLevel; frames?: number }

/** A word of the question, or a mark at -1. */
type Token = { word: string; text: string; before: string; isFree: boolean; at: number }

/** "How many of the 60 wards": the question tells how many there are, and is right. Another number is not passed over. */
export function restated(
  { unitCounts }: Catalogue,
  tokens: readonly Token[],
  at: number,
  { level, frames }: Whole,
): number[] {
  const plain = tokens.map(({ word }) => word)
  const number = numberAt(plain, at)
  if (!number || !(POINTING.test(tokens[at]?.before ?? '') || /^(the|all)$/.test(tokens[at]?.before ?? ''))) return []
  const things = cuesAt(plain, at + number.length).map(({ cue }) => cue.kind)
  const counts = { frames, ...(level === 'country' && unitCounts) }
  const isRight = Object.entries(counts).some(
    ([kind, count]) => things.includes(kind as 'frames') && number.value === String(count),
  )
  return isRight ? [at + number.length] : []
}

const POINTING = /^(this|these|those|that|our|my|your|whole|entire|selected|chosen|given|two)$/
const OF_FRAMES =
  /^(frames?|areas?|places?|cells?|squares?|tiles?|locations?|sites?|grid|regions?|town|village|city|land|ground|side)$/

/** "In these frames", "of the state", "the country": where these words end. The figures are of those frames anyway. */
export function framesOfCall(
  { placeCues }: Catalogue,
  tokens: readonly Token[],
  at: number,
  { level, frames }: Whole,
): number[] {
  const isLed = /^(in|of|from|for|on|across|at|within|inside|throughout|over)$/.test(tokens[at]?.word ?? '')
  const start = isLed ? at + 1 : at
  // "Any of it".
  if (isLed && /^(it|them|here|there)$/.test(tokens[start]?.word ?? '')) return [start + 1]
  const from = tokens.findIndex(({ isFree }, i) => i >= start && !isFree)
  const token = from < 0 ? undefined : tokens[from]
  if (!token || token.at < 0) return []
  const number = level === undefined && POINTING.test(token.before) ? numberAt([token.word], 0)?.value : undefined
  const isNumbered = number !== undefined && (frames === undefined || number === String(frames))
  const own = isNumbered ? tokens[from + 1] : token
  // "That village of N'Dara" is another.
  if (!own || (own.before === 'that' && tokens[from + 1]?.word === 'of')) return []
  const isPointed = isNumbered || POINTING.test(own.before)
  const isPart = /^(with|without|where|that|which|whose|have|has|having|within|above|over|below|under|more|less|no)$/
  const isFollowed = isPart.test(tokens[from + 1]?.word ?? '')
  const isOwner = /['’]s$/.test(own.text)
  const [named] = cuesAt(
    tokens.map(({ word }) => word),
    from,
    placeCues,
  )
  if (level === 'country' && named?.cue.kind === 'other') return [from + named.length]
  const isCountry =
    level === 'country' && /^(country|nation|nationwide|national|nationally|countrywide)$/.test(own.word)
  const isWhole =
    (own.word === level ||
      (named !== undefined && named.cue.kind === level) ||
      (level === 'lga' && /^(lga|local)$/.test(own.word))) &&
    (isPointed || own.before === 'the')
  const isListed =
    level === undefined &&
    /^(state|lga|ward|local)$/.test(own.word) &&
    isPointed &&
    !/^(whole|entire)$/.test(own.before)
  // "Of the city paved roads" is of other roads.
  const isTown = /^(town|village|city)$/.test(own.word)
  const after = tokens[from + 1]
  const isLast =
    !after ||
    after.isFree ||
    after.at < 0 ||
    isPart.test(after.word) ||
    /^(in|of|by|per|and|or|than|lack|lacks)$/.test(after.word)
  const isOfFrames =
    OF_FRAMES.test(own.word) &&
    !(isTown && !isLast) &&
    (isPointed || (isLed && own.before === 'the')) &&
    !(isFollowed && !isPointed)
  const more = tokens.slice(from + 1).findIndex(({ word }) => !/^(government|area|cell|square)s?$/.test(word))
  const isLong = /^(local|grid)$/.test(own.word) && !isOwner
  const length = (isNumbered ? 2 : 1) + (isLong ? (more < 0 ? tokens.length - from - 1 : more) : 0)
  return isCountry || isWhole || isListed || isOfFrames ? [from + length] : []
}
