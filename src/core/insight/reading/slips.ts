/** Slips of the keyboard: which known word a misspelled one is. */

/** People write these short forms. */
const SHORT_FORMS: ReadonlyMap<string, string> = new Map([
  ['ppl', 'people'],
  ['nite', 'night'],
  ['thru', 'through'],
])
/** A word of up to four letters is one of these: among so many short words, most others would be near another. */
const SHORT_WORDS = ['how', 'many', 'much', 'which', 'what', 'where', 'with', 'without', 'have', 'most', 'than', 'from', 'about'] // prettier-ignore
const SHORT = 4
/** From this length on, a letter too many or another letter is rarely a word of its own. */
const LONG = 8

export type Correction = { word: string; isGuess: boolean }

/**
 * Returns the one known word that the word is nearest to. A letter left out, written twice or swapped with the next
 * makes hardly another word. Another letter may make one, as in horses and houses: in a short word it is a guess.
 */
export function correctionOf(word: string, vocabulary: Iterable<string>): Correction | undefined {
  const meant = SHORT_FORMS.get(word)
  if (meant !== undefined) return { word: meant, isGuess: false }
  if (/\d/.test(word)) return undefined
  const isShort = word.length <= SHORT
  const known = isShort ? SHORT_WORDS : vocabulary
  // The vocabulary may have the singular alone.
  const one = isShort ? undefined : nearest(word.replace(/s$/, ''), known)
  const found = nearest(word, known) ?? (one?.isOther === false ? one : undefined)
  if (!found || (isShort && found.isOther)) return undefined
  return { word: found.word, isGuess: found.isOther && word.length < LONG }
}

/** The nearest word; undefined where two are as near. A plural and its singular are one word. */
export function nearest(word: string, vocabulary: Iterable<string>): { word: string; isOther: boolean } | undefined {
  const slips = new Map<string, 'letter' | 'other'>()
  for (const meant of vocabulary) {
    const slip = slipOf(word, meant)
    if (slip) slips.set(meant, slip)
  }
  const isOther = ![...slips.values()].includes('letter')
  const found = [...slips].flatMap(([meant, slip]) => (isOther || slip === 'letter' ? [meant] : []))
  const [first] = found.toSorted((a, b) => Math.abs(a.length - word.length - 1) - Math.abs(b.length - word.length - 1))
  const isOne = new Set(found.map((each) => each.replace(/s$/, ''))).size === 1
  return first !== undefined && isOne ? { word: first, isOther } : undefined
}

/** `letter`: one is left out, written twice, or swapped with the next. `other`: one more, or another. */
function slipOf(word: string, meant: string): 'letter' | 'other' | undefined {
  if (word === meant || word[0] !== meant[0] || Math.abs(word.length - meant.length) > 1) return undefined
  let same = 0
  while (same < word.length && word[same] === meant[same]) same++
  const [own, other] = [word.slice(same), meant.slice(same)]
  if (own === other.slice(1)) return 'letter'
  if (own.slice(1) === other) return own[0] === word[same - 1] ? 'letter' : 'other'
  if (own.length > 1 && `${own[1] ?? ''}${own[0] ?? ''}${own.slice(2)}` === other) return 'letter'
  return own.slice(1) === other.slice(1) && meant.length > SHORT ? 'other' : undefined
}
