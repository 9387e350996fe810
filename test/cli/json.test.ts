import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actingAs } from '../../src/core/access/actor.js'
import { revokeKey } from '../../src/core/access/keys.js'
import { commands } from '../../src/tools/cli/program.js'
import { page, section } from '../docs/curls.js'
import { collection, feature, rectangle, temporaryFolder } from '../load/files.js'
import { importGrid } from '../load/imports.js'
import { tiff } from '../load/tiff.js'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { enterMember } from '../support/people.js'
import { request } from '../support/service.js'

/** Values of PostgreSQL's and the caller's own: the names inside are not ours. */
const FOREIGN = new Set(['queryPlan', 'args', 'facts', 'detail'])
/** Tests of its own run it, since it runs until it is stopped. */
const ELSEWHERE = ['serve']

/** Nothing listens there: every plan fails at once. */
const noModel = { ANTHROPIC_API_KEY: 'any', ANTHROPIC_BASE_URL: 'http://127.0.0.1:9' }

const typeOf = (value: unknown) => (Array.isArray(value) ? 'list' : typeof value)

describe('what the commands print with --json', function () {
  this.timeout(240_000)
  const files = temporaryFolder()
  const folder = mkdtempSync(join(tmpdir(), 'frames-json-'))
  let database: TestDatabase
  /** The types that each name came with, and where. */
  const met = new Map<string, Map<string, string>>()
  const ran = new Set<string>()

  before(async () => {
    database = await newDatabase()
    await importGrid(database.db)
  })
  after(async () => {
    await database.drop()
    files.remove()
    rmSync(folder, { recursive: true })
  })

  const json = <Value extends object>(...words: string[]) => jsonOf<Value>(database, words)

  async function jsonOf<Value extends object>({ ownerTarget }: TestDatabase, words: string[]): Promise<Value> {
    const settings = { ...noModel, ...settingsFor(ownerTarget) }
    const { out, err } = await frames([...words, '--json'], settings)
    assert.notEqual(out, '', err)
    ran.add(words[0] ?? '')
    const value = JSON.parse(out) as Value
    note(value, words.join(' '))
    return value
  }

  function note(value: unknown, where: string): void {
    if (Array.isArray(value)) for (const item of value) note(item, where)
    else if (typeof value === 'object' && value !== null) {
      for (const [name, inner] of Object.entries(value)) {
        const types = met.get(name) ?? new Map<string, string>()
        types.set(typeOf(inner), where)
        met.set(name, types)
        if (!FOREIGN.has(name)) note(inner, where)
      }
    }
  }

  /** The names that the page explains. */
  const table = () =>
    [...section(page('docs/command-line.md'), '## JSON').matchAll(/^\| ((?:`\w+`,? ?)+)\|/gm)].flatMap(
      ([, names = '']) => Array.from(names.matchAll(/`(\w+)`/g), ([, name = '']) => name),
    )

  before(async () => {
    const rows = files.write('rows.csv', 'frame,depth,kind\n324378020,12,dry\n324378021,7,wet\n')
    const wells = files.write(
      'wells.geojson',
      '{"type":"Feature","geometry":{"type":"Point","coordinates":[0.205,0.105]}}',
    )
    const about = (id: string) => [
      '--id',
      id,
      '--name',
      id,
      '--category',
      'x',
      '--org',
      'A',
      '--vintage',
      '2025',
      '--licence',
      'CC0-1.0',
    ]
    await json('migrate')
    await json('orgs', 'create', '--name', 'A', '--plan', 'trial', '--credits', '5')
    await json('orgs', 'create', '--name', 'B', '--plan', 'pro')
    await json('orgs', 'credit', 'A', '5')
    await json('orgs', 'list')
    await json('import', 'baseline', rows, ...about('lyr_rows'))
    await json('import', 'features', wells, ...about('lyr_wells'))
    const pixel = files.write('a.tif', tiff({ width: 1, height: 1, bands: [[-7]] }))
    await json('import', 'raster', pixel, ...about('lyr_raster'), '--as', 'sum', '--dry-run')
    await json('datasets', 'license', 'lyr_rows', '--to', 'B', '--per-query', '2')
    await json('datasets', 'sell-file', 'lyr_rows', '--to', 'B', '--price', '9')
    await json('datasets', 'license', 'lyr_rows', '--to', 'everyone')
    await json('datasets', 'list')
    await json('datasets', 'words', 'lyr_rows')
    await json('datasets', 'unlicense', 'lyr_rows', '--from', 'B')
    const minting = ['--org', 'A', '--name', 'x', '--preset', 'analyst', '--expires', '7d', '--datasets', 'lyr_rows']
    const { keyId } = await json<{ keyId: string }>('keys', 'mint', ...minting)
    const caps = ['daily-credits', 'monthly-credits', 'daily-words', 'monthly-words']
    await json('keys', 'cap', keyId, ...caps.flatMap((name) => [`--${name}`, '5']))
    const rolled = await json<{ keyId: string }>('keys', 'roll', keyId, '--expires', '7d')
    await json('keys', 'revoke', rolled.keyId)
    const ada = { name: 'Ada', personId: 'per_000000000001', address: '192.0.2.7' }
    await actingAs(database.db, ada).change('tests: revoke', (run) => revokeKey(run, keyId))
    await json('keys', 'list', '--org', 'A')
    const { orgId } = await json<{ orgId: string }>('orgs', 'create', '--name', 'C', '--plan', 'trial')
    await json('people', 'invite', '--org', 'C', '--role', 'admin', '--email', 'ada@example.org')
    await enterMember(database.db, { orgId, role: 'admin', email: 'ada@example.org' })
    await json('people', 'list', '--org', 'C')
    await json('people', 'role', 'ada@example.org', 'member', '--org', 'C')
    await json('people', 'remove', 'ada@example.org', '--org', 'C')
    await json('events', '--org', 'C')
    await json('events', '--org', 'A', '--key', keyId)
    await json('sql', 'GET /v1/states', '--org', 'A')
    await json('explain', 'GET /v1/states', '--org', 'A')
    const trial = ['--with', 'create index trial_of_lga on lga (frames)', '--without', 'lga_pkey']
    await json('explain', 'GET /v1/lgas?state=marembe', '--org', 'A', ...trial)
    await json('export', '--bbox', '-1,-1,0.2,0.1', join(folder, 'box.csv'))
    await json('export', '--bbox', '0,0,0.3,0.2', '--org', 'A', '--data', 'lyr_rows', join(folder, 'values.csv'))
    const jsonType = { 'content-type': 'application/json' }
    const answer = await request('POST', '/v1/frames/insight', jsonType, '{"frameIds":["324378020"]}')
    const changed = JSON.parse(answer.text) as {
      data: { narrative: string; facets: { value: string }[]; sources: { cite: string }[] }
    }
    await json('verify', changed.data.sources[0]?.cite ?? '')
    changed.data.narrative = 'There are 99 lions.'
    for (const facet of changed.data.facets) facet.value = 'none'
    await json('verify', files.write('answer.json', JSON.stringify(changed)), '--replay')
    await database.db.work('drop index frame_geom_idx')
    await json('doctor')
    const filled = await newDatabase('datasets')
    await jsonOf(filled, ['load-demo'])
    await filled.drop()
    const land = rectangle(1000, 500, 1005, 505)
    const outline = files.write('outline.geojson', JSON.stringify(land))
    const wards = ['Low', 'Over it'].map((Ward) =>
      feature(1, land, { StateCode: 'S', State: 'South', LGA: 'Left', Ward }),
    )
    await json('build', '--outline', outline, '--wards', files.write('wards.geojson', collection(wards)))
  })

  it('is one value of every command', () => {
    assert.deepEqual(
      Object.keys(commands).filter((name) => !ran.has(name)),
      ELSEWHERE,
    )
  })

  it('has the names that docs/command-line.md explains', () => {
    const explained = table()
    assert.ok(explained.length > 30)
    assert.deepEqual(
      explained.filter((name) => !met.has(name)),
      [],
    )
  })

  it('gives one name one type', () => {
    const several = [...met].filter(([, types]) => types.size > 1)
    assert.deepEqual(
      several.map(([name, types]) => `${name}: ${[...types].map(([type, where]) => `${type} of ${where}`).join('; ')}`),
      [],
    )
  })
})
