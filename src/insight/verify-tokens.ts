/** Text as words, numbers and marks: each token once, in order, in linear time. */

export type Token = {
  /** `bad`: holds a number that cannot be read, whatever stands around it. */
  kind: 'word' | 'number' | 'mark' | 'bad'
  text: string
  /** Lower case, apostrophes and hyphens as typed on a keyboard. */
  lower: string
  at: number
  end: number
  /** White space stands before it, or nothing. */
  spaced: boolean
  /** It is the first of its line. */
  first: boolean
  why: string
}

/**
 * A run is letters, digits, marks and invisible characters, together with what stands between two digits as a separator:
 * maximal, so that "2" is never found inside "2,000", "2.5" or "R2D2". No character can belong to both parts.
 */
const PIECE =
  /([\p{L}\p{M}\p{N}\p{DI}]+(?:(?<=[0-9])[.,'’\u00a0\u202f\u2009](?=[0-9])[\p{L}\p{M}\p{N}\p{DI}]+)*)|(\s+)|([^])/gu
const DIGITS = /^[0-9]+(?:[.,'’\u00a0\u202f\u2009][0-9]+)*/
/** Bidirectional controls change the order of digits far from where they stand. */
const REORDERING = /[\u202a-\u202e\u2066-\u2069]/
/** Ideographs and pictures that are numbers, though Unicode counts them as letters and symbols. */
const PICTURED = /[一二三四五六七八九十百千万萬億亿兆零两壱弐参]|💯|🔟|🥇|🥈|🥉/u
const UNIT_WITH_DIGIT = /^(?:k|c|m|d)?m[23²³]$/
const GLUED_UNIT = /^(?:(?:k|c|m|d)?m[23²³]?|ft|mi|yd|ha|kg|g|kmh|mph|st|nd|rd|th)$/

export function tokensOf(text: string): Token[] {
  const tokens: Token[] = []
  let spaced = true
  let first = true
  for (const { 0: piece, 1: run, 2: space, index: at } of text.matchAll(PIECE)) {
    if (space !== undefined) {
      spaced = true
      first ||= space.includes('\n')
      continue
    }
    const parts = run === undefined ? [mark(piece)] : runParts(run)
    let from = at
    for (const { kind, text: part, why } of parts) {
      const end = from + part.length
      tokens.push({ kind, text: part, lower: plain(part), at: from, end, spaced, first, why })
      from = end
      spaced = false
      first = false
    }
  }
  return tokens
}

type Part = { kind: Token['kind']; text: string; why: string }

function mark(text: string): Part {
  return PICTURED.test(text) ? { kind: 'bad', text, why: 'a number as a picture' } : { kind: 'mark', text, why: '' }
}

function runParts(run: string): Part[] {
  if (REORDERING.test(run)) return [{ kind: 'bad', text: run, why: 'characters that change the order of a text' }]
  if (PICTURED.test(run)) return [{ kind: 'bad', text: run, why: 'a number of another script' }]
  if (!/\p{N}/u.test(run) || UNIT_WITH_DIGIT.test(run)) return [{ kind: 'word', text: run, why: '' }]
  const [digits] = DIGITS.exec(run) ?? []
  if (digits === undefined) return [{ kind: 'bad', text: run, why: reasonOf(run) }]
  const rest = run.slice(digits.length)
  if (rest === '') return [{ kind: 'number', text: run, why: '' }]
  if (!GLUED_UNIT.test(rest)) return [{ kind: 'bad', text: run, why: reasonOf(run) }]
  return [
    { kind: 'number', text: digits, why: '' },
    { kind: 'word', text: rest, why: '' },
  ]
}

function reasonOf(run: string): string {
  if (/[\p{DI}\p{M}]/u.test(run)) return 'an invisible character or a mark in a number, or beside it'
  if (/[^\P{N}0-9]/u.test(run)) return 'digits that are not 0 to 9'
  return 'a number glued to letters, of no name among the figures'
}

function plain(text: string): string {
  const lower = text.toLowerCase()
  // oxlint-disable-next-line no-control-regex -- ASCII is most of any text, and needs no more.
  if (/^[\x00-\x7f]*$/.test(lower)) return lower
  return lower.normalize('NFC').replaceAll(/[’‘ʼ]/g, "'").replaceAll(/[‐‑]/g, '-')
}

const LOOKALIKES = new Map(
  Object.entries({
    а: 'a',
    е: 'e',
    о: 'o',
    р: 'p',
    с: 'c',
    у: 'y',
    х: 'x',
    і: 'i',
    ѕ: 's',
    ԁ: 'd',
    һ: 'h',
    ո: 'n',
    ν: 'v',
  })
    .concat(Object.entries({ ο: 'o', ι: 'i', ε: 'e', τ: 't', η: 'n', υ: 'u', ω: 'w', ԝ: 'w', г: 'r', ɡ: 'g', ı: 'i' }))
    .concat(Object.entries({ т: 't', н: 'h', в: 'b', м: 'm', к: 'k', ѵ: 'v', ƒ: 'f', ʀ: 'r', ꞇ: 't', ɩ: 'i', ł: 'l' })),
)

/** What a person may take a word for: without marks, invisible characters, and letters that look like others. */
export function lookOf({ text, lower }: Token): string {
  if (/^[a-z]*$/.test(lower)) return lower
  const bare = text
    .normalize('NFKD')
    .replaceAll(/[\p{M}\p{DI}]/gu, '')
    .toLowerCase()
  return [...bare].map((letter) => LOOKALIKES.get(letter) ?? letter).join('')
}
