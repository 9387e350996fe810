/** The words of numbers and units that a text in English may use. */

const places = (words: string, from: number, step = 1): [string, number][] =>
  words.split(' ').map((word, i) => [word, from + i * step])

/** Numbers under a hundred that are one word. */
export const SMALL: ReadonlyMap<string, number> = new Map([
  ...places('zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen', 0),
  ...places('sixteen seventeen eighteen nineteen', 16),
  ...places('twenty thirty forty fifty sixty seventy eighty ninety', 20, 10),
  ['nil', 0],
  ['nought', 0],
  ['naught', 0],
  ['fourty', 40],
  ['single', 1],
])

/** Powers of ten; with a plural they need a count before them all the same. */
export const SCALE: ReadonlyMap<string, number> = new Map(
  (
    [
      ['hundred', 2],
      ['thousand', 3],
      ['lakh', 5],
      ['lac', 5],
      ['million', 6],
      ['crore', 7],
      ['billion', 9],
      ['trillion', 12],
      ['quadrillion', 15],
    ] as const
  ).flatMap(([word, power]): [string, number][] => [
    [word, power],
    [`${word}s`, power],
  ]),
)

export const ORDINAL: ReadonlyMap<string, number> = new Map([
  ...places('zeroth first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth', 0),
  ...places('fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth', 14),
  ...places('twentieth thirtieth fortieth fiftieth sixtieth seventieth eightieth ninetieth', 20, 10),
  ['hundredth', 100],
  ['thousandth', 1000],
  ['millionth', 1_000_000],
])

const because = (why: string, words: string): [string, string][] => words.split(' ').map((word) => [word, why])

/** Words that are a number, and never the same value as a figure in another dress. */
export const REFUSED: ReadonlyMap<string, string> = new Map([
  ...because('a fraction', 'half halves halved halving halve halfway quarter quarters thirds fourths fifths sixths'),
  ...because('a fraction', 'sevenths eighths ninths tenths twelfths twentieths hundredths thousandths millionths'),
  ...because('a ratio', 'twice thrice double doubles doubled doubling triple triples tripled tripling treble trebled'),
  ...because('a ratio', 'quadruple quadrupled quintuple twofold threefold fourfold fivefold sixfold sevenfold'),
  ...because('a ratio', 'eightfold ninefold tenfold hundredfold thousandfold manifold'),
  ...because('a round number', 'dozen dozens tens zillion zillions myriad myriads umpteen'),
  ...because('a group of unread size', 'couple couples pair pairs duo trio quartet quintet twosome threesome'),
  ...because('a rank', 'firstly secondly thirdly fourthly seconds'),
  ...because('a decade', 'teens twenties thirties forties fifties sixties seventies eighties nineties'),
  ...because('numbers without a count', 'twos threes fours fives sixes sevens eights nines zeros zeroes'),
])

/** Written in one word, they are not how English writes them: "twentyone", "fivehundred". */
const TOGETHER = new RegExp(
  `^(?:${[...SMALL.keys(), ...SCALE.keys(), ...ORDINAL.keys()].sort((a, b) => b.length - a.length).join('|')}){2,9}$`,
)
export const isRunTogether = (word: string) => word.length > 5 && word.length <= 60 && TOGETHER.test(word)

export const isNumberWord = (word: string) =>
  SMALL.has(word) || SCALE.has(word) || ORDINAL.has(word) || (REFUSED.has(word) && word !== 'seconds')

/** Upper-case Roman numerals: of I, V and X from two letters on, or V or X alone; of others from three. */
const ROMAN = /^(?=[IVXLCDM])M{0,3}(?:C[MD]|D?C{0,3})(?:X[CL]|L?X{0,3})(?:I[XV]|V?I{0,3})$/
export const isRoman = (word: string) =>
  /^[IVXLCDM]{1,15}$/.test(word) && (word.length > 2 || /^(?:[IVX]{2}|[VX])$/.test(word)) && ROMAN.test(word)

const named = (unit: string, words: string): [string, string][] => words.split(' ').map((word) => [word, unit])

/** Symbols, in their case: "M" is no metre. "in" is a word far more often than an inch. */
export const SYMBOL: ReadonlyMap<string, string> = new Map([
  ...['m', 'km', 'cm', 'mm', 'dm', 'ft', 'mi', 'yd', 'ha', 'kg', 'g', 'kWh', 'MW', 'mph'].map(
    (symbol): [string, string] => [symbol, symbol],
  ),
  ...['m', 'km', 'cm', 'mm', 'dm'].flatMap((symbol) =>
    ['2', '²', '3', '³'].map((power): [string, string] => [symbol + power, symbol + power.normalize('NFKC')]),
  ),
  ...named('kmh', 'kmh kph'),
  ...['K', 'k', 'M', 'B', 'T', 'G', 'b', 't', 'l', 'L', 'h', 's', 'W', 'kW', 'bn', 'mn', 'tn', 'Bn', 'Mn', 'pp'].map(
    (symbol): [string, string] => [symbol, `symbol ${symbol}`],
  ),
])

export const UNIT: ReadonlyMap<string, string> = new Map([
  ...named('m', 'metre metres meter meters'),
  ...named('km', 'km kms kilometre kilometres kilometer kilometers'),
  ...named('cm', 'centimetre centimetres centimeter centimeters'),
  ...named('mm', 'millimetre millimetres millimeter millimeters'),
  ...named('ft', 'foot feet'),
  ...named('mi', 'mile miles'),
  ...named('yd', 'yard yards'),
  ...named('inch', 'inch inches'),
  ...named('ha', 'hectare hectares'),
  ...named('acre', 'acre acres'),
  ...named('kg', 'kilogram kilograms kilogramme kilogrammes kilo kilos'),
  ...named('g', 'gram grams gramme grammes'),
  ...named('tonne', 'tonne tonnes'),
  ...named('ton', 'ton tons'),
  ...named('litre', 'litre litres liter liters'),
  ...named('gallon', 'gallon gallons'),
  ...named('second', 'second seconds'),
  ...named('minute', 'minute minutes'),
  ...named('hour', 'hour hours'),
  ...named('day', 'day days'),
  ...named('week', 'week weeks'),
  ...named('month', 'month months'),
  ...named('year', 'year years'),
  ...named('decade', 'decade decades'),
  ...named('century', 'century centuries'),
  ...named('%', 'percent pct percents'),
  ...named('deg', 'degree degrees'),
  ...named('watt', 'watt watts'),
])

/** A figure with one of these is for no number without it, and the other way round. */
export const MONEY: ReadonlyMap<string, string> = new Map([
  ...named('NGN', '₦ ngn naira'),
  ...named('USD', '$ usd dollar dollars'),
  ...named('EUR', '€ eur euro euros'),
  ...named('GBP', '£ gbp'),
  ...named('GHS', '₵ ghs cedi cedis'),
  ...named('INR', '₹ inr rupee rupees'),
  ...named('XOF', 'xof xaf cfa'),
  ...named('pound', 'pound pounds'),
  ...named('cent', 'cents kobo'),
])
