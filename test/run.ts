/**
 * Runs tests: `npm test` those that Node alone can run, `npm run test:all` all of them. Both take files and folders
 * (`npm test -- test/limits`), and pass options on to Mocha (`-- --grep word`).
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, statSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../src/core/db/statement.js'
import { isSlow } from './slow.js'
import { exitOnSignals, endsWithTests } from './support/children.js'
import { missingPrograms } from './support/programs.js'
import type { Ran } from './support/reporter.js'
import { runFolder } from './support/temporary.js'
import { suiteOf, suites } from './where.js'

type Database = 'embedded' | 'postgres'
type Section = { title: string; database: Database; files: string[]; isAlone?: boolean }

exitOnSignals()
const started = performance.now()
const root = fileURLToPath(projectFolder)
const [scope, ...words] = process.argv.slice(2)
const isAll = scope === 'all'
const command = isAll ? 'npm run test:all' : 'npm test'
/** A word of --grep may also be the name of a folder, such as sql. */
const isPath = (word: string) => word.startsWith('test/') && existsSync(join(root, word))
const paths = words.filter(isPath).map((word) => word.replace(/\/$/, ''))
const options = words.filter((word) => !isPath(word))

/** All test files, or those under the paths that were asked for, as paths below `test/`. */
const files = readdirSync(join(root, 'test'), { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.test.ts'))
  .filter((name) => paths.length === 0 || paths.some((path) => `test/${name}/`.startsWith(`${path}/`)))

/** Slow files start first, so that no processor is idle while one ends. */
const weight = (file: string) => (isSlow(file) ? 1e6 : 0) + statSync(join(root, 'test', file)).size

function filesOn(database: Database, isAlone: boolean): string[] {
  const fits = (file: string) => {
    const { on, alone = false } = suiteOf(file)
    return (on === database || on === 'both') && alone === isAlone
  }
  return files.filter(fits).toSorted((one, other) => weight(other) - weight(one))
}

const everySection: Section[] = [
  { title: 'on the embedded database', database: 'embedded', files: filesOn('embedded', false) },
  { title: 'on PostgreSQL and Redis', database: 'postgres', files: filesOn('postgres', false) },
  { title: 'alone on the machine', database: 'postgres', files: filesOn('postgres', true), isAlone: true },
]
const sections = everySection.filter((section) => section.files.length > 0).slice(0, isAll ? undefined : 1)

/** Runs Mocha on the files of a section, and returns each test that ran. */
async function run({ title, database, files: some, isAlone }: Section): Promise<Ran[]> {
  const report = join(runFolder(), `report ${title}.json`)
  rmSync(report, { force: true })
  const mocha = join(root, 'node_modules/mocha/bin/mocha.js')
  const compiled = some.map((file) => join(root, 'dist/test', file.replace(/\.ts$/, '.js')))
  const jobs = isAlone || some.length === 1 ? ['--no-parallel'] : ['--jobs', String(availableParallelism() + 1)]
  const child = spawn(process.execPath, [mocha, ...jobs, ...options, ...compiled], {
    cwd: root,
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE: database, TEST_REPORT: report, TEST_TITLES: paths.length > 0 ? '1' : '' },
  })
  endsWithTests(child, 'SIGTERM')
  const [status] = (await once(child, 'close')) as [number | null]
  if (!existsSync(report))
    return [{ file: '', title: `Mocha ended with ${status} and without a report`, ms: 0, failed: true }]
  const ran = JSON.parse(readFileSync(report, 'utf8')) as Ran[]
  if (ran.length === 0) return [{ file: '', title: 'No test ran.', ms: 0, failed: true }]
  return status !== 0 && ran.every(({ failed }) => !failed)
    ? [...ran, { file: '', title: `Mocha ended with ${status}`, ms: 0, failed: true }]
    : ran
}

function sayWhatRuns(): void {
  const needs = new Set(sections.flatMap((section) => section.files.flatMap((file) => suiteOf(file).needs ?? [])))
  const missing = isAll
    ? missingPrograms(
        needs,
        sections.some(({ database }) => database === 'postgres'),
      )
    : []
  if (missing.length > 0) {
    console.error(`${command} needs programs that are missing here:\n  apt-get install ${missing.join(' ')}`)
    process.exit(1)
  }
  const running = new Set(sections.flatMap((section) => section.files))
  const left = files.filter((file) => !running.has(file))
  console.log(`${command} runs ${running.size} files of tests ${sections.map(({ title }) => title).join(', then ')}.`)
  if (left.length === 0) return
  const folders = [...new Set(left.map((file) => suiteOf(file).files))]
  console.log(
    `It leaves out ${left.length} files that need more than Node: PostgreSQL, Redis, Chromium, GDAL or Python.\n` +
      `  ${folders.join(' ')}\nnpm run test:all runs everything; CONTRIBUTING.md names the packages that it needs.`,
  )
}

function sayWhatIsSlow(ran: readonly Ran[]): void {
  const slowest = ran.toSorted((one, other) => other.ms - one.ms).slice(0, 10)
  console.log('\nThe slowest tests:')
  for (const { file, title, ms } of slowest) console.log(`  ${(ms / 1000).toFixed(1).padStart(5)} s  ${file}: ${title}`)
}

const unknown = suites.filter((suite) => paths.length === 0 && !files.some((file) => suiteOf(file) === suite))
if (unknown.length > 0)
  throw new Error(`test/where.ts names what is not there: ${unknown.map((row) => row.files).join()}`)
if (sections.length === 0) {
  const more = files.length > 0 ? `; npm run test:all -- ${paths.join(' ')} runs ${files.length} files` : ''
  console.error(`No file of tests there runs on Node alone${more}.`)
  process.exit(1)
}
/** A section on PostgreSQL finds its template databases made: they take half a minute of one processor. */
function makeTemplatesOfPostgres(): Promise<unknown> {
  const file = join(root, 'dist/test/support/make-templates.js')
  const child = spawn(process.execPath, [file], {
    stdio: 'inherit',
    env: { ...process.env, TEST_DATABASE: 'postgres' },
  })
  endsWithTests(child, 'SIGTERM')
  return once(child, 'close')
}

sayWhatRuns()
const templates = sections.length > 1 && sections[1]?.database === 'postgres' ? makeTemplatesOfPostgres() : undefined
const all: Ran[] = []
for (const section of sections) {
  if (section.database === 'postgres') await templates
  console.log(`\n== ${section.title}`)
  all.push(...(await run(section)))
}
sayWhatIsSlow(all)
const failed = all.filter((test) => test.failed)
for (const { file, title } of failed) console.log(`Failed: ${file}: ${title}`)
const seconds = (performance.now() - started) / 1000
console.log(`\nThat took ${Math.floor(seconds / 60)} min ${Math.round(seconds % 60)} s.`)
console.log(`${all.length - failed.length} passed, ${failed.length} failed`)
process.exit(failed.length > 0 ? 1 : 0)
