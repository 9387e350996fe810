/** Names of places and classes as people write them. An index often stores them in capitals, and /v1 sends them as stored. */

/** Not the first word of a name: "Isle of Palms". */
const SMALL_WORDS = new Set(['OF', 'AND', 'THE', 'IN', 'ON', 'AT', 'BY', 'UPON'])
const ROMAN = /^(?=[IVX])X{0,3}(?:IX|IV|V?I{0,3})$/
/** Two to four letters without a vowel, or letters with dots: an abbreviation. */
const ABBREVIATION = /^(?:[B-DF-HJ-NP-TV-XZ]{2,4}|(?:\p{L}\.)+\p{L}?)$/u
/** "GRA 2": three letters that begin with two consonants, and a number or a numeral behind them. */
const NUMBERED = /^[B-DF-HJ-NP-TV-XZ]{2}\p{L}$/u
/** "St Bride", "Dr Adams": no abbreviation by themselves. */
const TITLES = new Set(['ST', 'DR', 'MR', 'MRS', 'MT', 'FT'])
const WORD = /[\p{L}\p{M}\p{N}.'’]+/gu

/** Writes "Alder Hills" for ALDER HILLS, "N'Dara" for N'DARA. A name that has small letters stays as it is. */
export function placeName(stored: string): string {
  if (/\p{Ll}/u.test(stored)) return stored
  return stored.replaceAll(WORD, (word, at: number) => {
    const rest = stored.slice(at + word.length)
    if (TITLES.has(word) && /^\.? \p{L}/u.test(rest)) return capitalised(word)
    if (/\p{N}/u.test(word) || ROMAN.test(word) || ABBREVIATION.test(word)) return word
    if (NUMBERED.test(word) && /^ (?:\d|[IVX]+\b)/.test(rest)) return word
    if (SMALL_WORDS.has(word) && /[\p{L}\p{N}][ -]+$/u.test(stored.slice(0, at)) && rest !== '')
      return word.toLowerCase()
    return capitalised(word)
  })
}

/** The letter behind "N'" is a capital, that behind "King'" is not. */
function capitalised(word: string): string {
  const prefix = /^\P{M}\p{M}*['’](?=\p{L}{2})/u.exec(word)?.[0] ?? ''
  const [first = '', ...others] = word.slice(prefix.length)
  return prefix + first + others.join('').toLowerCase()
}
