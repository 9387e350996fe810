/** frames explain: prints and explains the plans of the statements that a call runs, as the API's sessions get them. */
import { explainSteps, type Explanation } from '../inspect/explanation.js'
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
          const steps = dryRun.steps.flatMap((each) => ('name' in each ? [each] : []))
          const explanations = await explainSteps(db, steps)
          output.result(
            explanations.map(explanationValue),
            [callComments(dryRun), ...explanations.map(explanationText)].join('\n\n'),
          )
        })
      },
    }),
  ],
}

function explanationValue({ step: { name, file, args }, measured }: Explanation): object {
  return { name, file, args, queryPlan: measured?.plan, facts: measured?.facts, ...measured?.verdict }
}

const explanationText = ({ step: { name, file }, planText = '', sentences }: Explanation) =>
  [`${name}, ${file}`, indented(planText), ...sentences.map((sentence) => `=> ${sentence}`)].join('\n')

const indented = (text: string) => text.replace(/^/gm, '   ')
