/** The numbers of a text, in digits and in words, read one way for figures and for prose. What cannot be read is said to be so. */

/** A value as an exact decimal without needless zeros. `unit` is undefined where no unit that we know follows. */
export type Read = { at: number; text: string } & ({ value: string; unit: string | undefined } | { why: string })

const SMALL =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  )
const TENS = 'twenty thirty forty fifty sixty seventy eighty ninety'.split(' ')
const SCALES: Record<string, bigint> = {
  hundred: 100n,
  thousand: 1000n,
  lakh: 100_000n,
  million: 1_000_000n,
  crore: 10_000_000n,
  billion: 1_000_000_000n,
  trillion: 1_000_000_000_000n,
}
const words = new Map<string, bigint>([
  ...SMALL.map((word, i): [string, bigint] => [word, BigInt(i)]),
  ...TENS.map((word, i): [string, bigint] => [word, BigInt(i + 2) * 10n]),
])

const UNITS: Record<string, string> = Object.fromEntries(
  [
    '% percent pct',
    'm metre metres meter meters',
    'km kilometre kilometres kilometer kilometers',
    'km² km2 sqkm',
    'm² m2',
    'cm centimetre centimetres centimeter centimeters',
    'mm millimetre millimetres millimeter millimeters',
    'ha hectare hectares',
    'acre acres',
    'ft foot feet',
    'yd yard yards',
    'mile miles mi',
    'kg kilogram kilograms',
    'tonne tonnes ton tons',
    'degree degrees °',
    'second seconds sec secs',
    'minute minutes min mins',
    'hour hours hr hrs',
    'day days',
    'week weeks',
    'month months',
    'year years',
    'frame frames',
  ].flatMap((line) => {
    const spellings = line.split(' ')
    return spellings.map((spelling) => [spelling, spellings[0] ?? ''])
  }),
)

