/** Runs tests on a broken copy of the program. */
import { execFileSync, spawn } from 'node:child_process'
import { mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/core/db/statement.js'
import { endsWithTests } from '../support/children.js'
import { postgresServer } from '../support/database.js'
import { newFolder } from '../support/temporary.js'
import { templates } from '../support/templates.js'
import type { Broken, Mutant } from './mutant.js'

/** Node resolves links, so these folders have links of the other kind in a copy. The rest of the project is linked. */
const COPIED = ['dist', 'sql', 'src', 'migrations']
const LEFT_OUT = ['node_modules', '.git']

const root = fileURLToPath(projectFolder)
const mocha = join(root, 'node_modules/mocha/bin/mocha.js')

/** The titles of the tests that failed; or why that is not known. */
export type Outcome = { failed: string[] } | { fault: unknown }

/** Runs the tests of some mutants on a copy that has all of them. */
export async function outcomesOn(group: readonly Broken[]): Promise<Outcome[]> {
  const patches = group.flatMap(({ files }) => Object.entries(files))
  const files = new Map(patches)
  if (files.size < patches.length)
    throw new Error(`Two mutants of one copy patch one file: ${[...files.keys()].join()}`)
  const folder = copyOf(files)
  try {
    const change = group.map((broken) => broken.change).join('\n')
    const found = await report([...wordsFor(folder, group), '--exit', '--timeout', '60000'], {
      TEST_POSTGRES_PORT: String((await postgresServer()).port),
      TEST_TEMPLATES: await templates(),
      TEST_DATABASE_CHANGE: change,
      TEST_FOLDER: undefined,
      LONG: undefined,
    })
    return group.map(({ mutant }) => outcomeOf(mutant, found))
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function wordsFor(folder: string, group: readonly Broken[]): string[] {
  const tests = [...new Set(group.flatMap(({ mutant }) => mutant.tests))]
  const words = ['--grep', group.map(({ mutant }) => `(${mutant.grep})`).join('|')]
  for (const name of ['process', 'hooks']) words.push('--require', join(folder, `dist/test/support/${name}.js`))
  return [...words, ...compiledTests(folder, tests)]
}

function outcomeOf({ tests: wanted, grep }: Mutant, { tests, failures }: Report): Outcome {
  const isThere = ({ file }: ReportedTest) => wanted.some((test) => file?.endsWith(`/dist/test/${test}.test.js`))
  const isOf = (test: ReportedTest) => isThere(test) && new RegExp(grep).test(test.fullTitle)
  // A failure before the tests says nothing of the rule. Root hooks are in no file of tests.
  const isEarly = (test: ReportedTest) => /"before (?:all|each)" hook/.test(test.fullTitle)
  const early = failures.find((test) => isEarly(test) && (isThere(test) || !test.file?.endsWith('.test.js')))
  if (early) return { fault: new Error(`The tests did not start: ${early.fullTitle}: ${early.err?.message}`) }
  if (!tests.some(isOf)) return { fault: new Error(`No test ran of ${wanted.join(', ')}.`) }
  return { failed: failures.filter(isOf).map(({ fullTitle }) => fullTitle) }
}

/** Node finds packages from inside node_modules, and no tool of the project looks for files there. */
function copyOf(files: ReadonlyMap<string, string>): string {
  const folder = join(root, `node_modules/.cache/mutants/${process.pid}-${Math.random().toString(36).slice(2)}`)
  mkdirSync(folder, { recursive: true })
  for (const name of readdirSync(root)) {
    if (COPIED.includes(name)) execFileSync('cp', ['-al', join(root, name), folder])
    else if (!LEFT_OUT.includes(name)) symlinkSync(join(root, name), join(folder, name))
  }
  for (const [name, text] of files) {
    // A write to the link would change the file of the program.
    rmSync(join(folder, name))
    writeFileSync(join(folder, name), text, { flag: 'wx' })
  }
  return folder
}

const compiledTests = (folder: string, tests: readonly string[]) =>
  tests.map((test) => join(folder, `dist/test/${test}.test.js`))

/** Lists the full titles of the tests in these files, and runs none. */
export async function titlesIn(tests: readonly string[]): Promise<{ test: string; title: string }[]> {
  const found = await report(['--dry-run', ...compiledTests(root, tests)], {})
  return found.tests.map(({ file = '', fullTitle }) => ({
    test: relative(join(root, 'dist/test'), file).replace(/\.test\.js$/, ''),
    title: fullTitle,
  }))
}

type ReportedTest = { file?: string; fullTitle: string; err?: { message?: string } }
type Report = { tests: ReportedTest[]; failures: ReportedTest[] }

/** Runs Mocha in a process of its own. */
async function report(words: string[], env: Record<string, string | undefined>): Promise<Report> {
  const file = join(newFolder('mutant'), 'report.json')
  const reporting = ['--no-config', '--reporter', 'json', '--reporter-option', `output=${file}`]
  const child = spawn(process.execPath, [mocha, ...reporting, ...words], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, TEST_DATABASE: 'postgres', ...env },
  })
  endsWithTests(child, 'SIGTERM')
  let said = ''
  child.stderr.on('data', (data) => (said += String(data)))
  await new Promise((done) => child.once('close', done))
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as Report
  } catch (error) {
    throw new Error(`The tests gave no report. ${said.slice(0, 2000)}`, { cause: error })
  }
}
