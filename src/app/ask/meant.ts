/** Finds units whose names are like words of a question that were not understood: "Lakesde" is LAKESIDE. */
import type { Reader } from '../../core/db/replicas/reader.js'
import type { InsightAnswer } from '../../core/insight/answer.js'
import { unitsNamed } from '../map/statements.js'
import { unitName } from '../map/words.js'

export type Meant = { name: string; question: string }

/** A shorter word is like too many names. */
const LENGTH_MIN = 4
const MEANT_WORDS_MAX = 3

export async function unitsMeant(
  reader: Reader,
  question: string | undefined,
  { shown }: Pick<InsightAnswer, 'shown'>,
): Promise<Meant[]> {
  if (question === undefined) return []
  const words = [...new Set(shown.unread)].filter((word) => word.length >= LENGTH_MIN && question.includes(word))
  const found = await Promise.all(
    words.slice(0, MEANT_WORDS_MAX).map(async (word): Promise<Meant[]> => {
      const [unit] = await unitsNamed(reader, word, 1)
      const name = unit && unitName(unit)
      if (name === undefined || name.toLowerCase() === word.toLowerCase()) return []
      return [{ name, question: question.replace(word, name) }]
    }),
  )
  return found.flat()
}