/** Amounts that stand for a number without being one that a figure could be. */
const VAGUE = new Set(
  `half halves third thirds quarter quarters fourth fourths fifth fifths sixth sixths seventh seventhes eighth eighths ninth ninths
  tenth tenths twelfth twentieth hundredth hundredths thousandth first twice thrice double doubled doubles doubling triple tripled
  triples treble quadruple quadrupled quintuple dozen dozens score scores couple pair pairs trio quartet hundreds thousands millions
  billions lakhs crores tens eleventh thirteenth fourteenth fifteenth sixteenth seventeenth eighteenth nineteenth thirtieth single
  twofold threefold fourfold tenfold multiple several secondly thirdly`.split(/\s+/),
)
/** "one" that is no amount. */
const PRONOUN_BEFORE = /\b(?:no|any|every|each|some|this|that|which|the|another|other)[ -]$/i
const PRONOUN_AFTER =
  /^(?:'s|’s| of (?:the|these|those|them|its|their)\b| (?:another|can|may|might|should|would|could|must|day|side|hand|sees?|finds?)\b)/i

const token = /(?<![\p{L}\p{N}])k?m[²2](?![\p{L}\p{N}])|\d[\d,.\u00a0\u202f]*|[\p{L}\p{M}'’]+/gu
const odd = /[\p{Cf}\p{Cs}\p{Co}]|\p{Nl}|\p{No}|\p{Nd}/gu

export function readNumbers(text: string): Read[] {
  return [...oddCharacters(text), ...readPlain(text)].sort((a, b) => a.at - b.at)
}

/** Other scripts' digits, number forms, and characters that nobody sees. */
function oddCharacters(text: string): Read[] {
  const found: Read[] = []
  for (const { 0: character, index } of text.matchAll(odd)) {
    if (/[0-9]/.test(character)) continue
    if ((character === '²' || character === '³') && /(?:k?m|mile)$/.test(text.slice(Math.max(0, index - 4), index)))
      continue
    const isDigit = /\p{N}/u.test(character)
    found.push({
      at: index,
      text: character,
      why: isDigit ? 'digits of another script or form' : 'an invisible character',
    })
  }
  return found
}

type Word = { text: string; at: number; end: number }

function readPlain(text: string): Read[] {
  const tokens: Word[] = [...text.matchAll(token)].map(({ 0: found, index }) => ({
    text: found,
    at: index,
    end: index + found.length,
  }))
  const reads: Read[] = []
  for (let i = 0; i < tokens.length;) {
    const here = tokens[i] as Word
    if (/^\d/.test(here.text)) {
      const { read, next } = readDigits(text, tokens, i)
      reads.push(read)
      i = next
    } else if (words.has(lower(here)) || SCALES[lower(here)] !== undefined) {
      const { found, next } = readWords(text, tokens, i)
      reads.push(...found)
      i = next
    } else {
      if (VAGUE.has(lower(here))) reads.push({ at: here.at, text: here.text, why: 'an amount that no figure is' })
      i += 1
    }
  }
  return reads
}

const lower = ({ text }: Word) => text.toLowerCase()

function readDigits(text: string, tokens: Word[], i: number): { read: Read; next: number } {
  const here = tokens[i] as Word
  const digits = here.text.replace(/[,.\u00a0\u202f]+$/, '')
  const end = here.at + digits.length
  const sign = signBefore(text, here.at)
  const shown = text.slice(here.at, end)
  const bad = (why: string) => ({
    read: { at: here.at, text: text.slice(here.at, end + 12).split(/\s/)[0] ?? shown, why },
    next: i + 1,
  })
  if (
    /[\p{L}\p{M}_$€£₦¥#^/]/u.test(text[here.at - 1] ?? '') ||
    /\.\d?$/.test(text.slice(Math.max(0, here.at - 1), here.at))
  )
    return bad('glued to something before it')
  const value = plainValue(digits)
  if (value === undefined) return bad('not a number as figures are written')
  const after = text.slice(end, end + 40)
  if (/^[/^_:]\s?\d|^[²³+]|^\s?[x×*]\s?\d/.test(after)) return bad('a fraction, a ratio or a power')
  const glued = /^[\p{L}\p{M}_]+[²2]?/u.exec(after)?.[0]
  if (glued !== undefined && UNITS[glued] === undefined) return bad('glued to letters')
  const scaled = scaleAfter(text, tokens, i + 1, end)
  const unit = unitAfter(text.slice(scaled.end, scaled.end + 40))
  return {
    read: { at: here.at, text: text.slice(here.at, scaled.end), value: times(sign + value, scaled.by), unit },
    next: scaled.next,
  }
}

const signBefore = (text: string, at: number) =>
  /(?:^|[\s(["'“‘])[-−–]$/.test(text.slice(Math.max(0, at - 2), at)) ||
  /\b(?:minus|negative) $/i.test(text.slice(Math.max(0, at - 10), at))
    ? '-'
    : ''

/** Undefined for separators that are not where they belong, and for leading zeros. */
function plainValue(digits: string): string | undefined {
  const [, whole = '', rest = ''] = /^([^.]*)(?:\.(\d+))?$/.exec(digits) ?? []
  const grouped =
    /^\d{1,3}(?:,\d{3})+$/.test(whole) ||
    /^\d{1,2}(?:,\d{2})+,\d{3}$/.test(whole) ||
    /^\d{1,3}(?:[\u00a0\u202f]\d{3})+$/.test(whole)
  if (!grouped && !/^\d+$/.test(whole)) return undefined
  const plain = whole.replace(/\D/g, '')
  if (plain.length > 1 && plain.startsWith('0')) return undefined
  return trimmed(rest === '' ? plain : `${plain}.${rest}`)
}

const trimmed = (decimal: string) => (decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

function times(decimal: string, by: bigint): string {
  if (by === 1n) return trimmed(decimal)
  const [whole = '', rest = ''] = decimal.split('.')
  const digits = String(BigInt(whole + rest) * by).padStart(rest.length + 1, '0')
  return trimmed(rest === '' ? digits : `${digits.slice(0, -rest.length)}.${digits.slice(-rest.length)}`)
}

/** "1.5 million" is a number of two tokens. */
function scaleAfter(text: string, tokens: Word[], from: number, end: number) {
  let by = 1n
  let next = from
  let to = end
  for (
    let word = tokens[next];
    word && SCALES[lower(word)] !== undefined && /^[ -]$/.test(text.slice(to, word.at));
    word = tokens[next]
  ) {
    by *= SCALES[lower(word)] ?? 1n
    to = word.end
    next += 1
  }
  return { by, next, end: to }
}

function unitAfter(after: string): string | undefined {
  if (/^ of [\d,]+ frames?\b/.test(after)) return 'frame'
  const square = /^ ?(?:square|sq) (\w+)/i.exec(after)?.[1]?.toLowerCase()
  if (square) return `${UNITS[square] ?? square}²`
  if (/^[- ]?per ?cent\b/i.test(after)) return '%'
  const [all = '', word] = /^[- \u00a0]?(%|°|[\p{L}]+[²2]?)/u.exec(after) ?? []
  const unit = word === undefined ? undefined : (UNITS[word] ?? UNITS[word.toLowerCase()])
  // A unit of a unit is none that a figure has.
  return unit !== undefined && /^ ?%/.test(after.slice(all.length)) ? `${unit} %` : unit
}

function readWords(text: string, tokens: Word[], from: number): { found: Read[]; next: number } {
  let next = from
  let end = (tokens[from] as Word).at
  const run: Word[] = []
  for (let word = tokens[next]; word; word = tokens[next]) {
    const between = text.slice(end, word.at)
    const isNumber = words.has(lower(word)) || SCALES[lower(word)] !== undefined
    const after = tokens[next + 1]
    const joins =
      lower(word) === 'and' &&
      run.length > 0 &&
      after &&
      SCALES[lower(run.at(-1) as Word)] !== undefined &&
      words.has(lower(after))
    if (run.length > 0 && !/^(?: |-)$/.test(between)) break
    if (!isNumber && !joins) break
    if (isNumber) run.push(word)
    end = word.end
    next += 1
  }
  const at = run[0]?.at ?? 0
  const shown = text.slice(at, end)
  if (run.length === 1 && lower(run[0] as Word) === 'one' && isPronoun(text, at, end)) return { found: [], next }
  const value = valueOfWords(run.map(lower))
  const why = 'number words that make no number'
  if (value === undefined) return { found: [{ at, text: shown, why }], next }
  const sign = signBefore(text, at)
  return {
    found: [
      { at, text: shown, value: `${value === 0n ? '' : sign}${value}`, unit: unitAfter(text.slice(end, end + 40)) },
    ],
    next,
  }
}

const isPronoun = (text: string, at: number, end: number) =>
  PRONOUN_BEFORE.test(text.slice(Math.max(0, at - 10), at)) || PRONOUN_AFTER.test(text.slice(end, end + 12))

/** Undefined where the words do not follow each other as those of one number do. */
function valueOfWords(run: readonly string[]): bigint | undefined {
  let total = 0n
  let part = 0n
  let last = 1_000n
  for (const word of run) {
    const scale = SCALES[word]
    const small = words.get(word)
    if (scale === 100n) {
      if (part === 0n || part > 9n) return undefined
      part *= 100n
      last = 100n
    } else if (scale !== undefined) {
      if (part === 0n || (total > 0n && total % (scale * 1000n) !== 0n && total < scale)) return undefined
      total += part * scale
      part = 0n
      last = 1_000n
    } else if (small !== undefined) {
      const size = small >= 20n ? 10n : 1n
      if (last <= size || (last === 10n && small > 9n)) return undefined
      part += small
      last = size
    }
  }
  return total + part
}
