import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { featuresOfTile } from '../../src/app/tiles/statements.js'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { memberOf, rows, signedIn } from '../web/visitors.js'
import { askTile, featuresOf } from './ask-tile.js'

/** Tiles that together hold a part of the fixture around 0, 0. */
const AROUND = [1022, 1023, 1024, 1025].flatMap((x) => [1021, 1022, 1023, 1024].map((y) => `${x}/${y}`))

describe('the tiles of features', () => {
  let visitor: Visitor
  before(async () => (visitor = await memberOf()))

  async function drawn(who: Visitor) {
    const answers = await Promise.all(AROUND.map((at) => askTile(who, `features/11/${at}`)))
    for (const { status, text } of answers) assert.ok(status === 200 || status === 204, text)
    return answers.flatMap((answer) => featuresOf(answer, 'features'))
  }

  /** The datasets that the organisation reads at no cost have these features here. */
  const stored = (orgId: string) =>
    rows<{ key: string }>(
      `select distinct layer_id || ' ' || feature_no || ' ' || feature_id as key
       from feature join dataset using (version)
       cross join (select tile_box(11, x, y) as box from generate_series(1022, 1025) as x, generate_series(1021, 1024) as y) as tile
       where geom && box and (org_id = $1::text or exists (
         select from licence where licence.layer_id = dataset.layer_id and price is null and (licence.org_id is null or licence.org_id = $1::text)
       ) and not exists (
         select from licence where licence.layer_id = dataset.layer_id and price is not null and licence.org_id = $1::text
       ))`,
      orgId,
    )

  it('hold each feature that the organisation reads at no cost, and no other', async () => {
    const orgId = await newOrganisation(service().db)
    for (const [who, org] of [
      [visitor, (await rows<{ id: string }>(`select org_id as id from organisation where name = 'demo'`))[0]?.id ?? ''],
      [await signedIn({ orgId, role: 'member' }), orgId],
    ] as const) {
      const found = new Set((await drawn(who)).map(({ properties: { dataset, no, id } }) => `${dataset} ${no} ${id}`))
      const wanted = (await stored(org)).map(({ key }) => key)
      assert.ok(wanted.length > 20)
      // A line whose box touches a tile may pass by it.
      assert.deepEqual(
        [...found].filter((key) => !wanted.includes(key)),
        [],
      )
      assert.ok(found.size > 0.9 * wanted.length, `${found.size} of ${wanted.length}`)
      assert.ok(![...found].some((key) => key.startsWith('lyr_reserves')), 'the demo organisation pays for reserves')
    }
  })

  it('are points, lines and polygons, as their dataset is', async () => {
    const orgId = await newOrganisation(service().db)
    await license(service().db.run, 'lyr_reserves', orgId, undefined)
    const kinds = new Map<string, Set<number>>()
    for (const { properties, type } of await drawn(await signedIn({ orgId, role: 'member' }))) {
      const dataset = String(properties['dataset'])
      kinds.set(dataset, (kinds.get(dataset) ?? new Set()).add(type))
    }
    for (const [dataset, type] of [
      ['lyr_schools', 1],
      ['lyr_roads', 2],
      ['lyr_reserves', 3],
    ] as const)
      assert.deepEqual([...(kinds.get(dataset) ?? [])], [type], dataset)
  })

  it('lie where the database has them, to a unit of the tile', async () => {
    const [school] = await rows<{ no: number; x: number; y: number; left: number; top: number }>(
      `with placed as (
         select feature_no as no, (ST_X(geom) + 180) / 360 * 2048 as across, (0.5 - asinh(tand(ST_Y(geom))) / (2 * pi())) * 2048 as down
         from feature join dataset using (version) where layer_id = 'lyr_schools' order by feature_no limit 1
       )
       select no, floor(across)::int as x, floor(down)::int as y, ((across - floor(across)) * 4096)::float8 as left,
         ((down - floor(down)) * 4096)::float8 as top from placed`,
    )
    assert.ok(school)
    const answer = await askTile(visitor, `features/11/${school.x}/${school.y}`)
    const found = featuresOf(answer, 'features').find(
      ({ properties }) => properties['dataset'] === 'lyr_schools' && properties['no'] === school.no,
    )
    const [x = 0, y = 0] = found?.rings[0]?.[0] ?? []
    assert.ok(
      Math.abs(x - school.left) <= 1 && Math.abs(y - school.top) <= 1,
      `${x}, ${y}; ${school.left}, ${school.top}`,
    )
  })

  it('are cut to a number of each dataset, and say so', async () => {
    const layers = ['lyr_schools', 'lyr_roads']
    const [whole, cut, met] = [
      await featuresOfTile(service().db, 8, 127, 127, layers, 500, 10_000),
      await featuresOfTile(service().db, 8, 127, 127, layers, 1, 10_000),
      await featuresOfTile(service().db, 8, 127, 127, layers, 500, 2),
    ]
    const counts = (found: typeof whole) =>
      layers.map((layer) => found.filter(({ dataset }) => dataset === layer).length)
    assert.ok(
      counts(whole).every((count) => count > 1),
      counts(whole).join(),
    )
    assert.deepEqual(counts(cut), [1, 1])
    assert.equal(met.length, 2)
    assert.ok(whole.every((feature) => feature.cut === null))
    assert.ok([...cut, ...met].every((feature) => feature.cut === 1))
  })

  it('exist from zoom 11', async () => {
    const { status, text } = await askTile(visitor, 'features/10/512/511')
    assert.equal(status, 404)
    assert.match(text, /zooms from 11 to 14/)
  })
})
