/**
 * Puts slots and plain words in the place of counting words that code can verify or drop: "two frames" where the answer
 * is about two, "the first frame", "First, the people", "Two things stand out", "the later one". Every other number
 * word stays, and is refused.
 */
import { WORD_VALUES } from '../number-words.js'

type Counts = {
  frames: number
  framesSlot: string | undefined
  frameIds: readonly string[]
  labels: readonly string[]
  values: readonly string[]
}
type Rewrite = readonly [RegExp, string | ((found: string, ...groups: string[]) => string)]

const NUMBER_WORD = [...WORD_VALUES.keys()].filter((word) => word !== 'zero' && word !== 'one').join('|')
/** The answer itself has these: their number says nothing of the place. */
const PARTS_OF_ANSWER =
  'things|facts|figures|points|aspects|measures|numbers|totals|estimates|values|averages|counts|items|results|' +
  'findings|facets|statistics|details|answers|respects|matters|years|parts'

const sameCase = (found: string, word: string) =>
  /^[A-Z]/.test(found) ? word.charAt(0).toUpperCase() + word.slice(1) : word

const PLAIN_REWRITES: readonly Rewrite[] = [
  [
    /(^|[.!?;:]\s+|\n)(?:First|Second|Third|Firstly|Secondly|Thirdly|Finally|Lastly), (\p{L})/gu,
    (_, before = '', letter = '') => before + letter.toUpperCase(),
  ],
  [/\bthe (?:first|second|third|last|other) (?:part|half) of (?=the question|it\b)/g, 'part of '],
  [/\b([Aa]n?) (\p{L}+) one(?=[.,;!?]|$)/gu, '$1 $2 place'],
  // "The later one" is the later estimate.
  [/\b(the (?:earlier|later|latter|latest|other|highest|lowest|largest|smallest|(?:more|less) \p{L}+)) one\b/giu, '$1'],
  [/\b(than|as|the) (\p{L}+) ones\b/gu, '$1 $2 places'],
  [/\bthe one (?=with|in|that|which|where|for|of\b)/g, 'that '],
  [/\b([Aa]) single (frame)\b/g, '$1 $2'],
  [/\bOne frame\b/g, 'A frame'],
  [/\b(in|on|within|of) one frame\b/g, '$1 a frame'],
  [
    /\b(?:[Mm]ultiple|[Ss]everal|[Vv]arious) (\p{L})/gu,
    (found, letter = '') => (/^[A-Z]/.test(found) ? letter.toUpperCase() : letter),
  ],
  [
    new RegExp(`\\b(?:the|these|those|its) (?:${NUMBER_WORD}) ((?:main |key )?(?:${PARTS_OF_ANSWER}))\\b`, 'gi'),
    (found, noun = '') => sameCase(found, `the ${noun}`),
  ],
  [
    new RegExp(`\\b(?:${NUMBER_WORD}) ((?:main |key )?(?:${PARTS_OF_ANSWER}))\\b`, 'gi'),
    (found, noun = '') => sameCase(found, `these ${noun}`),
  ],
]

const FRAMES_IN_WORDS = new RegExp(`\\b(${[...WORD_VALUES.keys()].join('|')}|pair|both) (?:of )?frames\\b`, 'gi')

export function withPlainCounts(template: string, { frames, framesSlot, frameIds, labels, values }: Counts): string {
  const single = frames === 1 ? template.replace(/\b(the|this) (?:one|single) (frame)\b/gi, '$1 $2') : template
  const identified = withFrameSlots(withYears(withoutRankCounts(withoutOne(single, values), labels), labels), frameIds)
  const counted = framesSlot === undefined ? identified : withAllFrames(identified, frames, framesSlot)
  const plain = rewritten(counted, PLAIN_REWRITES).replace(FRAMES_IN_WORDS, (found, word: string) =>
    framesSlot !== undefined &&
    (WORD_VALUES.get(word.toLowerCase()) === BigInt(frames) || (word.toLowerCase() === 'pair' && frames === 2))
      ? framesSlot
      : found,
  )
  return frames === 2 ? withPairOfFrames(plain, framesSlot) : plain
}

/** "There is one nature reserve: {F1}", where {F1} is 1. */
const withoutOne = (text: string, values: readonly string[]) =>
  text.replace(/[^.!?\n]+/g, (sentence) =>
    [...sentence.matchAll(/\{F(\d+)\}/g)].some(([, place]) => /^1(?: [a-z]+)?$/.test(values[Number(place) - 1] ?? ''))
      ? sentence.replace(/\b([Oo])ne (?=\p{L})(?!of\b)/gu, (_, o: string) => (o === 'O' ? 'A ' : 'a '))
      : sentence,
  )

