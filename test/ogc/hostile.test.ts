/** Hostile filters are refused without a charge, and no filter tells of a dataset of another organisation. */
import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { ApiError } from '../../src/core/errors.js'
import type { Property } from '../../src/api/ogc/collections.js'
import { compileFilter } from '../../src/api/ogc/compile.js'
import { CRS84 } from '../../src/api/ogc/crs.js'
import { checkFilter, type Filter } from '../../src/api/ogc/filter.js'
import { parseText } from '../../src/api/ogc/cql2.js'
import { credit } from '../support/datasets.js'
import { sample } from '../support/sample.js'
import { mint, newOrganisation, service, startService, type Minted } from '../support/service.js'
import { hostileFilter, largeFilters } from './hostile.js'
import { ogc, query } from './ogc-calls.js'

const PROPERTIES: Property[] = [
  { name: 'km2', title: 'Area', type: 'number', source: 'km2' },
  { name: 'state', title: 'State', type: 'text', source: 'state' },
]

function checked(filter: Filter): Filter {
  checkFilter(filter, PROPERTIES)
  return filter
}

type Refusal = { code: string; description: string }

describe('a hostile filter', function () {
  this.timeout(sample(120_000, 1_800_000))

  it('is refused, whatever it is made of, and nothing is charged', async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, 2)
    await credit(db, org, 100)
    const size = { burst: 100_000, perMinute: 100_000 }
    const running = await startService(service().database, {
      buckets: { key: size, organisation: size, insight: size },
    })
    try {
      const { secret } = await mint(running.db, { org })
      for (let i = 0; i < sample(400, 2000); i += 1) {
        const filter = hostileFilter(i)
        const collection = i % 3 === 0 ? 'lyr_market' : 'frames'
        const answer = await ogc(`${running.url}/ogc/collections/${collection}/items?${query({ filter })}`, secret)
        const { code, description } = answer.body as Refusal
        assert.deepEqual([answer.status, code], [400, 'invalid'], `${i}: ${filter.slice(0, 200)}`)
        assert.ok(description.length < 400, `${i}: ${description}`)
      }
      const [spent] = await running.db.rows<{ entries: number }>(
        `select count(*)::int as entries from credit_entry where org_id = $1::text and kind = 'dataset'`,
        [org],
      )
      assert.equal(spent?.entries, 0)
    } finally {
      await running.stop()
    }
  })

  it('of 10,000 levels, or as long as an address, is refused by name', () => {
    for (const filter of largeFilters()) {
      const read = () => {
        compileFilter(checked(parseText(filter)), { properties: PROPERTIES, crs: CRS84, areFrames: true })
      }
      assert.throws(read, (error) => error instanceof ApiError && error.message.length < 400, filter.slice(0, 60))
    }
  })
})

describe('a dataset of another organisation', function () {
  this.timeout(120_000)
  const sent: string[] = []
  let running: Awaited<ReturnType<typeof startService>>
  let stranger: Minted

  before(async () => {
    const size = { burst: 10_000, perMinute: 10_000 }
    const buckets = { key: size, organisation: size, insight: size }
    running = await startService(service().database, { buckets, watch: (text) => void sent.push(text) })
    const owner = await newOrganisation(running.db)
    // It has the shape and the rows of another dataset, and one holder.
    await running.db.rows(
      `insert into dataset (layer_id, org_id, name, category, kind, version, items)
       select 'lyr_hidden', $1::text, 'Hidden wells', category, kind, nextval('dataset_version'), items from dataset where layer_id = 'lyr_population'`,
      [owner],
    )
    await running.db.rows(
      `insert into attribute (layer_id, name, place, label, unit, type, summary) values ('lyr_hidden', 'depth', 1, 'Depth', 'm', 'number', 'mean')`,
      [],
    )
    stranger = await mint(running.db, { org: await newOrganisation(running.db) })
  })
  after(async () => {
    await running.db.rows(`delete from dataset where layer_id = 'lyr_hidden'`, [])
    await running.stop()
  })

  /** The answer without what was asked, and the statements that made it. */
  const asked = async (path: (layer: string) => string, layer: string) => {
    sent.length = 0
    const answer = await ogc(`${running.url}/ogc${path(layer)}`, stranger.secret)
    // Writes of the use of keys come when they come.
    const statements = sent.filter((text) => text.startsWith('-- '))
    return { status: answer.status, text: answer.text.replaceAll(layer, '…'), statements }
  }

  const FILTERS = [
    'depth > 1',
    "depth in (1, 2) or state = 'MAREMBE'",
    'depth is null',
    'not (depth = 3)',
    'S_INTERSECTS(geometry, POLYGON((0 0,1 0,1 1,0 0)))',
  ]
  const PATHS: ((layer: string) => string)[] = [
    (layer) => `/collections/${layer}`,
    (layer) => `/collections/${layer}/queryables`,
    (layer) => `/collections/${layer}/items`,
    (layer) => `/collections/${layer}/items/324378020`,
    (layer) => `/collections/${layer}/items?price=true`,
    ...FILTERS.map((filter) => (layer: string) => `/collections/${layer}/items?${query({ filter })}`),
  ]

  it('is answered as one that does not exist, by the same statements', async () => {
    for (const path of PATHS) {
      const [hidden, absent] = [await asked(path, 'lyr_hidden'), await asked(path, 'lyr_absent')]
      assert.equal(hidden.status, 404, path(''))
      assert.deepEqual(hidden, absent, path(''))
      assert.ok(hidden.statements.length > 0)
    }
  })

  it('lends no name, no count and no row to a filter over what the stranger reads', async () => {
    const { text } = await asked(() => '/collections', 'lyr_hidden')
    assert.ok(!text.includes('Hidden') && !text.includes('…'))
    for (const property of ['depth', 'recorded:depth', 'lyr_hidden.depth', 'Hidden wells'])
      for (const collection of ['frames', 'lyr_population', 'states']) {
        const path = (name: string) => `/collections/${collection}/items?${query({ filter: `"${name}" > 1` })}`
        const [hidden, absent] = [await asked(() => path(property), property), await asked(() => path('zzzz'), 'zzzz')]
        assert.equal(hidden.status, 400)
        assert.deepEqual(hidden.statements, absent.statements)
        assert.ok(!hidden.text.includes('Hidden') && !hidden.text.includes('lyr_hidden'))
      }
  })
})
