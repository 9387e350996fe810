import assert from 'node:assert/strict'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { license } from '../../src/core/access/licences.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { frames, startFrames } from '../support/cli.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { databaseSettings, env, exportFolder, IN_UNIT, unit } from './setup.js'

const LAYERS = ['lyr_terrain', 'lyr_population', 'lyr_culture']
const data = ['--data', LAYERS.join()]

/** Lists the attributes of the datasets with the values of the frames of the unit, in the order of ids. */
async function stored(layers = LAYERS): Promise<{ id: string; records: (Record<string, string> | null)[] }[]> {
  const rows = await service().db.rows<{ id: string; records: string }>(
    `select frame_id::text as id, (
      select json_agg(recorded order by place)::text
      from unnest($1::text[]) with ordinality as layer (layer_id, place)
      join dataset using (layer_id)
      left join baseline_row on baseline_row.version = dataset.version and baseline_row.frame_id = frame.frame_id
    ) as records
    from frame where ${IN_UNIT} order by frame_id`,
    [layers],
  )
  return rows.map(({ id, records }) => ({ id, records: JSON.parse(records) as (Record<string, string> | null)[] }))
}

describe('frames export --data', function () {
  this.timeout(120_000)
  const { folder, at, relay, words, linesOf } = exportFolder()
  const fromDatabase = (file: string, ...more: string[]) =>
    frames(['export', ...unit, ...data, '--org', 'demo', ...more, at(file)], databaseSettings())
  const throughApi = (file: string, ...more: string[]) =>
    frames(words(service().url, file, [...unit, ...data, ...more], '500'), env())

  for (const format of ['csv', 'geojsonl', 'parquet']) {
    it(`writes the same bytes from the database and through the API: ${format}`, async () => {
      const one = await fromDatabase(`one.${format}`, '--with-units')
      assert.equal(one.status, 0, one.err)
      const other = await throughApi(`other.${format}`, '--with-units')
      assert.equal(other.status, 0, other.err)
      assert.ok(readFileSync(at(`one.${format}`)).equals(readFileSync(at(`other.${format}`))))
      assert.deepEqual(readdirSync(folder()).sort(), [`one.${format}`, `other.${format}`])
    })
  }

  it('writes each value as it is stored: in CSV as text, in GeoJSON as a number where the whole column is one', async () => {
    assert.equal((await fromDatabase('out.csv')).status, 0)
    const [head = '', ...lines] = readFileSync(at('out.csv'), 'utf8').trimEnd().split('\n')
    const names = head.split(',').slice(8)
    const known = await stored()
    assert.deepEqual(
      new Set(names),
      new Set(known.flatMap(({ records }) => records.flatMap((record) => Object.keys(record ?? {})))),
    )
    // The fixture has no comma in a value.
    assert.deepEqual(
      lines.map((line) => line.replace(/".*?"/, 'wkt').split(',').slice(8)),
      known.map(({ records }) => names.map((name) => records.find((record) => record?.[name])?.[name] ?? '')),
    )
    assert.equal((await fromDatabase('out.geojsonl')).status, 0)
    const features = linesOf('out.geojsonl')
    assert.deepEqual(
      features.map(({ properties }) =>
        Object.fromEntries(Object.entries(properties).map(([name, value]) => [name, Number(value) || value])),
      ),
      known.map(({ id, records }) => ({
        frame_id: Number(id),
        ...Object.fromEntries(
          names.flatMap((name) => {
            const value = records.find((record) => record?.[name])?.[name] ?? ''
            return value === '' ? [] : [[name, Number(value) || (JSON.parse(asJson(value)) as string | number)]]
          }),
        ),
      })),
    )
    assert.ok(features.every(({ properties }) => typeof (properties['pop_demest26'] ?? 0) === 'number'))
    assert.ok(features.every(({ properties }) => typeof (properties['phy_landcov'] ?? '') === 'string'))
  })
  const asJson = (value: string) => (/^-?\d/.test(value) ? value : JSON.stringify(value))

  it('says how many frames each dataset has values on, and what was charged', async () => {
    const ran = await fromDatabase('out.csv', '--json')
    const known = await stored()
    const { values } = JSON.parse(ran.out) as { values: unknown }
    const withRecord = (place: number) => known.filter(({ records }) => records[place] !== null).length
    assert.deepEqual(
      values,
      LAYERS.map((layerId, place) => ({ layerId, frames: withRecord(place), charges: 0 })),
    )
    const text = await fromDatabase('out.csv')
    assert.match(text.out, new RegExp(`lyr_terrain has values on ${withRecord(0)} of them\\.`))
  })

  it('writes the columns of a dataset once that is named twice', async () => {
    const layers = ['--data', 'lyr_population,lyr_population']
    const ran = await frames(['export', ...unit, ...layers, '--org', 'demo', at('out.csv')], databaseSettings())
    assert.equal(ran.status, 0, ran.err)
    assert.match(readFileSync(at('out.csv'), 'utf8'), /^frame_id,[\w,]+,wkt,pop_demest25,pop_demest26\n/)
  })

  it('refuses a dataset or an organisation that is not there or not licensed, before it writes anything', async () => {
    for (const [layers, org, said] of [
      ['lyr_poplation', 'demo', /No dataset has the id "lyr_poplation"\. Did you mean lyr_population\?/],
      ['lyr_population', 'demmo', /"demmo"\. Did you mean demo\?/],
      ['lyr_schools', 'demo', /--data: lyr_schools records points: baselines are accepted/],
      ['lyr_market', 'demo', /--data: lyr_market costs "demo" 2 credits a call\. Read it with --url and --key/],
      ['lyr_market', 'National Atlas Office', /--data: "National Atlas Office" has no licence for lyr_market/],
    ] as const) {
      const ran = await frames(['export', ...unit, '--data', layers, '--org', org, at('out.csv')], databaseSettings())
      assert.equal(ran.status, 1)
      assert.match(ran.err, said)
      assert.deepEqual(readdirSync(folder()), [])
    }
  })

  it('lets an owner read the dataset that others pay for', async () => {
    const given = ['export', ...unit, '--data', 'lyr_market', '--org', 'Rich Survey', at('out.csv')]
    const ran = await frames(given, databaseSettings())
    assert.equal(ran.status, 0, ran.err)
    assert.match(readFileSync(at('out.csv'), 'utf8'), /,mkt_shops,mkt_households,mkt_access\n/)
  })

  it('refuses --org beside the options of the API, and an odd id, with status 2', async () => {
    for (const [given, said] of [
      [
        ['--org', 'demo', '--url', 'http://x'],
        /--org reads the database, --url and --key read the API: use --org or --url/,
      ],
      [['--org', 'demo', '--data', 'population'], /--data: ids such as lyr_population are accepted, "population" came/],
    ] as const) {
      const ran = await frames(['export', ...unit, ...given, at('out.csv')], databaseSettings())
      assert.equal(ran.status, 2)
      assert.match(ran.err, said)
    }
  })

  it('charges each call through the API, stops where credits end, and goes on with more', async () => {
    const { db } = service()
    const orgId = await newOrganisation(db)
    const { secret } = await mint(db, { org: orgId })
    await license(db.run, 'lyr_market', orgId, 2)
    await addCredits(orgId, 5)
    const given = words(service().url, 'out.csv', [...unit, '--data', 'lyr_market'])
    const stopped = await frames(given, { FRAMES_KEY: secret })
    assert.equal(stopped.status, 1)
    assert.match(stopped.err, /lyr_market costs 2 credits a call, which the organisation does not have/)
    assert.ok(existsSync(at('out.csv.part')) && !existsSync(at('out.csv')))
    const kept = readFileSync(at('out.csv.part'), 'utf8').trimEnd().split('\n').filter(Boolean).length
    await addCredits(orgId, 100)
    const ran = await frames([...given, '--json'], { FRAMES_KEY: secret })
    assert.equal(ran.status, 0, ran.err)
    const known = await stored(['lyr_market'])
    const result = JSON.parse(ran.out) as {
      frames: number
      resumedAt: number
      values: [{ frames: number; charges: number }]
    }
    assert.deepEqual([result.frames, result.resumedAt], [known.length, kept])
    assert.equal(result.values[0].frames, known.filter(({ records }) => records[0] !== null).length)
    const [entries] = await db.rows<{ credits: number }>(
      `select -sum(credits)::int as credits from credit_entry where org_id = $1::text and kind = 'dataset'`,
      [orgId],
    )
    assert.equal(entries?.credits, 4 + 2 * result.values[0].charges)
  })

  it('sends no call again that may have been charged, and says so', async () => {
    const { db } = service()
    const orgId = await newOrganisation(db)
    const { secret } = await mint(db, { org: orgId })
    await license(db.run, 'lyr_market', orgId, 2)
    await addCredits(orgId, 100)
    const reads = (path: string) => path.startsWith('/v1/frames/data?') && !path.includes('price=true')
    let lost = ''
    const cut = await relay((_call, path) => {
      if (!reads(path) || lost !== '') return true
      lost = path
      return 'lost'
    })
    const given = words(cut.url, 'out.csv', [...unit, '--data', 'lyr_market'])
    const stopped = await frames(given, { FRAMES_KEY: secret })
    assert.equal(stopped.status, 1)
    assert.match(stopped.err, /did not answer a call that may have cost credits \(.+\): it was not sent again/)
    assert.equal(cut.calls().filter((path) => path === lost).length, 1)
    const ran = await frames(given, { FRAMES_KEY: secret })
    assert.equal(ran.status, 0, ran.err)
  })

  const addCredits = (orgId: string, credits: number) => topUp(service().db, orgId, credits, `test ${orgId} ${credits}`)

  it('refuses what the key cannot read before the first call that may charge', async () => {
    const { db } = service()
    const orgId = await newOrganisation(db)
    await license(db.run, 'lyr_market', orgId, 2)
    const { secret } = await mint(db, { org: orgId, datasets: ['lyr_population', 'lyr_market', 'lyr_schools'] })
    for (const [layers, said] of [
      [
        'lyr_market,lyr_popluation',
        /--data: the key reads no dataset "lyr_popluation"\. Did you mean lyr_population\? It reads /,
      ],
      ['lyr_market,lyr_terrain', /--data: the key reads no dataset "lyr_terrain"\./],
      ['lyr_market,lyr_schools', /--data: lyr_schools records points\./],
    ] as const) {
      const through = await relay()
      const given = words(through.url, 'out.csv', [...unit, '--data', layers])
      const ran = await frames(given, { FRAMES_KEY: secret })
      assert.equal(ran.status, 1)
      assert.match(ran.err, said)
      assert.deepEqual(through.calls(), ['/mcp'])
      assert.deepEqual(readdirSync(folder()), [])
    }
  })

  it('says which dataset gave no values where a service does not list them', async () => {
    const { secret } = await mint(service().db, { datasets: ['lyr_population'] })
    const without = await relay((_call, path) => (path === '/mcp' ? 404 : true))
    const ran = await frames(words(without.url, 'out.csv', [...unit, ...data], '500'), { FRAMES_KEY: secret })
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.out, /lyr_terrain has no values there: it records nothing, or the key may not read it\./)
    assert.match(readFileSync(at('out.csv'), 'utf8'), /,wkt,pop_demest25,pop_demest26\n/)
  })

  it('gives the same bytes when it is killed and run again', async () => {
    assert.equal((await throughApi('whole.parquet')).status, 0)
    let stopAt = 6
    let reached = () => {}
    const waiting = new Promise<void>((done) => (reached = done))
    const cut = await relay((call) => {
      if (call >= stopAt) reached()
      return call < stopAt
    })
    const given = words(cut.url, 'cut.parquet', [...unit, ...data])
    const killed = startFrames(given, env())
    await waiting
    killed.child.kill('SIGKILL')
    await killed.ended
    assert.ok(!existsSync(at('cut.parquet')))
    stopAt = Infinity
    const ran = await frames(given, env())
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.err, /going on after \d+ frames/)
    assert.ok(readFileSync(at('cut.parquet')).equals(readFileSync(at('whole.parquet'))))
  })
})
