/**
 * Lists English number words. numbers.ts reads their values in a finished text. prose.ts refuses them in the words that
 * a model writes around its slots, also where a label holds them. The list of words/vocabulary.ts refuses others.
 */

const TO_NINETEEN = (
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen ' +
  'seventeen eighteen nineteen'
).split(' ')
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')

/** Gives each word below a hundred its value. */
export const WORD_VALUES: ReadonlyMap<string, bigint> = new Map([
  ...TO_NINETEEN.map((word, i): [string, bigint] => [word, BigInt(i)]),
  ...TENS.map((word, i): [string, bigint] => [word, BigInt(i + 2) * 10n]),
  ...['nil', 'nought', 'naught'].map((word): [string, bigint] => [word, 0n]),
])

/** These words multiply the number before them. */
export const SCALE_VALUES: ReadonlyMap<string, bigint> = new Map([
  ['hundred', 100n],
  ['thousand', 1000n],
  ['lakh', 100_000n],
  ['million', 1_000_000n],
  ['crore', 10_000_000n],
  ['billion', 1_000_000_000n],
  ['trillion', 1_000_000_000_000n],
])

export const isNumberWord = (word: string) => WORD_VALUES.has(word) || SCALE_VALUES.has(word)

/**
 * These words state an amount that no figure can have. A finished text holds the words of the data too, so the list
 * leaves out words with another common meaning: "second" is a unit of time.
 */
export const AMOUNT_WORDS: ReadonlySet<string> = new Set(
  (
    'half halves third thirds quarter quarters fourth fourths fifth fifths sixth sixths seventh seventhes eighth ' +
    'eighths ninth ninths tenth tenths twelfth twentieth hundredth hundredths thousandth first twice thrice double ' +
    'doubled doubles doubling triple tripled triples treble quadruple quadrupled quintuple dozen dozens score scores ' +
    'couple pair pairs trio quartet hundreds thousands millions billions lakhs crores tens eleventh thirteenth ' +
    'fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth thirtieth single twofold threefold fourfold ' +
    'tenfold multiple several secondly thirdly duo twin twins triplet triplets decade decades century centuries fortnight'
  ).split(' '),
)

const ONES = TO_NINETEEN.slice(1, 10).join('|')
const TEENS = TO_NINETEEN.slice(10).join('|')
const TENS_SPELT = [...TENS, 'fourty'].join('|')
const SCALES = [...SCALE_VALUES.keys(), 'lac', 'quadrillion', 'zillion', 'myriad'].join('|')
const ORDINALS =
  'zeroth|first|second|third|fourth|fifth|sixth|seventh|eighth|ninth|tenth|eleventh|twelfth|twelveth|(?:thir|' +
  'four|fif|six|seven|eigh|nine)teenth|(?:twent|thirt|fort|fift|sixt|sevent|eight|ninet)ieth|(?:hundred|' +
  'thousand|million|billion)th'
const OTHERS =
  'zero(?:e?s)?|nil|nought|naught|nada|dozen|half|halves|halved|halving|quarter|both|single|singly|twice|' +
  'thrice|couple|pair|pairs|paired|duo|trio|double[ds]?|doubling|triple[ds]?|tripling|treble[ds]?|' +
  'quadruple[ds]?|quintuple[ds]?|firstly|secondly|thirdly|ones|twos|threes|fours|fives|sixes|sevens|eights|' +
  'nines|tens|twenties|thirties|forties|fifties|sixties|seventies|eighties|nineties'
const ENGLISH = new RegExp(
  `^(?:(?:${TENS_SPELT})(?:${ONES}|${ORDINALS})?|(?:${ONES})(?:${ORDINALS}|${SCALES}|fold|some)?|` +
    `(?:${TEENS}|${SCALES})(?:fold|some)?|${ORDINALS}|${OTHERS})s?$`,
)

export const ROMAN = /\b(?:(?=[IVXLCDM]{2})M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})|[VX])\b/

/** NFKC makes letters of a Roman numeral that is one character (Ⅷ). */
export const hasRomanNumeral = (text: string) => ROMAN.test(text.normalize('NFKC'))

/** Here "one" and "both" are pronouns: they count nothing that a figure counts. */
const PLAIN_USES =
  /\b(?:not )?one of (?:the|these|those|its|their)\b|\bboth\b|\bone another\b|\bone (?:would|can|may|could)\b/g

/** Finds at most five, also behind accents, ligatures and inner hyphens. */
export function numberWordsIn(text: string): string[] {
  const folded = text
    .normalize('NFKD')
    .replace(/\p{M}+/gu, '')
    .toLowerCase()
    .replace(/[ıɗɓƙ]/g, (letter) => ({ ı: 'i', ɗ: 'd', ɓ: 'b', ƙ: 'k' })[letter] ?? '')
  const plain = folded.replace(PLAIN_USES, ' ')
  const apart = plain.match(/\p{L}+/gu) ?? []
  const joined = (plain.match(/[\p{L}'’‘\-–—]+/gu) ?? []).map((word) => word.replace(/[^\p{L}]/gu, ''))
  return [...new Set([...apart, ...joined])].filter((word) => ENGLISH.test(word)).slice(0, 5)
}
