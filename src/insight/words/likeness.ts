/** Holds "alike", "equal", "differ" and "slightly" to the values of the slots. */
import type { FacetWords } from './facet-words.js'
import { wordAt } from './tokens.js'
import type { SentenceView, WordContext } from './views.js'
import { DIFFERENCE, EQUALITY, LIKENESS, SLIGHT } from './vocabulary.js'

/** Values within a tenth of each other are alike, and the difference between them is small. */
const TENTH = 0.1

type Pair = readonly [left: number, right: number]

export function likenessFaults(view: SentenceView, { facets }: WordContext): string[] {
  const { tokens, slots } = view
  const isOfFrames = slots.length > 1 && slots.every(({ facet }) => facet.statistic === 'frame')
  const has = (words: ReadonlySet<string>) => tokens.some((token) => words.has(wordAt(token)))
  const isEqual = has(EQUALITY) || (isOfFrames && tokens.some((token) => wordAt(token) === 'same'))
  const isClose = tokens.some(
    (token, i) => wordAt(token) === 'close' && /^(?:in|together)$/.test(wordAt(tokens[i + 1])),
  )
  const isDifference = has(DIFFERENCE)
  const isChange = tokens.some((token) => /^(?:changes?|increase|rise)$/.test(wordAt(token)))
  const isSmall =
    (isDifference || isChange) && tokens.some((token) => /^(?:small|narrow|minor|modest)$/.test(wordAt(token)))
  const isLike = has(LIKENESS) || isClose || isSmall || has(SLIGHT)
  if (!isEqual && !isLike && !isDifference) return []
  const given = slots.map(({ facet }) => facet)
  const ofFrames = facets.filter(({ statistic }) => statistic === 'frame')
  const compared = given.length > 0 ? given : ofFrames
  const pairs = pairsOf(compared)
  const known = pairs.length > 0 || !has(SLIGHT) ? pairs : pairsOf([...given, ...otherYears(given, facets)])
  const isTrue = isEqual ? isSameValue : isLike ? isNear : isUnlike
  // "Slightly sloping" compares nothing.
  if (known.length === 0 && has(SLIGHT) && !isEqual && !isDifference && !has(LIKENESS) && !isClose) return []
  return known.length > 0 && (isDifference && !isLike ? known.some(isTrue) : known.every(isTrue))
    ? []
    : ['These figures are not alike, or do not differ so: say each as it is.']
}

const isSameValue = ([left, right]: Pair) => left === right
const isUnlike = ([left, right]: Pair) => left !== right
const isNear = ([left, right]: Pair) => Math.abs(left - right) <= Math.max(Math.abs(left), Math.abs(right)) * TENTH

function pairsOf(facets: readonly FacetWords[]): Pair[] {
  return facets.flatMap((left, i) =>
    facets.slice(i + 1).flatMap((right): Pair[] => {
      const isOneKind = left.family === right.family && comparedAs(left) === comparedAs(right)
      return isOneKind && left.number !== undefined && right.number !== undefined ? [[left.number, right.number]] : []
    }),
  )
}

/** The lowest and the highest are one kind, and so are frames. */
const comparedAs = ({ statistic }: FacetWords) => (['low', 'high', 'frame'].includes(statistic) ? 'frame' : statistic)

const otherYears = (given: readonly FacetWords[], facets: readonly FacetWords[]) =>
  facets.filter(({ family, statistic, yearText }) =>
    given.some(
      (each) => each.family === family && each.statistic === statistic && yearText !== '' && each.yearText !== yearText,
    ),
  )
