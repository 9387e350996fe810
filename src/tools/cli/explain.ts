/** frames explain: prints and explains the plans of the statements that a call runs, as the API's sessions get them. */
import { explainSteps, type Explanation } from '../../api/inspect/explanation.js'
import { readIndexStatement } from '../../api/inspect/index-statement.js'
import { tryIndexes } from '../../api/inspect/what-if.js'
import { ASKER_OPTIONS, CALL_OPERAND, callComments, withDryRun } from './dry-run.js'
import { commandForm, UsageError, type Command } from './command.js'
import { whatIfText, whatIfValue } from './explain-what-if.js'
import { anyValue } from './values.js'

export const explainCommand: Command = {
  summary: 'the plans of these statements, in plain words too',
  forms: [
    commandForm({
      description:
        'Prints the plans of the statements that a call runs, as the sessions of the API get them, with their cost in words.',
      operands: CALL_OPERAND,
      options: {
        ...ASKER_OPTIONS,
        with: {
          value: anyValue('SQL', 'a statement such as "create index on frame using spgist (geom)"'),
          description: 'builds this index, explains the call before and after, and rolls the index back',
          default: 'the indexes as they are',
          repeatable: true,
        },
        without: {
          value: anyValue('INDEX', 'the name of an index'),
          description: 'removes this index, explains the call before and after, and brings the index back',
          default: 'the indexes as they are',
          repeatable: true,
        },
      },
      notes: [
        'Calls that write to a table wait while an index is built on it, and all calls that read it wait while one is removed: such a run ends after 3 seconds. A table that another session has locked is left alone.',
      ],
      run: async (config, { operands, options }, output) => {
        const changes = { added: options.with, removed: options.without }
        checkStatements(changes.added)
        await withDryRun(config, operands[0], options, async (db, dryRun) => {
          if (changes.added.length + changes.removed.length > 0) {
            const whatIf = await tryIndexes(db, dryRun.statements, changes)
            output.result(whatIfValue(whatIf), `${callComments(dryRun)}\n\n${whatIfText(whatIf)}`)
            return
          }
          const explanations = await explainSteps(db, dryRun.statements)
          output.result(
            explanations.map(explanationValue),
            [callComments(dryRun), ...explanations.map(explanationText)].join('\n\n'),
          )
        })
      },
    }),
  ],
}

/** The words of the command line show a wrong statement, before there is a database. */
function checkStatements(statements: readonly string[]): void {
  try {
    for (const text of statements) readIndexStatement(text)
  } catch (error) {
    throw new UsageError(`--with: ${(error as Error).message}`)
  }
}

function explanationValue({ step: { name, file, args }, measured }: Explanation): object {
  return { name, file, args, queryPlan: measured?.plan, facts: measured?.facts, ...measured?.verdict }
}

const explanationText = ({ step: { name, file }, planText = '', sentences }: Explanation) =>
  [`${name}, ${file}`, indented(planText), ...sentences.map((sentence) => `=> ${sentence}`)].join('\n')

const indented = (text: string) => text.replace(/^/gm, '   ')
