/** What each seen question was read as, a line each. A change of a production shows every question that it reads otherwise. */
import { readFileSync, writeFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import type { Ask, Condition, Reading } from '../../src/core/insight/reading/reading.js'
import type { Subject } from '../../src/core/figures/subject.js'

/** A figure, or the words that have none. */
export type Seen = { ask: string; reads: string }

const file = new URL('test/insight/seen.jsonl', projectFolder)

export const seenBefore = (): Seen[] =>
  readFileSync(file, 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Seen)
export const keepSeen = (all: readonly Seen[]): void =>
  writeFileSync(file, all.map((each) => `${JSON.stringify(each)}\n`).join(''))

export function textOfReading({ asks, unknown, unanswered, places = [], wants }: Reading): string {
  const figures = asks.length > 0 ? asks.map(askText) : [wants, ...places.map(({ text }) => text)]
  const lost = [...unknown, ...unanswered].map((words) => `not "${words}"`)
  return [...figures, ...lost].join(' | ')
}

const subjectText = (subject: Subject): string =>
  subject.kind === 'index' ? subject.figure : Object.values(subject).slice(1).join('.').replace(/^lyr_/, '')
const testText = ({ subject, test: { test, ...more } }: Condition): string =>
  `${subjectText(subject)} ${test} ${Object.values(more).join(' ')}`.trim()

function askText({ subject, operation, where, places = [], isNearest }: Ask): string {
  const { op, ...more } = operation
  const { words: _words, subjects: _subjects, ...parts } = more as Record<string, unknown>
  const plain = (text: string) => text.replaceAll(/"place":\[\],|(?<=")lyr_/g, '')
  const told = plain(
    JSON.stringify(parts, (_key, value: unknown) =>
      typeof value === 'object' && value !== null && 'kind' in value ? subjectText(value as Subject) : value,
    ),
  )
  return [
    ...(isNearest ? ['near'] : []),
    op,
    subjectText(subject),
    ...(told === '{}' ? [] : [told]),
    ...(where.length > 0 ? [`where ${where.map(testText).join(', ')}`] : []),
    ...(places.length > 0 ? [`in ${places.map(({ text, isExcluded }) => (isExcluded ? `all but ${text}` : text)).join(', ')}`] : []), // prettier-ignore
  ].join(' ')
}
