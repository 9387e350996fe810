import assert from 'node:assert/strict'
import { connect, type Database } from '../../src/core/db/connect.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { frames, settingsFor, wordsOf } from '../support/cli.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { freePort } from '../support/postgres-server.js'
import { startProxy, type Proxy } from '../support/proxy.js'
import { newOrganisation } from '../support/service.js'
import { number, stateOf, temporaryFolder } from './files.js'
import { first, importGrid } from './imports.js'

describe('a command whose database fails', function () {
  this.timeout(60_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let proxy: Proxy
  let away: Database
  let orgId: string
  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
    orgId = await newOrganisation(database.db)
    const url = new URL(urlOf(database.ownerTarget))
    proxy = await startProxy(Number(url.port))
    url.port = String(proxy.port)
    away = connect(url.href)
  })
  after(async () => {
    await away.close()
    await proxy.close()
    await database.drop()
  })

  const take = (layerId: string, value: string, { db = away, at = '', fail = () => proxy.cutAll() } = {}) =>
    importBaseline(
      db,
      folder.write('rows.csv', `frame_id,a\n${first},${value}\n`),
      { layerId, orgId, name: layerId, category: 'Tests' },
      (step) => step === at && fail(),
    )
  const valueOf = async (layerId: string) => {
    const [row] = await database.db.rows<{ a: string }>(
      `select recorded ->> 'a' as a from baseline_row join dataset using (version) where layer_id = $1`,
      [layerId],
    )
    return row?.a
  }
  const hasView = async (layerId: string) =>
    (await number(database.db, `select count(to_regclass('analyst.${layerId}'))::int as n`)) === 1

  const stages: [step: string, said: RegExp, after: string, fail?: () => void][] = [
    ['checking', /Nothing was changed\./, 'old'],
    ['gathering statistics', /lyr_lost is being served with its new rows/, 'new'],
    [
      'putting the new rows in place',
      /Whether lyr_lost has its new rows, "frames datasets list" shows/,
      'new',
      () => proxy.cutNextCommit(),
    ],
  ]
  for (const [at, said, left, fail] of stages) {
    it(`says in a sentence what it changed and what to do, where the connection is lost at the step "${at}"`, async () => {
      await take('lyr_lost', 'old', { db: database.db })
      await assert.rejects(take('lyr_lost', 'new', fail ? { at, fail } : { at }), (error: Error) => {
        assert.match(
          error.message,
          /^The database went away, or cannot be reached \(.*\)\. .* See that it runs, then give/,
        )
        assert.match(error.message, said)
        return true
      })
      assert.equal(await valueOf('lyr_lost'), left)
    })
  }

  it('says that nothing was changed, where a new index was not complete', async () => {
    const before = await stateOf(database.db)
    const grid = folder.write(
      'grid.geojson',
      '{"type":"Feature","id":7,"geometry":{"type":"Polygon","coordinates":[[[0,0],[1,0],[1,1],[0,0]]]}}',
    )
    const cut = (step: string) => step === 'making indexes' && proxy.cutAll()
    await assert.rejects(
      importFrames(away, grid, cut),
      /^Error: The database went away.* Nothing was changed\. See that/,
    )
    assert.equal((await stateOf(database.db)).index, before.index)
  })

  it('says that the disk of a server is full, and that nothing was changed', async () => {
    await take('lyr_full', 'old', { db: database.db })
    const reason = 'could not extend file "base/5/16400": No space left on device'
    await database.db.work(
      `create function full_disk() returns trigger language plpgsql as $$ begin raise '%', '${reason}' using errcode = '53100'; end $$;
      create trigger full_disk before insert on baseline_row execute function full_disk()`,
    )
    try {
      await assert.rejects(take('lyr_full', 'new', { db: database.db }), {
        message: `The disk of the database is full (${reason}). Nothing was changed. Make room on the server, then give the command again.`,
      })
      assert.equal(await valueOf('lyr_full'), 'old')
    } finally {
      await database.db.work('drop function full_disk cascade')
    }
  })

  it('leaves the view of a new dataset to the next command, where it ended before it made it', async () => {
    await assert.rejects(take('lyr_unseen', 'new', { at: 'gathering statistics' }))
    assert.deepEqual([await valueOf('lyr_unseen'), await hasView('lyr_unseen')], ['new', false])
    await frames(['datasets', 'list'], settingsFor(database.ownerTarget))
    assert.equal(await hasView('lyr_unseen'), true)
  })

  it('ends with a sentence where it finds none', async () => {
    const settings = { DATABASE_URL: `postgres://frames@127.0.0.1:${await freePort()}/frames` }
    for (const line of ['orgs list', 'migrate', 'doctor']) {
      const { status, out, err } = await frames(wordsOf(line), settings)
      assert.deepEqual([status, out], [1, ''], err)
      assert.match(err, /^The database went away, or cannot be reached \(.*ECONNREFUSED.*\)\. .* See that it runs/)
    }
  })
})
