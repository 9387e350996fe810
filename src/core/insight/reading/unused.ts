/**
 * Finds what nothing in a clause accounts for: an answer says it, and is then no answer to the whole question. And finds
 * the words among it that no name of the catalogue has, and that tell nothing of a person.
 */
import type { Catalogue } from './catalogue.js'
import type { Clause } from './clause.js'
import { isCue, type Item } from './items.js'
import { CUE_WORDS, isIgnored } from './phrases.js'
import type { Reading, Subject } from './reading.js'
import { plainWordsOf } from './words.js'
import { sameSubject } from './topic.js'

/** These phrases join others, which are accounted for. */
const JOINING = ['of', 'in', 'from', 'and', 'do', 'with'] as const

export function unusedIn(clause: Clause): { unknown: string[]; unanswered: string[] } {
  const unknown: string[] = []
  const unanswered: string[] = []
  for (const run of runsOf(clause)) {
    const isUnknown = (item: Item) =>
      item.isGuess === true || item.kind === 'unknown' || (item.kind === 'number' && item.isYear)
    const said = run.filter((item) => !isCue(item, 'of', 'in'))
    if (said.every((item) => isUnknown(item) && clause.roles.get(item) !== 'refused'))
      unknown.push(...said.map(({ text }) => text))
    else unanswered.push(run.map(({ text }) => text).join(' '))
  }
  return { unknown, unanswered }
}

/** Words that stand side by side are said together: "within 2 km of". */
function runsOf(clause: Clause): Item[][] {
  const { items } = clause
  const runs: Item[][] = []
  let last = -2
  items.forEach((item, i) => {
    if (!isUnused(clause, item)) return
    const between = items.slice(last + 1, i)
    const goesOn = last >= 0 && item.mark === '' && between.every((each) => isCue(each, 'of', 'in') && each.mark === '')
    if (goesOn) runs.at(-1)?.push(...between, item)
    else runs.push([item])
    last = i
  })
  return runs
}

const isUnused = (clause: Clause, item: Item) =>
  item.isGuess === true ||
  (clause.roles.get(item) === 'refused' && !(isCue(item, 'how', 'relation') && isWordOfSubject(clause, item))) ||
  !(
    clause.roles.get(item) === 'used' ||
    isCue(item, ...JOINING) ||
    isWordForClasses(clause, item) ||
    (isCue(item, 'which') && /^what/i.test(item.text)) ||
    isWordOfSubject(clause, item)
  )

/** "Land cover type", "the kind of soil": the category beside it is used. Several types are more than the commonest. */
function isWordForClasses({ items, roles }: Clause, item: Item): boolean {
  if (item.kind !== 'unknown' || !/^(type|kind|class|category)$/i.test(item.text)) return false
  const i = items.indexOf(item)
  const beside = [items[i - 1], isCue(items[i + 1], 'of') ? items[i + 2] : items[i + 1]]
  return beside.some(
    (each) =>
      each?.kind === 'topic' && roles.get(each) === 'used' && each.topics.every(({ type }) => type === 'category'),
  )
}

/** A word of the question that a name of an asked topic has: "speak" of "what do people speak", "estimate". */
function isWordOfSubject({ catalogue, asks }: Clause, item: Item): boolean {
  if (item.kind !== 'unknown' && !isCue(item, 'how', 'relation')) return false
  const subjects = asks.flatMap(({ subject, operation, where }): Subject[] => [
    subject,
    ...('other' in operation ? [operation.other] : []),
    ...where.map((condition) => condition.subject),
  ])
  const words = catalogue.topics
    .filter((topic) => subjects.some((subject) => sameSubject(subject, topic.subject)))
    .flatMap(({ label, names, unit, classes }) => [
      label,
      unit ?? '',
      ...classes,
      ...names.filter((name) => /^(how|what|who|where) /.test(name)),
    ])
    .flatMap(plainWordsOf)
    .map(catalogue.stemOf)
  return plainWordsOf(item.text).every((word) => words.includes(catalogue.stemOf(word)))
}

type ReadQuestion = { question: string; reading: Reading | undefined; catalogue: Catalogue }

/** A shorter word says little, and a longer one is no name. */
const WORD = /^\p{L}{3,30}$/u
/** "land-use" and "land/use" are two words. A part of an address or a key, such as "ada" of "ada@example.org", is none. */
const WRITTEN = /^[\p{L}\p{M}'’/‐-]+$/u
const EDGES = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu

/** A part without a figure has words of both kinds, such as "how many zeppelins". */
export function unknownWordsIn({ question, reading, catalogue }: ReadQuestion): string[] {
  const said = reading ? [...new Set([...reading.unknown, ...reading.unanswered].flatMap(plainWordsOf))] : []
  if (said.length === 0) return []
  const { names, places, stemOf } = catalogue
  const written = new Set(writtenWords(question))
  const ofPlaces = new Set([...places].flatMap((place) => place.split(' ')))
  const isKnown = (word: string) =>
    isIgnored(word) || CUE_WORDS.has(word) || names.stems.has(stemOf(word)) || ofPlaces.has(word)
  return said.filter((word) => WORD.test(word) && written.has(word) && !isKnown(word))
}

const writtenWords = (question: string): string[] =>
  question
    .normalize('NFKC')
    .split(/\s+/)
    .map((text) => text.replace(EDGES, ''))
    .filter((text) => WRITTEN.test(text))
    .flatMap(plainWordsOf)
