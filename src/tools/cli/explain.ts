/** frames explain: prints and explains the plans of the statements that a call runs, as the API's sessions get them. */
import { explainSteps, type Explanation } from '../../api/inspect/explanation.js'
import { headerOf } from '../../api/inspect/header.js'
import { costSentence, planSentences } from '../../api/inspect/verdict.js'
import {
  type BuiltIndex,
  readIndexStatement,
  type RemovedIndex,
  tryIndexes,
  type WhatIf,
} from '../../api/inspect/what-if.js'
import { form, repeatable, UsageError, type Command } from './command.js'
import { CALL_ARGS, callComments, withDryRun } from './asked-call.js'
import { anyValue } from '../../core/values.js'

export const explainCommand: Command = {
  summary: 'the plans of these statements, in plain words too',
  form: form({
    description:
      'Prints the plans of the statements that a call runs, as the sessions of the API get them, with their cost in words.',
    least: 'frames_service',
    args: {
      ...CALL_ARGS,
      with: repeatable(
        anyValue('SQL', 'a statement such as "create index on frame using spgist (geom)"'),
        'builds this index, explains the call before and after, and rolls the index back',
        'the indexes as they are',
      ),
      without: repeatable(
        anyValue('INDEX', 'the name of an index'),
        'removes this index, explains the call before and after, and brings the index back',
        'the indexes as they are',
      ),
    },
    notes: [
      'Calls that write to a table wait while an index is built on it, and all calls that read it wait while one is removed: such a run ends after 3 seconds. A table that another session has locked is left alone.',
    ],
    run: async (config, asked, output) => {
      const changes = { added: asked.with, removed: asked.without }
      checkStatements(changes.added)
      await withDryRun(config, asked, async (db, dryRun) => {
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

function explanationText({ step: { name, file }, planText = '', measured, sentences }: Explanation): string {
  const lines = [...(measured ? [costSentence(measured.facts)] : []), ...sentences]
  return [`${name}, ${file}`, indented(planText), ...lines.map((line) => `=> ${line}`)].join('\n')
}

const indented = (text: string) => text.replace(/^/gm, '   ')

export function whatIfValue({ built, removed, before, after }: WhatIf): object {
  return {
    built,
    removed,
    statements: before.map((explanation, place) => {
      const { name, file, args } = explanation.step
      return { name, file, args, before: measuredValue(explanation), after: measuredValue(after[place]) }
    }),
  }
}

const measuredValue = (explanation: Explanation | undefined): object => {
  const measured = explanation?.measured
  return { queryPlan: measured?.plan, facts: measured?.facts, budget: measured?.verdict.budget }
}

export function whatIfText({ built, removed, before, after }: WhatIf): string {
  const statements = before.flatMap((one, place) => {
    const other = after[place]
    return other ? [indexComparison(one, other)] : []
  })
  return [
    [...built.map(builtText), ...removed.map(removedText)].join('\n'),
    ...statements,
    'Rolled back: the indexes are as they were.',
  ].join('\n\n')
}

function builtText({ name, table, definition, buildMs, bytes, isReadable }: BuiltIndex): string {
  const unread = `\n=> PostgreSQL does not read it yet: rows of ${table} were updated a short while ago. Try it on a table at rest.`
  const cost = `built in ${seconds(buildMs)} s, ${sizeText(bytes)}`
  return `With ${name} on ${table}: ${cost}.\n   ${definition}${isReadable ? '' : unread}`
}

const removedText = ({ name, table, blockedMs }: RemovedIndex) =>
  `Without ${name} on ${table}: calls that read ${table} waited ${seconds(blockedMs)} s at most.`

function indexComparison(before: Explanation, after: Explanation): string {
  const { name, file } = before.step
  const isSame = planShape(before) !== undefined && planShape(before) === planShape(after)
  return [
    `${name}, ${file}`,
    part('before', before, true),
    part(isSame ? 'after, by the same plan' : 'after', after, !isSame),
    ...costDifference(before, after),
  ].join('\n')
}

function part(title: string, { step, planText = '', measured, sentences }: Explanation, showsPlan: boolean): string {
  // Advice is left out: the indexes are as they are on purpose.
  const lines = measured
    ? [costSentence(measured.facts), ...planSentences(measured.facts, measured.verdict, headerOf(step.text).allowed)]
    : sentences
  const plan = showsPlan ? [planText.replace(/^/gm, '      ')] : []
  return [`   ${title}:`, ...plan, ...lines.map((line) => `   => ${line}`)].join('\n')
}

function costDifference({ measured: before }: Explanation, { measured: after }: Explanation): string[] {
  if (!before || !after) return []
  const [one, other] = [before.facts, after.facts]
  const limit = before.allowance === undefined ? '' : ` (at most ${Math.floor(before.allowance.buffers)} are allowed)`
  const times = `${one.executionMs.toFixed(3)} ms before, ${other.executionMs.toFixed(3)} ms after`
  return [`=> Buffers: ${one.buffers} before, ${other.buffers} after${limit}. Executed in ${times}.`]
}

/** Names the indexes and the scans of a plan: two plans that have the same are printed once. */
function planShape({ measured }: Explanation): string | undefined {
  return measured && JSON.stringify([measured.facts.planned, measured.facts.plannedScans])
}

const seconds = (ms: number) => (ms / 1000).toFixed(3)

const sizeText = (bytes: number) =>
  bytes < 1024 * 1024 ? `${Math.ceil(bytes / 1024)} kB` : `${(bytes / 1024 / 1024).toFixed(1)} MB`
