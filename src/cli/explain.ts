/** frames explain: prints and explains the plans of the statements that a call runs, as the API's sessions get them. */
import type { Database } from '../db/connect.js'
import { explainStatement, readPlannerState, type PlannerState } from '../inspect/explained.js'
import { headerOf } from '../inspect/header.js'
import { factsOf } from '../inspect/plan.js'
import type { StatementStep } from '../inspect/dry-run.js'
import { verdictOf, verdictSentences } from '../inspect/verdict.js'
import { ASKER_OPTIONS, CALL_OPERAND, callComments, withDryRun } from './dry-run.js'
import { commandForm, type Command } from './command.js'

export const explainCommand: Command = {
  summary: 'the plans of these statements, in plain words too',
  forms: [
    commandForm({
      description:
        'Prints the plans of the statements that a call runs, as the sessions of the API get them, with their cost in words.',
      operands: CALL_OPERAND,
      options: ASKER_OPTIONS,
      run: async (config, { operands, options }, output) => {
        await withDryRun(config, operands[0], options, async (db, dryRun) => {
          const around = await readPlannerState(db)
          const steps = dryRun.steps.flatMap((each) => ('name' in each ? [each] : []))
          const explanations: Explanation[] = []
          for (const step of steps) explanations.push(await explain(db, step, around))
          output.result(
            explanations.map(({ value }) => value),
            [callComments(dryRun), ...explanations.map(({ text }) => text)].join('\n\n'),
          )
        })
      },
    }),
  ],
}

type Explanation = { value: object; text: string }

async function explain(db: Database, step: StatementStep, around: PlannerState): Promise<Explanation> {
  const { name, file, args } = step
  const { plan, text } = await explainStatement(db, step)
  const header = headerOf(step.text)
  const facts = factsOf(plan)
  const verdict = verdictOf(header, args, facts, around)
  const sentences = verdictSentences({ ...facts, ...timesOf(text) }, verdict, header.allowed)
  return {
    value: { name, file, args, queryPlan: plan, facts, ...verdict },
    text: [`${name}, ${file}`, indented(text), ...sentences.map((sentence) => `=> ${sentence}`)].join('\n'),
  }
}

/** The text of the plan states them; the plan as JSON comes from another run. */
function timesOf(text: string): { planningMs: number; executionMs: number } {
  const [planningMs = 0, executionMs = 0] = ['Planning', 'Execution'].map((step) =>
    Number(new RegExp(`^${step} Time: ([\\d.]+) ms$`, 'm').exec(text)?.[1]),
  )
  return { planningMs, executionMs }
}

const indented = (text: string) => text.replace(/^/gm, '   ')
