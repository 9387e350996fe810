/**
 * frames sql: prints the statements that a call runs, in order, with its values. It charges, writes and words nothing.
 */
import { filled, prepared } from '../../api/inspect/literals.js'
import type { DryRunStep } from '../../api/inspect/dry-run.js'
import { ASKER_OPTIONS, CALL_OPERAND, callComments, sqlComment, withDryRun } from './asked-call.js'
import { commandForm, commandOfOneForm } from './command.js'

export const sqlCommand = commandOfOneForm(
  'the statements that a call runs, ready to be pasted',
  commandForm({
    description:
      'Prints the statements that a call runs, in order, with its values. Nothing is charged, written or worded.',
    operands: CALL_OPERAND,
    options: {
      ...ASKER_OPTIONS,
      prepared: {
        description: 'prints PREPARE and EXECUTE, as the API sends them',
        default: 'the values stand in the text',
      },
    },
    run: async (config, { operands, options }, output) => {
      const paste = options.prepared
        ? prepared
        : (_name: string, text: string, args: readonly unknown[]) => filled(text, args)
      await withDryRun(config, operands[0], options, async (_db, dryRun) => {
        output.result(
          dryRun.statements.map(({ name, file, text, args }) => ({ name, file, sql: paste(name, text, args), args })),
          [callComments(dryRun), ...dryRun.steps.map((step) => stepText(step, paste))].join('\n\n'),
        )
      })
    },
  }),
)

const stepText = (step: DryRunStep, paste: typeof prepared) =>
  'name' in step ? `${paste(step.name, step.text, step.args)};` : sqlComment(step.note)
