/** frames explain: the plans of the statements that a call runs, as the API's sessions have them, and what they mean. */
import type { Database } from '../db/connect.js'
import { explained, surroundings, type Surroundings } from '../inspect/explained.js'
import { headerOf } from '../inspect/header.js'
import { factsOf } from '../inspect/plan.js'
import type { Step } from '../inspect/dry-run.js'
import { sentencesOf, verdictOf } from '../inspect/verdict.js'
import { ASKER, CALL, headOf, withCall } from './asked-call.js'
import { command, form } from './command.js'

export const explainCommand = command('the plans of these statements, in plain words too', [
  form({
    does: 'Prints the plans of the statements that a call runs, as the sessions of the API get them, with their cost in words.',
    operands: CALL,
    options: ASKER,
    run: async (config, { operands, options }, out) => {
      await withCall(config, operands[0], options, async (db, seen) => {
        const around = await surroundings(db)
        const steps = seen.heeded.flatMap((each) => ('name' in each ? [each] : []))
        const told: Told[] = []
        for (const step of steps) told.push(await explain(db, step, around))
        out.result(
          told.map(({ value }) => value),
          [headOf(seen), ...told.map(({ text }) => text)].join('\n\n'),
        )
      })
    },
  }),
])

type Told = { value: object; text: string }

async function explain(db: Database, step: Step, around: Surroundings): Promise<Told> {
  const { name, file, args } = step
  const { plan, text } = await explained(db, step)
  const header = headerOf(step.text)
  const facts = factsOf(plan)
  const verdict = verdictOf(header, args, facts, around)
  const sentences = sentencesOf({ ...facts, ...timesOf(text) }, verdict, header.allowed)
  return {
    value: { name, file, args, queryPlan: plan, facts, ...verdict },
    text: [`${name}, ${file}`, indented(text), ...sentences.map((sentence) => `=> ${sentence}`)].join('\n'),
  }
}

/** Those of the plan that is shown. */
function timesOf(text: string): { planningMs: number; executionMs: number } {
  const [planningMs = 0, executionMs = 0] = ['Planning', 'Execution'].map((step) =>
    Number(new RegExp(`^${step} Time: ([\\d.]+) ms$`, 'm').exec(text)?.[1]),
  )
  return { planningMs, executionMs }
}

const indented = (text: string) => text.replace(/^/gm, '   ')
