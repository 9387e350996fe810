/** Says whether a word is an English one: such a word is no slip of the keyboard. "Horses" are no houses. */
import { createRequire } from 'node:module'

/** The list groups 78,000 words, with their inflections, by their kind. */
const groups = createRequire(import.meta.url)('categorized-words') as Readonly<Record<string, readonly string[]>>
const words: ReadonlySet<string> = new Set(Object.values(groups).flat())

export const isEnglish = (word: string): boolean => words.has(word)
