/** Refuses a figure that a sentence gives to another figure: "the schools have {people}", "{shops} in {buildings}". */
import type { FacetWords } from './facet-words.js'
import { isMark, isSlot, wordAt } from './tokens.js'
import { isPlace, type SentenceView, type SlotView } from './views.js'

const JOINING_VERBS = new Set(
  'has have had hold holds contain contains own owns with is are was were lie lies stand stands in on within'.split(
    ' ',
  ),
)
/** The verb and the slot have at most this many words between them. */
const REACH = 3

export function belongingFaults({ tokens, slots, mentions }: SentenceView): string[] {
  return slots.flatMap(({ facet, at }, i) => {
    const owner = slots[i - 1]
    if (!owner || isPlace(owner.facet) || isPlace(facet) || facet.kind !== 'number' || owner.facet.kind !== 'number')
      return []
    const between = tokens.slice(owner.nounTo, at)
    const joins = between.slice(0, REACH).findIndex((token) => JOINING_VERBS.has(wordAt(token)))
    if (joins < 0 || between.length > joins + REACH) return []
    const verb = owner.nounTo + joins
    if (wordAt(tokens[verb - 1]) === 'there') return []
    if (mentions.some(({ from }) => from >= owner.nounTo && from < verb)) return []
    if (
      between.some(
        (token) => isMark(token, ',;:()') || isSlot(token, 'I') || /^(?:and|but|than|against)$/.test(wordAt(token)),
      )
    )
      return []
    return isOwnFigure(owner, facet)
      ? []
      : [`{F${facet.place + 1}} is not a figure of {F${owner.facet.place + 1}}: write "and" between them.`]
  })
}

/** The pupils of schools, two years of one figure, and the journey of households are. */
function isOwnFigure({ facet: owner }: SlotView, facet: FacetWords): boolean {
  const [thing = ''] = owner.family.split(', ')
  if (owner.frameId !== facet.frameId && owner.frameId !== undefined && facet.frameId !== undefined) return false
  return (
    facet.family.startsWith(thing) ||
    owner.family.startsWith(facet.family) ||
    facet.share !== undefined ||
    owner.share !== undefined ||
    (facet.statisticText === 'weighted average' && /^households?$|^population$/.test(owner.family)) ||
    (/^population$/.test(owner.family) && /^households?$/.test(facet.family)) ||
    facet.statisticText.startsWith('per ')
  )
}
