/** Holds a figure of some of the frames to its condition: a sentence must not give it to all of them. */
import { lowerWords, stemOf, type FacetWords } from './facet-words.js'
import { wordAt } from './tokens.js'
import { slotName, type SentenceView, type SlotView } from './views.js'

/** "In Marembe, {F1} live" says the condition "State is MAREMBE" in full. */
export function saysCondition({ tokens }: SentenceView, { facet, from, tailTo }: SlotView): boolean {
  if (facet.condition === '' || facet.classWords.size === 0) return false
  const words = new Set(tokens.slice(from, tailTo).map(wordAt))
  return [...facet.classWords].every((word) => words.has(word))
}

/** "Frames with a large population" names the condition "Population is above 7,000 people". */
function namesCondition({ tokens, mentions }: SentenceView, { condition, classWords }: FacetWords): boolean {
  const stems = new Set(lowerWords(condition).map(stemOf))
  return (
    tokens.some((token) => classWords.has(wordAt(token)) || stems.has(stemOf(wordAt(token)))) ||
    mentions.some(({ families }) => [...families].some((family) => stems.has(stemOf(family.split(', ')[0] ?? '')))) ||
    tokens.some((token) => token.kind === 'slot' && token.name === 'L')
  )
}

const SCOPE = /^(?:all|every|each|whole|entire|area|here|altogether|overall|throughout|everywhere)$/
/** These words speak of all frames, or of any. */
export function conditionFaults(view: SentenceView): string[] {
  const { tokens, slots } = view
  const isOfFrames = tokens.some(
    (token, i) => /^frames?$/.test(wordAt(token)) && /^(?:a|the|these|those|its)$/.test(wordAt(tokens[i - 1])),
  )
  const saysAll = isOfFrames || tokens.some((token) => SCOPE.test(wordAt(token)))
  return slots.flatMap(({ facet }) =>
    facet.condition !== '' && saysAll && !namesCondition(view, facet)
      ? [`${slotName(facet)} is only of the frames where ${facet.condition}: name them.`]
      : [],
  )
}
