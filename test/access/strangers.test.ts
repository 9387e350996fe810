/** A dataset that a key may not read is, at every door, as one that does not exist. */
import assert from 'node:assert/strict'
import { send } from '../calls/call-rows.js'
import { mint, newOrganisation, service, startService, type Minted } from '../support/service.js'

const SHAPE = 'POLYGON((0 0,1 0,1 1,0 0))'
const FILTERS = [
  'depth > 1',
  `depth in (1, 2) or state = 'X'`,
  'depth is null',
  'not (depth = 3)',
  `S_INTERSECTS(geometry, ${SHAPE})`,
]
/** LAYER stands for the dataset. */
const CALLS: readonly string[] = [
  ...['', '/queryables', '/items', '/items/324378020', '/items?price=true'].map(
    (path) => `GET /ogc/collections/LAYER${path}`,
  ),
  ...FILTERS.map((filter) => `GET /ogc/collections/LAYER/items?filter=${encodeURIComponent(filter)}`),
  ...['"depth" > 1', '"recorded:depth" > 1', '"LAYER.depth" > 1', '"LAYER" > 1'].map((filter) => `FILTER ${filter}`),
  ...['datasets=LAYER', 'datasets=LAYER&price=true'].map((asked) => `GET /v1/frames/data?ids=324378020&${asked}`),
  'TOOL records {"ids":"324378020","datasets":"LAYER"}',
  ...['parquet', 'gpkg', 'csv', 'attributes.json', 'zip'].map((form) => `GET /files/LAYER.${form}`),
]
/** What these say of datasets has none that the key may not read. */
const LISTS = [
  'GET /ogc/collections',
  'GET /files',
  'GET /v1/frames/data?ids=324378020',
  'TOOL datasets {}',
  'TOOL totals {"state":"marembe"}',
]

describe('a dataset of another organisation', function () {
  this.timeout(60_000)
  const sent: string[] = []
  let running: Awaited<ReturnType<typeof startService>>
  let stranger: Minted

  before(async () => {
    running = await startService(service().database, { watch: (text) => void sent.push(text) })
    const { db } = running
    // It has the shape and the rows of another dataset, and one holder.
    await db.rows(
      `insert into dataset (layer_id, org_id, name, category, kind, version, items)
       select 'lyr_hidden', $1::text, 'Hidden wells', category, kind, nextval('dataset_version'), items from dataset where layer_id = 'lyr_population'`,
      [await newOrganisation(db)],
    )
    await db.rows(
      `insert into baseline_row (version, frame_id, recorded)
       select hidden.version, frame_id, '{"depth": 7}' from dataset as hidden, frame where layer_id = 'lyr_hidden' and frame_id = 324378020`,
      [],
    )
    await db.rows(
      `insert into attribute (layer_id, name, place, label, unit, type, summary) values ('lyr_hidden', 'depth', 1, 'Depth', 'm', 'number', 'mean')`,
      [],
    )
    stranger = await mint(db, { org: await newOrganisation(db) })
  })
  after(async () => {
    await running.db.rows(
      `with gone as (delete from dataset where layer_id = 'lyr_hidden' returning version)
       delete from baseline_row where version in (select version from gone)`,
      [],
    )
    await running.stop()
  })

  /** The answer without what was asked, and the statements that made it. */
  async function answerTo(call: string, layer: string) {
    sent.length = 0
    const { status, text } = await send(call.replace('LAYER', layer), { url: running.url, secret: stranger.secret })
    // Writes of the use of keys come when they come.
    return { status, text: text.replaceAll(layer, 'LAYER'), statements: sent.filter((each) => each.startsWith('-- ')) }
  }

  for (const call of CALLS)
    it(`is answered as one that does not exist, by the same statements: ${call}`, async () => {
      const [hidden, absent] = [await answerTo(call, 'lyr_hidden'), await answerTo(call, 'lyr_absent')]
      if (/\/(ogc|files)\//.test(call)) assert.equal(hidden.status, 404)
      if (call.startsWith('FILTER')) assert.equal(hidden.status, 400)
      assert.deepEqual(hidden, absent)
      assert.ok(hidden.statements.length > 0 && !hidden.text.includes('Hidden'))
    })

  for (const call of LISTS)
    it(`is in no list, by no name, and no value of it comes: ${call}`, async () => {
      const { status, text } = await answerTo(call, 'lyr_hidden')
      assert.equal(status, 200)
      assert.doesNotMatch(text, /Hidden|LAYER|depth/)
    })
})
