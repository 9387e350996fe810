/** Finds where a sentence names a family of facets: "building density" names one, "buildings" another. */
import { SOFT } from './vocabulary.js'
import { isContainer, stemOf, type FacetWords, type Families } from './facet-words.js'
import { isMark, type Token } from './tokens.js'

/** The sentence names one of these families by its tokens from `from` up to `to`, which is not included. */
export type Mention = {
  from: number
  to: number
  families: ReadonlySet<string>
  isContainer: boolean
  isSoft: boolean
  /** These families have the first word of the mention in their names. */
  wide: ReadonlySet<string>
  facet?: FacetWords
}

const JOINING = new Set('to the in of or'.split(' '))

export function mentionsIn(
  tokens: readonly Token[],
  { byStem, byWhole, weak, phrases }: Families,
  facets: readonly FacetWords[],
): Mention[] {
  const mentions: Mention[] = []
  const familiesAt = (i: number) => {
    const token = tokens[i]
    return token?.kind === 'word' ? byStem.get(stemOf(token.low)) : undefined
  }
  for (let i = 0; i < tokens.length;) {
    const token = tokens[i] as Token
    const facet = token.kind === 'slot' && token.name === 'L' ? facets[token.place] : undefined
    if (facet)
      mentions.push({
        from: i,
        to: i + 1,
        families: new Set([facet.family]),
        isContainer: false,
        isSoft: false,
        wide: new Set(),
        facet,
      })
    const phrase = phrases.find(({ stems }) => stems.every((stem, k) => stem === stemOf(lowAt(tokens, i + k))))
    if (phrase) {
      const families = new Set([phrase.family])
      const to = i + phrase.stems.length
      mentions.push({ from: i, to, families, isContainer: false, isSoft: false, wide: families })
      i = to
      continue
    }
    const found = familiesAt(i)
    if (!found || token.kind !== 'word') {
      i += 1
      continue
    }
    const mention = grown(
      {
        from: i,
        to: i + 1,
        families: found,
        wide: found,
        isContainer: isContainer(stemOf(token.low)),
        isSoft: isSoftAt(tokens, i),
      },
      tokens,
      familiesAt,
    )
    const whole = mention.to === i + 1 ? byWhole.get(stemOf(token.low)) : undefined
    const before = tokens[i - 1]
    const isWithWeak = before?.kind === 'word' && weak.has(stemOf(before.low))
    mentions.push({ ...mention, families: whole ?? mention.families, from: isWithWeak ? i - 1 : i })
    i = mention.to
  }
  return mentions
}

const lowAt = (tokens: readonly Token[], i: number) => {
  const token = tokens[i]
  return token?.kind === 'word' ? token.low : ''
}

/** Takes in the words that follow for as long as one family has all of them. */
function grown(
  mention: Mention,
  tokens: readonly Token[],
  familiesAt: (i: number) => ReadonlySet<string> | undefined,
): Mention {
  let result = mention
  for (;;) {
    let next = result.to
    while (
      isMark(tokens[next], '-') ||
      (next < result.to + 3 && tokens[next]?.kind === 'word' && isJoining(tokens[next]))
    )
      next += 1
    const families = familiesAt(next) ?? familiesAt(next + 1)
    if (!familiesAt(next) && isWeakBetween(tokens[next])) next += 1
    const common = new Set([...(families ?? [])].filter((family) => result.families.has(family)))
    if (!familiesAt(next) || common.size === 0) return result
    result = { ...result, to: next + 1, families: common, isContainer: false, isSoft: false }
  }
}
/** "A household" is anyone's, "households" are counted. */
const isSoftAt = (tokens: readonly Token[], i: number) => {
  const token = tokens[i]
  const before = tokens[i - 1]
  if (token?.kind !== 'word') return false
  return (
    SOFT.has(token.low) ||
    (token.low === 'household' && before?.kind === 'word' && /^(?:a|an|the|average|typical)$/.test(before.low))
  )
}
const isJoining = (token: Token | undefined) => token?.kind === 'word' && JOINING.has(token.low)
const isWeakBetween = (token: Token | undefined) => token?.kind === 'word' && ['nearest', 'main'].includes(token.low)
