/** Holds to the figures what a sentence says of the place: its character, its height and its slope, and where it is. */
import type { FacetWords } from './facet-words.js'
import { isSlot, wordAt, type Token } from './tokens.js'
import { isPlace, slotName, type SentenceView, type WordContext } from './views.js'
import { CHARACTER, WHOLE } from './vocabulary.js'

export const placeClaimFaults = (view: SentenceView, context: WordContext): string[] => [
  ...beyondFaults(view),
  ...characterFaults(view, context),
  ...heightFaults(view),
  ...scopeFaults(view),
]

/** The figures say nothing of what is outside the frames. */
function beyondFaults({ tokens, mentions }: SentenceView): string[] {
  const isOutside = tokens.some(
    (token, i) =>
      /^(?:beyond|besides|except)$/.test(wordAt(token)) &&
      mentions.some(({ from, isContainer }) => isContainer && from > i && from < i + 4),
  )
  return isOutside ? ['Nothing is known of what is outside the frames.'] : []
}

/** A town needs an urban class in the data. "Throughout" needs a class that all frames have. */
function characterFaults(view: SentenceView, { facets }: WordContext): string[] {
  const { tokens, slots } = view
  const classes = facets.filter(({ kind }) => kind === 'class')
  const isWhole = tokens.some((token) => WHOLE.has(wordAt(token)))
  const spokenSlots = new Set(
    slots.flatMap(({ facet }) => (facet.share === undefined && facet.condition === '' ? [] : [...facet.classWords])),
  )
  const spoken = classes.filter(({ classWords, place }) =>
    tokens.some((token) => classWords.has(wordAt(token)) || (isSlot(token, 'F') && token.place === place)),
  )
  const isPlainThroughout =
    isWhole && tokens.some((token) => wordAt(token) === 'throughout') && spoken.length === 0 && slots.length > 0
  const wholeFault = isWhole && !isPlainThroughout && (spoken.length === 0 || !spoken.some(({ isWhole: all }) => all))
  const untrue = tokens.find((token, i) => {
    const needed = CHARACTER.get(wordAt(token))
    if (wordAt(token).startsWith('dense') && isDensePlace(view)) return false
    // "Rural: {F1}" gives the share of the class.
    if (spokenSlots.has(wordAt(token))) return false
    if (!needed || view.mentions.some((mention) => mention.from <= i && i < mention.to)) return false
    return !classes.some(({ classWords, isWhole: all }) => all && [...classWords].some((word) => needed.test(word)))
  })
  return [
    ...(wholeFault ? ['The figures do not say that all of it is so.'] : []),
    ...(untrue || isUntrueSlope(tokens, facets)
      ? ['No figure says that the place is so: leave the description out.']
      : []),
  ]
}

/** Eurostat's degree of urbanisation calls 300 people per km² an urban cluster. */
const DENSE_FROM = 300
/** "Both frames are dense, at {F1} and {F2}" gives the densities. */
function isDensePlace({ slots }: SentenceView): boolean {
  const densities = slots.filter(({ facet }) => /density|per km²/.test(facet.label.toLowerCase()))
  return densities.length > 0 && densities.every(({ facet }) => (facet.number ?? 0) >= DENSE_FROM)
}

/** Land under 200 m is low, and land from 500 m on is high, as atlases draw it. */
const LOW_BELOW = 200
const HIGH_FROM = 500
function heightFaults({ tokens, slots }: SentenceView): string[] {
  const heights = slots.flatMap(({ facet }) => (/elevation|altitude/.test(facet.family) ? [facet.number ?? 0] : []))
  const says = (word: string) => tokens.some((token) => wordAt(token) === word)
  const isUntrue =
    (says('low') && !(heights.length > 0 && heights.every((height) => height < LOW_BELOW))) ||
    (says('high') && !(heights.length > 0 && heights.every((height) => height >= HIGH_FROM)))
  return isUntrue ? ['No figure says that the land is so high or low: leave the description out.'] : []
}

/** "The population of the zone is {F1}": the frames are a part of the zone. */
function scopeFaults({ tokens, slots }: SentenceView): string[] {
  const wide = tokens.some(
    (token, i) =>
      /^(?:zone|state|lga|ward|district|region)$/.test(wordAt(token)) &&
      /^(?:the|this|its|whole|entire)$/.test(wordAt(tokens[i - 1])) &&
      /^(?:of|for|across|throughout)$/.test(wordAt(tokens[i - 2])) &&
      !/^(?:part|frames?|area|group|language|land)$/.test(wordAt(tokens[i - 3])) &&
      tokens[i + 1]?.kind !== 'slot' &&
      !(wordAt(tokens[i + 1]) === 'of' && tokens[i + 2]?.kind === 'slot'),
  )
  const figure = slots.find(({ facet }) => facet.kind === 'number' && !isPlace(facet))
  // "The state of Marembe has {F1}", where the frames are a part of the state.
  const isOwner = tokens.some(
    (token, i) =>
      /^(?:zone|state|lga|ward)$/.test(wordAt(token)) &&
      wordAt(tokens[i - 1]) === 'the' &&
      !/^(?:of|in|within|for|around)$/.test(wordAt(tokens[i - 2])) &&
      wordAt(tokens[i + 1]) === 'of' &&
      tokens.slice(i + 3, i + 6).some((each) => /^(?:has|have|holds?|counts?|totals?)$/.test(wordAt(each))),
  )
  return (wide || isOwner) && figure
    ? [`${slotName(figure.facet)} is a figure of the frames, not of the whole place: name the frames or the area.`]
    : []
}

/** A slope under 5 degrees is gentle, and one of 10 or more is steep. */
function isUntrueSlope(tokens: readonly Token[], facets: readonly FacetWords[]): boolean {
  const slopes = facets.flatMap(({ family, statistic, number }) =>
    family.includes('slope') && statistic !== 'low' && statistic !== 'high' && number !== undefined ? [number] : [],
  )
  const says = (words: RegExp) => tokens.some((token) => words.test(wordAt(token)))
  const isGentle = slopes.length > 0 && slopes.every((slope) => slope < 5)
  const isSteep = slopes.length > 0 && slopes.every((slope) => slope >= 10)
  return (says(/^(?:gentle|gently|flat)$/) && !isGentle) || (says(/^steep$/) && !isSteep)
}
