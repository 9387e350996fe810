/** A mutant is a copy of the compiled program in which one thing is broken; some test must fail on it. */
import { spawn } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/db/statement.js'
import { endsWithTests } from '../support/children.js'
import { templates } from '../support/templates.js'

export type Mutant = {
  /** The copy breaks this rule. */
  breaks: string
  /** A path in the project: a compiled file under dist/src, or one under sql or migrations. */
  file: string
  /** This text occurs once in the file; the copy has `to` instead. */
  from: string
  to: string
  /** Test files under dist/test, and the titles of those tests that run. At least one of them must fail. */
  tests: string[]
  grep?: string
}

/** Mutants break files in these folders only; the other files of the project are linked. */
const COPIED = ['dist', 'sql', 'migrations']
const LEFT_OUT = ['node_modules', '.git']

const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

/** Says why a mutant cannot be made any more, in one line. */
export function misfit({ breaks, file, from, tests }: Mutant): string | undefined {
  const needed = [file, ...tests.map((test) => `dist/test/${test}.test.js`)]
  const missing = needed.find((name) => !existsSync(path(name)))
  if (missing !== undefined) return `Mutant "${breaks}": there is no ${missing}.`
  const times = readFileSync(path(file), 'utf8').split(from).length - 1
  return times === 1 ? undefined : `Mutant "${breaks}": ${file} has its "from" text ${times} times: ${from}`
}

/** Runs the mutant's tests on its copy; returns how many of them failed. */
export async function failuresOf(mutant: Mutant): Promise<number> {
  const fault = misfit(mutant)
  if (fault !== undefined) throw new Error(fault)
  const { file, from, to, tests, grep } = mutant
  // Node finds packages from inside node_modules, and no tool of the project looks for files there.
  const folder = path(`node_modules/.cache/mutants/${process.pid}-${Math.random().toString(36).slice(2)}/`)
  try {
    mkdirSync(folder, { recursive: true })
    for (const name of readdirSync(path('.'))) {
      if (COPIED.includes(name)) cpSync(path(name), `${folder}${name}`, { recursive: true })
      else if (!LEFT_OUT.includes(name)) symlinkSync(path(name), `${folder}${name}`)
    }
    const broken = readFileSync(path(file), 'utf8').replace(from, () => to)
    writeFileSync(`${folder}${file}`, broken)
    // A mutant copies the templates of this run, unless it breaks their tables or functions.
    const TEST_TEMPLATES = /^(migrations|sql\/functions)\//.test(file) ? undefined : await templates()
    return await failing(folder, tests, grep, { TEST_TEMPLATES, TEST_FOLDER: undefined, LONG: undefined })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failing(
  folder: string,
  tests: string[],
  grep: string | undefined,
  env: Record<string, string | undefined>,
): Promise<number> {
  const words = ['--no-config', '--exit', '--timeout', '60000']
  for (const name of ['process', 'hooks']) words.push('--require', `${folder}dist/test/support/${name}.js`)
  if (grep !== undefined) words.push('--grep', grep)
  words.push(
    '--reporter',
    'json',
    '--reporter-option',
    `output=${folder}report.json`,
    ...tests.map((test) => `${folder}dist/test/${test}.test.js`),
  )
  const child = spawn(process.execPath, [path('node_modules/mocha/bin/mocha.js'), ...words], {
    stdio: 'ignore',
    env: { ...process.env, TEST_DATABASE: 'postgres', ...env },
  })
  endsWithTests(child, 'SIGTERM')
  return new Promise((done, failed) => {
    child.once('close', () => {
      try {
        const { stats } = JSON.parse(readFileSync(`${folder}report.json`, 'utf8')) as {
          stats: { tests: number; failures: number }
        }
        if (stats.tests === 0) throw new Error('No test was run.')
        done(stats.failures)
      } catch (error) {
        failed(new Error('The tests gave no report.', { cause: error }))
      }
    })
  })
}
