/**
 * frames sql: prints the statements that a call runs, in order, with its values. It charges, writes and words nothing.
 */
import { filled, prepared } from '../../api/inspect/literals.js'
import type { DryRunStep } from '../../api/inspect/dry-run.js'
import { CALL_ARGS, callComments, sqlComment, withDryRun } from './asked-call.js'
import { flag, form, type Command } from './command.js'

export const sqlCommand: Command = {
  summary: 'the statements that a call runs, ready to be pasted',
  form: form({
    description:
      'Prints the statements that a call runs, in order, with its values. Nothing is charged, written or worded.',
    least: 'frames_service',
    args: {
      ...CALL_ARGS,
      prepared: flag('prints PREPARE and EXECUTE, as the API sends them', 'the values stand in the text'),
    },
    run: async (config, asked, output) => {
      const paste = asked.prepared
        ? prepared
        : (_name: string, text: string, args: readonly unknown[]) => filled(text, args)
      await withDryRun(config, asked, async (_db, dryRun) => {
        output.result(
          dryRun.statements.map(({ name, file, text, args }) => ({ name, file, sql: paste(name, text, args), args })),
          [callComments(dryRun), ...dryRun.steps.map((step) => stepText(step, paste))].join('\n\n'),
        )
      })
    },
  }),
}

const stepText = (step: DryRunStep, paste: typeof prepared) =>
  'name' in step ? `${paste(step.name, step.text, step.args)};` : sqlComment(step.note)
