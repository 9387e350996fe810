/** frames questions: asks the questions of a file, and compares the answers with those that the file expects. */
import { listDatasets } from '../../core/access/licences.js'
import type { Config } from '../../server/config.js'
import { counted, noun } from '../../core/counted.js'
import type { Database } from '../../core/db/connect.js'
import { datasetsServed } from '../../core/db/statements.js'
import { answerQuestion, type InsightCall } from '../../core/insight/answer.js'
import {
  isExpected,
  QUESTION_KINDS,
  kindOfQuestion,
  readQuestionFile,
  type ExpectedAnswer,
} from '../../core/insight/question-file.js'
import {
  leavesWordsOver,
  plannerByModel,
  type PlannedQuestion,
  type PlanOutcome,
} from '../../core/insight/reading/by-model.js'
import type { Reading } from '../../core/insight/reading/reading.js'
import { modelAsker } from '../../core/insight/wording.js'
import { textOf } from '../load/input-file.js'
import { commandForm, type Command } from './command.js'
import { withDatabase } from './open-database.js'
import { anyValue } from './values.js'

/** `figure` is the first facet. */
type Miss = { id?: string; kind: string; question: string; headline: string; figure: string }
type KindTotal = { kind: string; questions: number; hits: number }
type PlanTotal = { outcome: PlanOutcome; questions: number }

export const questionsCommand: Command = {
  summary: 'ask the questions of a file, and compare the answers with the expected ones',
  forms: [
    commandForm({
      verb: 'check',
      description:
        'Asks each question of the file of every dataset, at no charge and without words. Prints each answer that is not the expected one. Ends with status 1 if there is one.',
      notes: [
        'The file is JSON: {"sets": {"A": [frame ids]}, "questions": [{"question", "frameIds" or "set", "kind", "first", "value", "also"}]}. "first" and "value" are patterns of the label and the value of the first facet; each pattern of "also" is a label among the first six. A question without frames is asked of the first set.',
        `The kinds: ${Object.entries(QUESTION_KINDS)
          .map(([kind, meaning]) => `${kind}, ${meaning}`)
          .join('; ')}.`,
      ],
      operands: [{ value: anyValue('FILE', 'JSON'), description: 'the questions' }],
      options: {
        set: {
          value: anyValue('SET', 'the name of a set of the file'),
          description: 'asks the questions without frames of this set',
          default: 'the first set of the file',
        },
        model: {
          description:
            'lets the model of ANTHROPIC_API_KEY plan what the words of the catalogue leave over, as it does in calls',
        },
      },
      run: async (config, { operands: [path], options: { set, model } }, output) => {
        const file = readQuestionFile(textOf(path), path, set)
        const planner = model ? modelPlanner(config) : undefined
        const planned = planner?.planned ?? (async ({ reading }: PlannedQuestion) => reading)
        const { totals, misses } = await withDatabase(config, (db) => checked({ db, planned }, file))
        const plans = planner?.totals()
        const lines = [...misses.map(missText), ...totals.map(totalText), ...(plans ? [plansText(plans)] : [])]
        output.result({ ok: misses.length === 0, totals, misses, ...(plans && { plans }) }, lines.join('\n'))
        if (misses.length > 0)
          throw new Error(
            `${misses.length} of ${counted(file.length, 'answer')} ${noun(misses.length, 'is', 'are')} not as expected.`,
          )
      },
    }),
  ],
}

type Question = ExpectedAnswer & { frameIds: string[] }

type QuestionAsker = { db: Database; planned: (asked: PlannedQuestion) => Promise<Reading> }

type Planner = Pick<QuestionAsker, 'planned'> & { totals: () => PlanTotal[] }

/** Counts the outcomes of the plans: a model that is down leaves every question to the words of the catalogue. */
function modelPlanner({ wording }: Config): Planner {
  if (!wording) throw new Error('--model needs ANTHROPIC_API_KEY.')
  const plan = plannerByModel(modelAsker(wording))
  const counts = new Map<PlanOutcome, number>()
  return {
    planned: async (asked) => {
      if (!leavesWordsOver(asked.reading)) return asked.reading
      const { reading, outcome } = await plan(asked)
      counts.set(outcome, (counts.get(outcome) ?? 0) + 1)
      return reading
    },
    totals: () => [...counts].map(([outcome, questions]) => ({ outcome, questions })),
  }
}

async function checked(
  asker: QuestionAsker,
  questions: readonly Question[],
): Promise<{ totals: KindTotal[]; misses: Miss[] }> {
  const call = await freeCall(asker)
  const totals = new Map<string, KindTotal>()
  const misses: Miss[] = []
  for (const expected of questions) {
    const { id, question, frameIds } = expected
    const answer = await answerQuestion(call, { frameIds, question, format: 'figures' })
    if (!answer) continue
    const kind = kindOfQuestion(expected)
    const total = totals.get(kind) ?? { kind, questions: 0, hits: 0 }
    totals.set(kind, total)
    total.questions += 1
    if (isExpected(expected, answer)) total.hits += 1
    else {
      const { headline, facets } = answer
      const [first] = facets
      const figure = first ? `${first.label}: ${first.value}` : 'none'
      misses.push({ ...(id === undefined ? {} : { id }), kind, question, headline, figure })
    }
  }
  return { totals: [...totals.values()], misses }
}

/** A call that may read every dataset, and pays for none. */
async function freeCall({ db, planned }: QuestionAsker): Promise<InsightCall> {
  const layers = (await listDatasets(db.run)).map(({ layerId }) => layerId)
  return {
    reader: db,
    datasets: (await datasetsServed(db, layers)).map((dataset) => ({ ...dataset, price: null })),
    caller: { orgId: '', keyId: '', plan: 'trial' },
    requestId: '',
    hangUp: new AbortController().signal,
    ledger: { db, refunds: { add: () => {}, waiting: () => 0, close: async () => {} } },
    wording: undefined,
    onOutcome: () => {},
    onPlanned: () => {},
    planned,
  }
}

const missText = ({ id, kind, question, headline, figure }: Miss) =>
  [`${id === undefined ? '' : `${id} `}(${kind}) ${question}`, `  first: ${figure}`, `  headline: ${headline}`].join(
    '\n',
  )

const totalText = ({ kind, questions, hits }: KindTotal) => `${kind}: ${hits} of ${questions}`

const plansText = (plans: readonly PlanTotal[]) =>
  `Plans of the model: ${plans.map(({ outcome, questions }) => `${questions} ${outcome}`).join(', ') || 'none'}`
