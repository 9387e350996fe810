/** Chooses those unknown words of a question that may be counted: whole words, and nothing that tells of a person. */
import { fold } from './words.js'

/** A short word says nothing, and a longer one is no name of a dataset. */
const WORD = /^\p{L}{3,30}$/u
/** "land-use" and "land/use" are two words. A part of an address or of a key, such as "ada" of "ada@example.org", is none. */
const WRITTEN = /^[\p{L}\p{M}'’/‐-]+$/u
const EDGES = /^[\p{P}\p{S}]+|[\p{P}\p{S}]+$/gu

export function countableWords(question: string, unknown: readonly string[]): string[] {
  const written = new Set(
    question
      .normalize('NFKC')
      .split(/\s+/)
      .map((text) => text.replace(EDGES, ''))
      .filter((text) => WRITTEN.test(text))
      .flatMap(plainWords),
  )
  return [...new Set(unknown.flatMap(plainWords))].filter((word) => WORD.test(word) && written.has(word))
}

/** A word loses its apostrophes here as it does where a question is read: "governor's" is "governor". */
const plainWords = (text: string): string[] =>
  text.split(/[^\p{L}\p{M}\p{N}'’]+/u).map((word) =>
    fold(word)
      .replace(/['’]s$/, '')
      .replace(/['’]/g, ''),
  )
