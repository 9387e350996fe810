/** Finds the words of a question that no name of the catalogue has, and that tell nothing of a person. */
import type { Catalogue } from './catalogue.js'
import { isWordOfLanguage } from './cues.js'
import type { Reading } from './reading.js'
import { plainWordsOf } from './words.js'

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
  const isKnown = (word: string) => isWordOfLanguage(word) || names.stems.has(stemOf(word)) || ofPlaces.has(word)
  return said.filter((word) => LEARNT_WORD.test(word) && written.has(word) && !isKnown(word))
}

const writtenWords = (question: string): string[] =>
  question
    .normalize('NFKC')
    .split(/\s+/)
    .map((text) => text.replace(EDGES, ''))
    .filter((text) => WRITTEN_WORD.test(text))
    .flatMap(plainWordsOf)
