/** npm run scores: measures how questions are understood. With --write, it keeps the scores in docs/trust.md. */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/core/db/statement.js'
import type { QuestionFile, QuestionKind } from './expected.js'
import { demoService, type AskInsight } from './asked.js'
import { measuresOfFigures } from './figures.js'
import { measureText, withMeasures, type Measure } from './measures.js'
import { compoundsOf, scoreCompounds, scoreQuestions, type Score } from './questions.js'

const words = process.argv.slice(2)
const option = (name: string) => words.find((word) => word.startsWith(`--${name}=`))?.slice(name.length + 3)
const corpus = option('corpus') ?? fileURLToPath(new URL('../shared/data/questions/', projectFolder))

/** So many take an hour: the scores of a day do without. */
const FIGURES_OF_PAGE = 5000

/** The kinds of questions of each measure, and the part of them that is wanted. */
const WANTED: readonly [name: string, kinds: readonly QuestionKind[], part: number][] = [
  ['Questions with an answer, right figure first', ['E', 'M'], 145 / 161],
  ['Questions without an answer, said so', ['N'], 57 / 59],
  ['Questions that need a computation, exact or said so', ['D', 'F'], 38 / 43],
  ['Questions for an overview, a profile', ['P'], 1],
]

/** The corpora of the project's owner are no part of the repository. */
function fileOf(name: string): unknown {
  const path = join(corpus, name)
  if (existsSync(path)) return JSON.parse(readFileSync(path, 'utf8')) as unknown
  console.log(`There is no ${path}: nothing is measured of it. Give its folder: npm run scores -- --corpus=FOLDER`)
  return undefined
}

const file = fileOf('questions.json') as QuestionFile | undefined
if (file === undefined) process.exit(1)
const { sets = {}, questions } = file
const service = await demoService()
const { insight, db, stop } = service
try {
  const measures: Measure[] = []
  for (const name of (option('sets') ?? Object.keys(sets)[0] ?? '').split(','))
    measures.push(...(await measuresOfQuestions(insight, sets[name] ?? [])))
  const count = Number(option('figures') ?? (words.includes('--write') ? FIGURES_OF_PAGE : 0))
  if (count > 0) measures.push(...(await measuresOfFigures(db, insight, count)))
  for (const measure of measures) {
    console.log(measureText(measure))
    if (words.includes('--misses')) for (const miss of measure.misses) console.log(`    ${miss}`)
  }
  const page = new URL('docs/trust.md', projectFolder)
  if (words.includes('--write')) writeFileSync(page, withMeasures(readFileSync(page, 'utf8'), measures))
} finally {
  await stop()
}

async function measuresOfQuestions(ask: AskInsight, frameIds: readonly string[]): Promise<Measure[]> {
  const scores = await scoreQuestions(ask, frameIds, questions)
  const single = WANTED.map(([name, kinds, part]) =>
    measureOf(
      name,
      kinds.flatMap((kind) => scores.get(kind) ?? []),
      part,
    ),
  )
  return [
    ...single,
    measureOf(
      'Compounds, both halves there or named',
      [await scoreCompounds(ask, frameIds, compoundsOf(questions))],
      150 / 182,
    ),
  ]
}

function measureOf(name: string, scores: readonly Score[], part: number): Measure {
  const of = scores.reduce((sum, { asked }) => sum + asked, 0)
  return {
    name,
    hits: scores.reduce((sum, { hits }) => sum + hits, 0),
    of,
    atLeast: Math.floor(part * of + 1e-9),
    misses: scores.flatMap(({ misses }) => misses),
  }
}
