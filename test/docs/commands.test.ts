import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/db/statement.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { createOrganisation } from '../../src/access/organisations.js'
import { temporaryFolder } from '../load/files.js'
import { mint } from '../support/service.js'
import { blocks, page, section } from './curls.js'

const run = promisify(execFile)
const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))

const inProject = (line: string) => line.replaceAll('fixtures/', fileURLToPath(new URL('fixtures/', projectFolder)))

/** The lines of the page's shell blocks. */
const shellLines = (text: string) =>
  blocks(text, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter(Boolean)

describe('the commands of the documentation', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let env: Record<string, string | undefined>
  before(async () => {
    database = await newDatabase()
    const { PATH } = process.env
    const target = database.ownerTarget
    env = { PATH, ...(typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }) }
  })
  after(() => database.drop())

  /** Runs the line in a shell, but without npm, which would compile anew each time. */
  const paste = (line: string) =>
    run('sh', ['-c', line.replace(/^npm run -s frames --/, `'${process.execPath}' '${program}'`)], { env })

  it('on keys do what the page for operators says, in order', async () => {
    const lines = shellLines(page('docs/keys.md'))
    assert.equal(lines.length, 9)
    await createOrganisation(database.db, 'demo', 'trial')
    let keyId = ''
    for (const line of lines) {
      const { stdout } = await paste(line.replace('key_AbCdEfGhIjKl', keyId))
      keyId = /key_\w{12}/.exec(stdout)?.[0] ?? keyId
      if (line.includes('orgs list')) assert.match(stdout, /150 credits {2}Survey office/)
      if (line.includes('keys mint')) assert.match(stdout, /^svc_sk_\w{36}$/m)
      if (line.includes('people invite')) assert.match(stdout, /\/app\/link\?t=svc_in_\w{43}$/m)
      if (line.includes('events')) assert.match(stdout, / revoked .* minted [\s\S]* created /s)
      if (line.includes('keys revoke')) assert.match(stdout, new RegExp(`^Revoked: ${keyId} .* revoked`))
    }
  })

  it('on datasets do what the page for operators says, in order', async () => {
    const lines = shellLines(page('docs/load.md'))
    // The first one builds the index.
    assert.match((await paste(inProject(lines[0] ?? ''))).stdout, /12,411|12411/)
    const files = temporaryFolder()
    const rows = files.write('rows.csv', 'frame,depth\n324378020,12\n324378021,7\n')
    const sites = files.write(
      'wells.geojson',
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[0.205,0.105]}}',
    )
    const said: string[] = []
    for (const line of lines.slice(2)) {
      said.push((await paste(line.replace('rows.csv', rows).replace('wells.geojson', sites))).stdout)
    }
    files.remove()
    assert.deepEqual(said.slice(0, 4), [
      'lyr_wells is being served: 2 frames.\n  depth: 2 values, from 7 to 12, total 19.\n',
      'lyr_well_sites is being served: 1 points.\n',
      'lyr_wells may be read by demo at 2 a query.\n',
      'lyr_well_sites may be read by everyone.\n',
    ])
    assert.match(said[4] ?? '', /^lyr_wells .*Wells {2}\(demo at 2 a query\)$/m)
    assert.match(said[5] ?? '', /^lyr_wells .*Wells {2}\(2 credits a call\)$/m)
    assert.equal(said[6], 'lyr_wells is not licensed to demo any more.\n')
  })

  it('on SQL in migrations/README.md are right', async () => {
    const { keyId, orgId } = await mint(database.db)
    const [, block = ''] = /## Mint, revoke[\s\S]*?```sql\n([\s\S]*?)```/.exec(page('migrations/README.md')) ?? []
    const statements = block.split(';\n').filter((statement) => statement.trim())
    assert.equal(statements.length, 3)
    const counts = []
    for (const statement of statements) {
      const text = statement.replace('key_AbCdEfGhIjKl', keyId).replace('org_AbCdEfGhIjKl', orgId)
      counts.push((await database.db.rows(text, [])).length)
    }
    const [row] = await database.db.rows<{ state: boolean }>(
      'select revoked_at <= clock_timestamp() as state from api_key where key_id = $1::text',
      [keyId],
    )
    assert.equal(row?.state, true)
  })

  it('on the doctor show what it says of a missing index, and fix it', async () => {
    const text = page('migrations/README.md')
    const [line = ''] = shellLines(section(text, '## What is wrong with a database'))
    const [, shown = ''] = /```\n(wrong {2}indexes_missing[\s\S]*?)```/.exec(text) ?? []
    const said = () => paste(line).catch((error: { stdout: string; code: number }) => error)
    await database.db.work('drop index frame_geom_idx')
    const before = await said()
    assert.ok(before.stdout.includes(shown) && shown !== '', before.stdout)
    assert.equal((before as { code?: number }).code, 1)
    await database.db.work(shown.split('\n').slice(1).join('\n'))
    assert.doesNotMatch((await said()).stdout, /indexes_missing/)
  })

  if (onPostgres) {
    it('on roles make them', async () => {
      const [line = ''] = shellLines(section(page('migrations/README.md'), '## Roles'))
      const script = fileURLToPath(new URL('migrations/roles.sql', projectFolder))
      const pasted = line
        .replaceAll('=...', '=')
        .replace('-d frames', `-d '${database.adminTarget as string}'`)
        .replace('migrations/roles.sql', script)
      assert.match(
        (await run('sh', ['-c', pasted], { env })).stdout,
        /The roles frames_owner, frames_service, frames_console and frames_analyst are ready/,
      )
    })
  }
})
