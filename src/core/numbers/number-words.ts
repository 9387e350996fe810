/** Lists English number words. numbers.ts reads their values in a text. */

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

/**
 * These words state an amount that no figure can have. A finished text holds the words of the data too, so the list
 * leaves out words with another common meaning.
 */
export const AMOUNT_WORDS: ReadonlySet<string> = new Set(
  (
    'half halves second third thirds quarter quarters fourth fourths fifth fifths sixth sixths seventh sevenths eighth ' +
    'eighths ninth ninths tenth tenths twelfth twentieth hundredth thousandth first twice thrice double doubled ' +
    'doubles triple tripled treble quadruple quadrupled dozen dozens score scores couple pair pairs trio tens ' +
    'hundreds thousands millions billions lakhs crores single twofold threefold tenfold multiple several duo twins ' +
    'decade decades century centuries fortnight'
  ).split(' '),
)

/** Small numbers as a person reads them. */
export const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
