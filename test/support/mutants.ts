/** A copy of the compiled program with one thing broken, and the tests that must notice. */
import { spawn } from 'node:child_process'
import { cpSync, mkdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/db/statement.js'
import { postgresServer } from './postgres-server.js'

export type Mutant = {
  /** What is broken, as it would be said in a review. */
  breaks: string
  /** The file, from the project's folder: compiled under dist/src, or under sql or migrations. */
  file: string
  from: string
  to: string
  /** Test files under dist/test that must fail, and which of their tests to run. */
  tests: string[]
  grep?: string
  env?: Record<string, string>
}

const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

/** Runs the tests against the mutant; answers with how many failed. */
export async function failuresOf({ file, from, to, tests, grep, env = {} }: Mutant): Promise<number> {
  // Inside node_modules, packages are found from there and nothing else looks there.
  const folder = path(`node_modules/.cache/mutants/${process.pid}-${Math.random().toString(36).slice(2)}/`)
  try {
    mkdirSync(folder, { recursive: true })
    for (const each of ['dist', 'sql', 'migrations']) cpSync(path(each), `${folder}${each}`, { recursive: true })
    for (const each of ['fixtures', 'package.json']) symlinkSync(path(each), `${folder}${each}`)
    const text = readFileSync(`${folder}${file}`, 'utf8')
    if (text.split(from).length !== 2) throw new Error(`${file} has "${from}" not once: the mutant needs another look.`)
    writeFileSync(
      `${folder}${file}`,
      text.replace(from, () => to),
    )
    // Databases are copied from those of this run, but where the tables are what is broken.
    const lent = file.startsWith('migrations/') ? {} : { TEST_SERVER_PORT: String((await postgresServer()).port) }
    return await failing(folder, tests, grep, { ...lent, ...env })
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

function failing(
  folder: string,
  tests: string[],
  grep: string | undefined,
  env: Record<string, string>,
): Promise<number> {
  const words = ['--no-config', '--exit', '--timeout', '60000', '--require', `${folder}dist/test/support/hooks.js`]
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
