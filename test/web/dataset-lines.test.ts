import assert from 'node:assert/strict'
import pg from 'pg'
import { signIn, type Visitor } from '../support/browse.js'
import { analystTarget, urlOf } from '../support/database.js'
import { balanceOf } from '../support/datasets.js'
import { ask, bearer, mint, service } from '../support/service.js'
import { shownText } from './shown-sql.js'

/** Each line runs as the page shows it, with the host in its place. */
describe('the lines on the page of a dataset', function () {
  this.timeout(60_000)
  let visitor: Visitor
  let orgId: string
  before(async () => {
    const [demo] = await service().db.rows<{ orgId: string }>(
      `select org_id as "orgId" from organisation where name = 'demo'`,
      [],
    )
    orgId = demo?.orgId ?? ''
    visitor = await signIn(service().url, service().db, { orgId })
  })

  const LAYERS = ['lyr_population', 'lyr_schools', 'lyr_roads'] as const
  const lineOf = async (layerId: string, id: string) =>
    shownText((await visitor.get(`/app/datasets/${layerId}`)).text, id)
  /** The analyst of this database, as the page writes a login. */
  const login = () => {
    const { hostname, port, pathname } = new URL(urlOf(analystTarget(service().database)))
    return { host: hostname, port: Number(port), database: pathname.slice(1) }
  }
  const asked = async (text: string) => {
    const client = new pg.Client({ ...login(), user: 'frames_analyst' })
    await client.connect()
    return await client.query<Record<string, unknown>>(text).finally(() => client.end())
  }
  const itemsOf = async (layerId: string) => {
    const [row] = await service().db.rows<{ items: number }>(
      'select items::int from dataset where layer_id = $1::text',
      [layerId],
    )
    return row?.items
  }

  it('give QGIS a source of which every row has its key and one type of shape', async () => {
    for (const layerId of LAYERS) {
      const source = await lineOf(layerId, 'qgis-line')
      const [, name, host, port, role, key, type, schema, view, geom] =
        /^dbname='(\w+)' host='(HOST)' port=(\d+) user='(\w+)' key='(\w+)' srid=4326 type=(\w+) table="(\w+)"\."(\w+)" \((\w+)\)$/.exec(
          source,
        ) ?? []
      assert.deepEqual([name, host, port, role], ['frames', 'HOST', '5432', 'frames_analyst'])
      const { rows } = await asked(
        `select count(*)::int as items, count(distinct "${key}")::int as keys,
           count(*) filter (where GeometryType("${geom}") <> upper('${type}'))::int as others, min(ST_SRID("${geom}")) as srid
         from "${schema}"."${view}"`,
      )
      const items = await itemsOf(layerId)
      assert.deepEqual(rows, [{ items, keys: items, others: 0, srid: 4326 }])
    }
  })

  type Data = { frames: { datasets: { layerId: string }[] }[]; charged: string[]; leftOut: { layerId: string }[] }

  it('call the API for a frame on which the dataset records something, and only for the price where it costs', async () => {
    const { secret } = await mint(service().db, { org: orgId })
    const before = await balanceOf(service().db, orgId)
    for (const layerId of [...LAYERS, 'lyr_market', 'lyr_reserves']) {
      const line = await lineOf(layerId, 'curl-line')
      const [, url = ''] = /^curl -H "Authorization: Bearer \$FRAMES_KEY" '([^']+)'$/.exec(line) ?? []
      assert.ok(url.startsWith(`${service().url}/v1/frames/data?ids=`), line)
      const { data } = (await ask(url, { headers: bearer(secret) })).body as { data: Data }
      const isPriced = !LAYERS.some((each) => each === layerId)
      assert.equal(url.includes('price=true'), isPriced)
      const shown = isPriced
        ? [...data.charged, ...data.leftOut.map((each) => each.layerId)]
        : data.frames[0]?.datasets.map((each) => each.layerId)
      assert.deepEqual(shown, [layerId])
    }
    assert.equal(await balanceOf(service().db, orgId), before)
  })
})
