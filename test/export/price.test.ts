import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { frames } from '../support/cli.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { databaseSettings, exportFolder, unit } from './setup.js'

type Result = {
  calls: number
  credits: number
  creditsNeeded: number
  balance?: number
  leftOut: { layerId: string; reason: string; price: number }[]
  values: { layerId: string; charges: number; credits: number }[]
}

describe('--dry-run of export and locate', function () {
  this.timeout(120_000)
  const { folder, at, relay, words } = exportFolder()
  const dryRun = '--dry-run'

  async function organisation(credits: number, licences: Record<string, number>) {
    const { db } = service()
    const orgId = await newOrganisation(db)
    const { secret } = await mint(db, { org: orgId })
    for (const [layer, price] of Object.entries(licences)) await license(db.run, layer, orgId, price)
    if (credits > 0) await topUp(db, orgId, credits, `test ${orgId}`)
    return { orgId, settings: { FRAMES_KEY: secret } }
  }

  async function spent(orgId: string): Promise<number> {
    const [entries] = await service().db.rows<{ credits: number }>(
      `select coalesce(-sum(credits), 0)::int as credits from credit_entry where org_id = $1::text and kind = 'dataset'`,
      [orgId],
    )
    return entries?.credits ?? 0
  }

  for (const [what, credits, licences] of [
    ['enough credits', 500, { lyr_market: 2 }],
    ['two priced datasets', 500, { lyr_market: 2, lyr_population: 3 }],
    ['credits that end', 5, { lyr_market: 2 }],
    ['no credits', 0, { lyr_market: 2 }],
  ] as const) {
    it(`gives the sum that the export is charged: ${what}`, async () => {
      const { orgId, settings } = await organisation(credits, licences)
      const layers = [...Object.keys(licences), 'lyr_terrain'].join()
      const given = words(service().url, 'out.csv', [...unit, '--data', layers])
      const asked = await frames([...given, dryRun, '--json'], settings)
      assert.equal(asked.status, 0, asked.err)
      const price = JSON.parse(asked.out) as Result
      assert.equal(await spent(orgId), 0)
      assert.deepEqual(readdirSync(folder()), [])

      const fromDatabase = await frames(
        ['export', ...unit, '--page', '50', '--data', layers, '--org', orgId, dryRun, '--json', at('out.csv')],
        databaseSettings(),
      )
      assert.equal(fromDatabase.status, 0, fromDatabase.err)
      assert.deepEqual(JSON.parse(fromDatabase.out), price)

      const ran = await frames([...given, '--json'], settings)
      assert.equal(await spent(orgId), price.credits)
      assert.equal(
        price.credits,
        price.values.reduce((sum, each) => sum + each.credits, 0),
      )
      assert.equal(price.balance, credits)
      assert.equal(ran.status === 0, price.leftOut.length === 0)
      assert.equal(price.creditsNeeded > credits, price.leftOut.length > 0)
      if (ran.status === 0) {
        const { values } = JSON.parse(ran.out) as { values: { layerId: string; charges: number }[] }
        assert.deepEqual(
          price.values.map(({ layerId, charges }) => [layerId, charges]),
          values.map(({ layerId, charges }) => [layerId, charges]),
        )
      }
    })
  }

  it('counts the calls that a run which was cut short leaves to do', async () => {
    const { orgId, settings } = await organisation(5, { lyr_market: 2 })
    const given = words(service().url, 'out.csv', [...unit, '--data', 'lyr_market'])
    const whole = JSON.parse((await frames([...given, dryRun, '--json'], settings)).out) as Result
    assert.equal((await frames(given, settings)).status, 1)
    const before = await spent(orgId)
    await topUp(service().db, orgId, 500, `more ${orgId}`)
    const rest = JSON.parse((await frames([...given, dryRun, '--json'], settings)).out) as Result
    assert.ok(rest.calls < whole.calls)
    const ran = await frames(given, settings)
    assert.equal(ran.status, 0, ran.err)
    assert.equal((await spent(orgId)) - before, rest.credits)
  })

  it('says in words where the credits end, and makes calls for prices alone', async () => {
    const { settings } = await organisation(3, { lyr_market: 2 })
    const through = await relay()
    const given = words(through.url, 'out.csv', [...unit, '--data', 'lyr_market,lyr_terrain', dryRun])
    const { status, out } = await frames(given, settings)
    assert.equal(status, 0)
    assert.match(out, /^\S+out\.csv would get \d+ frames\. Nothing was written or charged\.\n/)
    assert.match(out, /\nlyr_market: 2 credits, for 1 call\.\nlyr_terrain: nothing is charged\.\n/)
    assert.match(out, /\nIn all: 2 credits of \d+ calls\. The organisation has 3 credits\.\n/)
    assert.match(
      out,
      /The credits do not cover lyr_market \(2 credits a call\) to the end: .* With \d+ credits it would end\./,
    )
    const reads = through.calls().filter((path) => path.startsWith('/v1/frames/data'))
    assert.ok(reads.length > 1 && reads.every((path) => path.endsWith('&price=true')))
  })

  it('gives the sum that locate is charged, and needs --data', async () => {
    const { orgId, settings } = await organisation(100, { lyr_market: 2 })
    const points = Array.from(
      { length: 250 },
      (_, i) => `${0.105 + 0.01 * (i % 15)},${0.205 + 0.01 * Math.floor(i / 15)}`,
    )
    writeFileSync(at('in.csv'), `lat,lon\n${points.join('\n')}\n`)
    const asked = ['locate', '--data', 'lyr_market', at('in.csv'), at('out.csv')]
    const through = [...asked, '--url', service().url]
    const price = JSON.parse((await frames([...through, dryRun, '--json'], settings)).out) as Result
    const database = await frames([...asked, '--org', orgId, dryRun, '--json'], databaseSettings())
    assert.deepEqual(JSON.parse(database.out), price)
    assert.deepEqual([await spent(orgId), readdirSync(folder())], [0, ['in.csv']])
    const ran = await frames(through, settings)
    assert.equal(ran.status, 0, ran.err)
    assert.ok(price.credits > 0)
    assert.equal(await spent(orgId), price.credits)
    const without = await frames(['locate', dryRun, at('in.csv'), at('out.csv')], databaseSettings())
    assert.deepEqual([without.status, /--dry-run goes with --data/.test(without.err)], [2, true])
  })
})
