/**
 * Finds what nothing in a clause accounts for: an answer says it, and is then no answer to the whole question. And finds
 * the words among it that no name of the catalogue has, and that tell nothing of a person.
 */
import type { Catalogue } from './catalogue.js'
import type { Clause } from './clause.js'
import { isCue, type Item } from './items.js'
import { CUE_WORDS, isIgnored } from './phrases.js'
import type { Ask, Reading } from './reading.js'
import type { Subject } from '../../figures/index.js'
import { plainWordsOf } from './words.js'
import { sameSubject } from './topic.js'

/** These phrases join others, which are accounted for. */
const JOINING_CUES = ['of', 'in', 'from', 'and', 'do', 'with'] as const

/** Words that stand side by side are said together: "within 2 km of". */
export function unusedIn(clause: Clause): { unknown: string[]; unanswered: string[] } {
  const unused = new Set(clause.items.filter((item) => isUnused(clause, item)))
  const runs: Item[][] = [[]]
  for (const item of clause.items) {
    const isBetween = isCue(item, 'of', 'in') && (runs.at(-1) ?? []).length > 0
    if (item.mark !== '' || !(unused.has(item) || isBetween)) runs.push([])
    if (unused.has(item) || isBetween) runs.at(-1)?.push(item)
  }
  const isUnknown = (item: Item) =>
    item.isGuess === true || item.kind === 'unknown' || (item.kind === 'number' && item.isYear)
  const unknown: string[] = []
  const unanswered: string[] = []
  for (const run of runs) {
    const last = run.findLastIndex((item) => unused.has(item))
    const said = run.slice(0, last + 1)
    const words = said.filter((item) => !isCue(item, 'of', 'in'))
    if (words.every((item) => isUnknown(item) && clause.roles.get(item) !== 'refused'))
      unknown.push(...words.map(({ text }) => text))
    else unanswered.push(said.map(({ text }) => text).join(' '))
  }
  return { unknown, unanswered }
}

const isUnused = (clause: Clause, item: Item): boolean => {
  const role = clause.roles.get(item)
  const isSubject = isWordOfSubject(clause, item)
  if (item.isGuess) return true
  if (role) return role === 'refused' && !(isCue(item, 'how', 'relation') && isSubject)
  return !(isSubject || isCue(item, ...JOINING_CUES) || /^what/i.test(item.text))
}

/** A word of the question that a name of an asked topic has: "speak" of "what do people speak", "estimate". */
function isWordOfSubject({ catalogue, asks }: Clause, item: Item): boolean {
  if (item.kind !== 'unknown' && !isCue(item, 'how', 'relation')) return false
  const subjects = asks.flatMap(askSubjects)
  const topics = catalogue.topics.filter((topic) => subjects.some((subject) => sameSubject(subject, topic.subject)))
  const names = topics.flatMap(({ label, names: all, unit = '', classes }) => [
    label,
    unit,
    ...classes,
    ...all.filter((name) => /^(how|what|who|where) /.test(name)),
  ])
  const words = names.flatMap(plainWordsOf).map(catalogue.stemOf)
  return plainWordsOf(item.text).every((word) => words.includes(catalogue.stemOf(word)))
}

const askSubjects = ({ subject, operation, where }: Ask): Subject[] => [
  subject,
  ...('other' in operation ? [operation.other] : []),
  ...[...where, ...('whole' in operation ? operation.whole : [])].map((condition) => condition.subject),
]

type ReadQuestion = { question: string; reading: Reading | undefined; catalogue: Catalogue }

/** A shorter word says little, and a longer one is no name. */
const LEARNT_WORD = /^\p{L}{3,30}$/u
/** "land-use" and "land/use" are two words. A part of an address or a key, such as "ada" of "ada@example.org", is none. */
const WRITTEN_WORD = /^[\p{L}\p{M}'’/‐-]+$/u
const EDGES = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu

/** A part without a figure has words of both kinds, such as "how many zeppelins". */
export function unknownWordsIn({ question, reading, catalogue }: ReadQuestion): string[] {
  const said = reading ? [...new Set([...reading.unknown, ...reading.unanswered].flatMap(plainWordsOf))] : []
  if (said.length === 0) return []
  const { names, units, stemOf } = catalogue
  const written = new Set(writtenWords(question))
  const ofPlaces = new Set([...units.keys()].flatMap((phrase) => phrase.split(' ')))
  const isKnown = (word: string) =>
    isIgnored(word) || CUE_WORDS.has(word) || names.stems.has(stemOf(word)) || ofPlaces.has(word)
  return said.filter((word) => LEARNT_WORD.test(word) && written.has(word) && !isKnown(word))
}

const writtenWords = (question: string): string[] =>
  question
    .normalize('NFKC')
    .split(/\s+/)
    .map((text) => text.replace(EDGES, ''))
    .filter((text) => WRITTEN_WORD.test(text))
    .flatMap(plainWordsOf)