/** Where the labels have two years, "in 2025" is the earlier and "the 2026 estimate" the later one. */
function withYears(text: string, labels: readonly string[]): string {
  const years = [...new Set(labels.flatMap((label) => /, (\d{4}) /.exec(label)?.[1] ?? []))].toSorted()
  if (years.length !== 2) return text
  const pair = new RegExp(`\\b(between|from) ${years[0]} (and|to) ${years[1]}\\b`, 'gi')
  return text
    .replace(pair, '$1 the earlier $2 the later year')
    .replace(/\b(in|by|for|since|the) (\d{4})( estimate\b)?/gi, (found, before: string, year: string, noun = ' year') =>
      years.includes(year)
        ? `${before} ${before.toLowerCase() === 'the' ? '' : 'the '}${year === years[0] ? 'earlier' : 'later'}${noun}`
        : found,
    )
}

/** "Frame 700" is the slot of that frame. */
const withFrameSlots = (text: string, frameIds: readonly string[]) =>
  text.replace(/\b([Ff]rame) (\d+)\b(?![.,]\d)/g, (found, frame: string, id: string) =>
    frameIds.includes(id) ? `${frame} {I${frameIds.indexOf(id) + 1}}` : found,
  )

/** "The three together have {F1}" is about all frames, if there are three. */
const withAllFrames = (text: string, frames: number, framesSlot: string) =>
  text.replace(ALL_OF_THEM, (found, the: string, word: string) =>
    WORD_VALUES.get(word.toLowerCase()) === BigInt(frames) ? `${the} ${framesSlot}` : found,
  )
const ALL_OF_THEM = new RegExp(
  `\\b(the|these) (${NUMBER_WORD})(?= (?:together|combined|have|hold|are|lie|cover)\\b)`,
  'gi',
)

/** "The three most populous frames are {F1}", where the label of {F1} has "three highest". */
const withoutRankCounts = (text: string, labels: readonly string[]) =>
  text.replace(/[^.!?\n]+/g, (sentence) =>
    [...sentence.matchAll(/\{F(\d+)\}/g)].reduce((result, [, place]) => {
      const count = /, (\w+) (?:highest|lowest)\b/.exec(labels[Number(place) - 1] ?? '')?.[1]
      return count === undefined ? result : result.replace(new RegExp(`\\b([Tt]he) ${count} `), '$1 ')
    }, sentence),
  )

const rewritten = (text: string, rewrites: readonly Rewrite[]) =>
  rewrites.reduce(
    (result, [pattern, by]) => (typeof by === 'string' ? result.replace(pattern, by) : result.replace(pattern, by)),
    text,
  )

/** "The first" may name other things: it is a frame where the text says "first frame", or where a verb follows. */
const ORDINAL_FRAMES: readonly [named: RegExp, alone: RegExp, place: number][] = [
  [
    /\b([Tt])he (?:first|former)(?: frame\b)?/g,
    /\b([Tt])he first(?= (?:has|is|holds|with|at|stands)\b|[ ]?[,.;:({]|$)/g,
    1,
  ],
  [
    /\b([Tt])he (?:second|latter)(?: frame\b)?/g,
    /\b([Tt])he second(?= (?:has|is|holds|with|at|stands)\b|[ ]?[,.;:({]|$)/g,
    2,
  ],
]

/** Where the answer is about two frames, "the first", "the second" and "the two" have slots. */
function withPairOfFrames(text: string, framesSlot: string | undefined): string {
  const isNamed = /\b(?:first|second|former|latter) frame\b/.test(text)
  const isOfFrames = /\bframes?\b/i.test(text) || (framesSlot !== undefined && text.includes(framesSlot))
  const named = isOfFrames
    ? ORDINAL_FRAMES.reduce(
        (result, [frame, alone, place]) =>
          result.replace(isNamed ? frame : alone, (_, t: string) => `${t === 'T' ? 'F' : 'f'}rame {I${place}}`),
        text,
      )
    : text
  // "The second {F1}" leaves out its verb.
  const verbal = named.replace(/(\{I[12]\}) (?=\{F)/g, '$1 has ')
  return framesSlot === undefined
    ? verbal
    : verbal
        .replace(/\b([Oo])f the pair\b/g, `$1f the ${framesSlot}`)
        .replace(/\bthe pair\b/g, `the ${framesSlot}`)
        .replace(/\bthe two\b(?! \p{L}+s\b)|\bthe two\b(?= (?:has|is|was|holds)\b)/gu, `the ${framesSlot}`)
}
