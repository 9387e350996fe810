import assert from 'node:assert/strict'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { collection, feature, number, quiet, rectangle, temporaryFolder } from '../load/files.js'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { ask, bearer, startService, type Service } from '../support/service.js'

const envOf = ({ ownerTarget }: TestDatabase) => settingsFor(ownerTarget)

describe('frames load-demo', function () {
  this.timeout(240_000)
  const folder = temporaryFolder()
  let database: TestDatabase
  let service: (Service & { stop: () => Promise<void> }) | undefined
  let said = ''

  before(async () => {
    // "serve" fills an empty database as this command does; test/cli/embedded.test.ts has it.
    database = await newDatabase('datasets')
    const tables = ['feature', 'feature_frame', 'unit_total', 'block_feature', 'attribute_spread', 'dataset']
    const roads = `(select version from dataset where layer_id = 'lyr_roads')`
    await database.db.work(tables.map((table) => `delete from ${table} where version = ${roads}`).join(';'))
  })
  after(async () => {
    folder.remove()
    await service?.stop()
    await database.drop()
  })

  it('completes a database: twelve datasets, four organisations, a key of each preset, printed once', async () => {
    const ran = await frames(['load-demo'], { ...envOf(database), PORT: '3456' })
    assert.equal(ran.status, 0, ran.err)
    said = ran.out
    assert.match(said, /^Generation 1 of the invented country is being served, with 12 datasets\.\n/)
    assert.equal([...said.matchAll(/^ +(locality|analyst|full-read) +svc_sk_\w{36}$/gm)].length, 3)
    assert.equal(await number(database.db, 'select count(*)::int as n from organisation'), 4)
    const doctor = await frames(['doctor', '--json'], envOf(database))
    const { findings } = JSON.parse(doctor.out) as { findings: { check: string }[] }
    // The server of the tests is set to be quick.
    assert.deepEqual(
      findings.filter(({ check }) => check !== 'settings'),
      [],
      'a new database is clean',
    )
  })

  it('prints lines that work when they are pasted, with the address that HOST and PORT give', async () => {
    service = await startService(database)
    // The service of the tests has an organisation of its own, which the command would refuse.
    await database.db.work(`
      delete from api_key where org_id in (select org_id from organisation where name like 'Tests %');
      delete from account where org_id in (select org_id from organisation where name like 'Tests %');
      delete from organisation where name like 'Tests %'`)
    const headers = bearer(/export KEY=(\w+)/.exec(said)?.[1] ?? '')
    const lines = [...said.matchAll(/curl -H "Authorization: Bearer \$KEY" 'http:\/\/127\.0\.0\.1:3456([^']+)'/g)]
    assert.equal(lines.length, 4)
    for (const [, path = ''] of lines) {
      assert.equal((await ask(`${service.url}${path}`, { headers })).status, 200, path)
    }
  })

  it('changes nothing a second time, and shows no secret again', async () => {
    const again = await frames(['load-demo', '--json'], envOf(database))
    assert.equal(again.status, 0, again.err)
    const { generation, datasets, keys } = JSON.parse(again.out) as {
      generation: string
      datasets: string[]
      keys: object[]
    }
    assert.deepEqual([generation, datasets.length, keys], ['1', 12, []])
    assert.equal(await number(database.db, 'select count(*)::int as n from api_key'), 3)
  })

  it('makes keys that are missing, with the fields of "keys mint" in --json', async () => {
    await database.db.work('delete from api_key')
    const { out } = await frames(['load-demo', '--json'], envOf(database))
    const { keys } = JSON.parse(out) as { keys: { preset: string; secret: string }[] }
    assert.deepEqual(
      keys.map(({ preset }) => preset),
      ['locality', 'analyst', 'full-read'],
    )
    const fields = 'capabilities expiresAt keyId lastFour name orgId preset secret state'
    assert.equal(
      Object.keys(keys[0] ?? {})
        .toSorted()
        .join(' '),
      fields,
    )
  })

  it('refuses a database that has organisations of its own, or another index, and changes nothing there', async () => {
    const other = await newDatabase()
    await createOrganisation(other.db, 'Survey office', 'trial')
    const withOwn = await frames(['load-demo'], envOf(other))
    assert.equal(withOwn.status, 1)
    assert.match(withOwn.err, /^There are organisations here that are not the demo's, such as "Survey office"\. /)
    await other.db.work('delete from account; delete from organisation')
    const cell = collection([feature(1, rectangle(500, 500, 501, 501))])
    await importFrames(other.db, folder.write('grid.geojson', cell), quiet)
    const withIndex = await frames(['load-demo'], envOf(other))
    assert.equal(withIndex.status, 1)
    assert.match(withIndex.err, /^Another index is being served here, of 1 frame, imported from grid\.geojson\. /)
    assert.equal(await number(other.db, 'select count(*)::int as n from organisation'), 0)
    await other.drop()
  })
})
