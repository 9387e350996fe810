/**
 * Puts slots and plain words in the place of counting words that code can verify: "two frames" where the answer is
 * about two, "the first frame", "First, the people". Every other number word stays, and is refused.
 */
import { WORD_VALUES } from '../number-words.js'

type Counts = { frames: number; framesSlot: string | undefined }

const ORDINAL_FRAMES: readonly [RegExp, number][] = [
  [/\b([Tt])he (?:first|former)(?: frame\b)?/g, 1],
  [/\b([Tt])he (?:second|latter)(?: frame\b)?/g, 2],
]
const ENUMERATION = /(^|[.!?;:]\s+|\n)(?:First|Second|Third|Firstly|Secondly|Thirdly|Finally|Lastly), (\p{L})/gu
const NUMBER_WORD = [...WORD_VALUES.keys()].join('|')
const FRAMES_IN_WORDS = new RegExp(`\\b(${NUMBER_WORD}|pair|both) (?:of )?frames\\b`, 'gi')
const TWO_OF = /\b([Tt])(?:he|hese) two (years|estimates|figures|totals|averages|values|measures|counts)\b/g

export function withPlainCounts(template: string, { frames, framesSlot }: Counts): string {
  const plain = template
    .replace(ENUMERATION, (_, before: string, letter: string) => before + letter.toUpperCase())
    .replace(/\b([Aa]n?) (\p{L}+) one(?=[.,;!?]|$)/gu, '$1 $2 place')
    .replace(/\b([Aa]) single (frame)\b/g, '$1 $2')
    .replace(/\bOne frame\b/g, 'A frame')
    .replace(/\b(in|on|within|of) one frame\b/g, '$1 a frame')
    .replace(/\b(?:[Mm]ultiple|[Ss]everal|[Vv]arious) (\p{L})/gu, (found, letter: string) =>
      /^[A-Z]/.test(found) ? letter.toUpperCase() : letter,
    )
    .replace(FRAMES_IN_WORDS, (found, word: string) =>
      framesSlot !== undefined &&
      (WORD_VALUES.get(word.toLowerCase()) === BigInt(frames) || (word.toLowerCase() === 'pair' && frames === 2))
        ? framesSlot
        : found,
    )
    .replace(/[^.!?\n]*/g, (sentence) =>
      (sentence.match(/\{F\d+\}/g) ?? []).length === 2
        ? sentence.replace(TWO_OF, (_, t: string, noun: string) => `${t === 'T' ? 'B' : 'b'}oth ${noun}`)
        : sentence,
    )
  if (frames !== 2) return plain
  const ordinal = /\b(?:first|second|former|latter) frame\b/.test(plain)
  const named = ordinal
    ? ORDINAL_FRAMES.reduce(
        (text, [pattern, place]) => text.replace(pattern, (_, t: string) => `${t === 'T' ? 'F' : 'f'}rame {I${place}}`),
        plain,
      )
    : plain
  return framesSlot === undefined
    ? named
    : named
        .replace(/\b([Oo])f the pair\b/g, `$1f the ${framesSlot}`)
        .replace(/\bof the two\b(?! \p{L}+s\b)/gu, `of the ${framesSlot}`)
        .replace(/\bthe pair\b/g, `the ${framesSlot}`)
}
