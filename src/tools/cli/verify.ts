/** frames verify: checks the numbers of a narrative; with --replay, it computes everything else of the answer again. A cite is computed again, too. */
import type { Config } from '../../server/config.js'
import {
  areNotes,
  type Difference,
  factsOf,
  isCite,
  replay,
  type SavedAnswer,
  unaccountedNumbers,
  verifyCite,
} from '../../core/insight/index.js'
import { callLevels } from '../../core/place.js'
import { fileText } from '../load/input-file.js'
import { type Command, flag, form, operand, type Output } from './command.js'
import { withDatabase } from './open-database.js'
import { anyValue } from '../../core/values.js'

export const verifyCommand: Command = {
  summary: 'check the numbers of an insight answer, as returned, or a cite',
  form: form({
    description:
      'Looks for every number of the narrative among the figures of the answer. Ends with status 1 where one is missing. Computes the figure of a cite again, and ends with status 1 where it is another one now, or gone.',
    least: 'frames_service',
    args: {
      file: operand(
        anyValue('FILE', 'JSON, or - for standard input; or a cite'),
        'an answer of POST /v1/frames/insight, with its envelope or without; or the line that sources[].cite of it has',
      ),
      replay: flag(
        'computes every figure again from the database, and compares; the datasets may have changed since, and PLACE_WORDS is that of the service',
      ),
    },
    run: async (config, { file, replay: isReplayed }, output) => {
      callLevels(config.placeWords ?? [])
      if (isCite(file)) return await verifyLine(config, file, output)
      const answer = readAnswer(file)
      const numbers = unaccountedNumbers(answer.narrative ?? '', factsOf(answer))
      const figures = isReplayed ? await differencesFrom(config, answer) : []
      const isGood = numbers.length === 0 && figures.length === 0
      const faults = [
        ...numbers.map(({ text, at, why }) => `"${text}" (character ${at + 1}): ${why}`),
        ...figures.map(
          ({ label, given, computed }) => `${label}: ${given} was given, the database gives ${computed ?? 'nothing'}`,
        ),
      ]
      if (output.json || isGood) output.result({ ok: isGood, numbers, figures }, successText(answer, isReplayed))
      if (!isGood) throw new Error(faults.join('\n'))
    },
  }),
}

async function verifyLine(config: Config, cite: string, output: Output): Promise<void> {
  const { verdict, says } = await withDatabase(config, (db) => verifyCite(db, cite))
  const isSame = verdict === 'same'
  if (output.json || isSame) output.result({ ok: isSame, verdict, says }, says)
  if (!isSame) throw new Error(says)
}

const differencesFrom = (config: Config, answer: SavedAnswer): Promise<Difference[]> =>
  withDatabase(config, (db) => replay(db, answer))

function successText({ narrative, facets }: SavedAnswer, isReplayed: boolean): string {
  const numbers =
    narrative === undefined ? 'There is no narrative.' : 'Every number of the narrative is among the figures.'
  return isReplayed
    ? `${numbers} The headline, the table and ${facets.length === 1 ? 'the figure' : `all ${facets.length} figures`} are what the database gives.`
    : numbers
}

/** Takes the answer with or without its envelope. */
function readAnswer(path: string): SavedAnswer {
  const text = fileText(path)
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch {
    throw new Error(`${path}: this is not JSON.`)
  }
  const answer = ((json as { data?: unknown } | null)?.data ?? json) as Partial<SavedAnswer> | null
  const isAnswer =
    typeof answer?.headline === 'string' &&
    Array.isArray(answer.facets) &&
    Array.isArray(answer.frameIds) &&
    Array.isArray(answer.sources) &&
    (answer.notes === undefined || areNotes(answer.notes)) &&
    (answer.table === undefined || (Array.isArray(answer.table.columns) && Array.isArray(answer.table.rows)))
  if (!isAnswer)
    throw new Error(
      `${path}: an answer of POST /v1/frames/insight is needed, with headline, facets, sources and frameIds.`,
    )
  return answer as SavedAnswer
}
