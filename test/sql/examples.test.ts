import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { headerOf } from '../../src/api/inspect/header.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'

const run = promisify(execFile)
const folder = new URL('sql/', projectFolder)
const textOf = (file: string) => readFileSync(new URL(file, folder), 'utf8')
/** The doctor fills the parameters of its own checks, and functions are not statements. */
const files = readdirSync(folder, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.sql') && !/^(doctor|functions)\//.test(file))
  .sort()

/** The service runs the files of these folders. */
const isOfService = (file: string) => !file.includes('/') || /^(tiles|map|catalogue)\//.test(file)

/** The header of a file whose example finds no row says why. */
const WITHOUT_ROWS = /^-- The example finds no row, since [\w ]+ are random\.$|no row when all is well/m

/** These files need tables or rows that an import or a build makes before it runs them. */
const NEEDS: [files: RegExp, statement: string][] = [
  [/^import\/(baseline|intervals|features|distances|raster|shapes|units)_/, textOf('import/open.sql')],
  [
    /^import\/dataset_serve/,
    `insert into organisation (org_id, name, plan) values ('org_000000000001', 'Owner', 'trial')`,
  ],
  [/^(import\/frames_|build\/(outline|wards)_|staging\/(distances|index|switch))/, textOf('staging/open.sql')],
]

describe('the line "-- example:" of a file of sql/', () => {
  it('is there where the file has parameters, with a value for each', () => {
    for (const file of files) {
      const { parameters, example } = headerOf(textOf(file))
      assert.equal(example !== undefined, parameters.length > 0, file)
    }
  })

  describe('runs in psql, in two lines', function () {
    this.timeout(120_000)
    let database: TestDatabase
    before(async () => {
      database = await newDatabase('datasets')
      const made = ['-X', '-q', '-d', urlOf(database.adminTarget), '-c', 'create extension pg_stat_statements']
      await run('psql', made)
    })
    after(() => database.drop())

    /** Runs each file as sql/README.md says, in one psql, and rolls its changes back. Returns the rows of each. */
    async function rowsOf(some: readonly string[], target: string): Promise<string[][]> {
      const steps = some.flatMap((file) => {
        const { parameters, example } = headerOf(textOf(file))
        const [, needed] = NEEDS.find(([pattern]) => pattern.test(file)) ?? []
        return [
          `\\echo ### ${file}`,
          'begin',
          ...(needed === undefined ? [] : [needed]),
          `prepare example as ${textOf(file)}`,
          `execute example${parameters.length === 0 ? '' : ` (${example})`}`,
          'rollback',
          'deallocate example',
        ]
      })
      const words = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-d', target]
      const { stdout } = await run('psql', [...words, ...steps.flatMap((step) => ['-c', step])], { maxBuffer: 1e8 })
      const parts = stdout.split(/^### /m).slice(1)
      return parts.map((part) => part.split('\n').slice(1).filter(Boolean))
    }

    for (const [role, some, target] of [
      ['service', files.filter(isOfService), () => database.target],
      ['web app', files.filter((file) => file.startsWith('web/')), () => database.consoleTarget],
    ] as const)
      it(`as the role of the ${role}, and finds rows or says why it finds none`, async () => {
        const rows = await rowsOf(some, urlOf(target()))
        assert.equal(rows.length, some.length)
        for (const [at, file] of some.entries())
          assert.equal(
            (rows[at] ?? []).length > 0,
            !WITHOUT_ROWS.test(textOf(file)),
            `${file}: ${rows[at]?.join('\n')}`,
          )
      })

    it('as the role that it is written for', async () => {
      const others = files.filter(
        (file) => !isOfService(file) && !file.startsWith('web/') && headerOf(textOf(file)).example !== undefined,
      )
      const isOfSession = (file: string) => file.startsWith('session/')
      await rowsOf(others.filter(isOfSession), urlOf(database.target))
      await rowsOf(
        others.filter((file) => !isOfSession(file)),
        urlOf(database.ownerTarget),
      )
    })
  })
})
