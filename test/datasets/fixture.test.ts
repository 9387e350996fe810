import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { PRESETS } from '../../src/core/access/capabilities.js'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { ledgerFaults } from '../../src/core/db/statements.js'
import { credit, balanceOf } from '../support/datasets.js'
import { ask, bearer, fixture, mint, service, type Minted } from '../support/service.js'

type Manifest = {
  organisations: { name: string }[]
  datasets: {
    layerId: string
    kind: string
    category: string
    org: string
    licences: { to: string; perQuery?: number }[]
    attributes: { name: string }[]
  }[]
}
type Entry = {
  layerId: string
  orgId: string
  kind: string
  values?: Record<string, string>
  features?: unknown[]
  truncated?: true
}
type Data = {
  frames: { id: string; datasets: Entry[] }[]
  charged: string[]
  leftOut: { layerId: string; price: number }[]
}

const { organisations, datasets } = JSON.parse(readFileSync(fixture('data/datasets.json'), 'utf8')) as Manifest

describe('the datasets of the fixture', function () {
  this.timeout(120_000)
  const rows = <Row>(text: string, args: unknown[] = []) => service().db.rows<Row>(text, args)
  let frames: string[]
  /** Each dataset has records on eight of these, at least. */
  let rich: string[]

  before(async () => {
    // Every seventh frame: together they cover towns, coasts and reserves.
    const found = await rows<{ id: string }>(
      'select frame_id::text as id from frame where frame_id % 7 = 0 order by frame_id',
    )
    frames = found.map(({ id }) => id)
    const recorded = await rows<{ id: string }>(
      `select distinct frame_id::text as id from (
        select frame_id, row_number() over (partition by layer_id order by frame_id) as nth from (
          select layer_id, frame_id from baseline
          union select layer_id, frame_id from feature_frame join dataset using (version)
        ) as record
      ) as numbered where nth <= 8`,
    )
    rich = recorded.map(({ id }) => id)
    assert.ok(rich.length > 8 && rich.length <= 100, String(rich.length))
  })

  async function data(key: Minted, ids: readonly string[]): Promise<Data> {
    const answer = await ask(`${service().url}/v1/frames/data?ids=${ids.join()}`, { headers: bearer(key.secret) })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as { data: Data }).data
  }
  const orgIdOf = async (name: string) => (await findOrganisation(service().db.run, name)).orgId

  it('are of every kind, one free, one licensed, two per query, one with over 200 features on a frame', async () => {
    assert.deepEqual([...new Set(datasets.map(({ kind }) => kind))].sort(), ['frames', 'lines', 'points', 'polygons'])
    const priced = datasets.filter(({ licences }) => licences.some(({ perQuery }) => perQuery !== undefined))
    assert.equal(priced.length, 2)
    assert.ok(
      datasets.some(
        ({ licences }) => licences.length > 0 && licences.every(({ to, perQuery }) => to !== 'everyone' && !perQuery),
      ),
    )
    const [most] = await rows<{ frame: string; n: number }>(
      `select frame_id::text as frame, count(*)::int as n from feature_frame join dataset using (version)
      where layer_id = 'lyr_stalls' group by frame_id order by n desc limit 1`,
    )
    assert.ok((most?.n ?? 0) > 200)
    const key = await mint(service().db)
    const [frame] = (await data(key, [most?.frame ?? ''])).frames
    const stalls = frame?.datasets.find(({ layerId }) => layerId === 'lyr_stalls')
    assert.deepEqual([stalls?.features?.length, stalls?.truncated], [200, true])
  })

  it('are the same each time they are made, and plausible: buildings stand where people live, heights change smoothly', async () => {
    const [sum] = await rows<{ people: number; buildings: number }>(
      `select sum((recorded ->> 'pop_demest26')::bigint)::int as people,
        (select sum((recorded ->> 'bld_ct')::bigint)::int from baseline where layer_id = 'lyr_buildings') as buildings
      from baseline where layer_id = 'lyr_population'`,
    )
    assert.equal(sum?.people, 1_522_362)
    const [likeness] = await rows<{ houses: number; heights: number; range: number }>(
      `with told as (
        select frame_id, (recorded ->> 'phy_elevmean')::float8 as height from baseline where layer_id = 'lyr_terrain'
      )
      select
        (select corr((p.recorded ->> 'pop_demest26')::float8, (b.recorded ->> 'bld_ct')::float8)
          from baseline p join baseline b using (frame_id) where p.layer_id = 'lyr_population' and b.layer_id = 'lyr_buildings') as houses,
        (select corr(a.height, b.height) from told a join told b on b.frame_id = a.frame_id + 1) as heights,
        (select max(height) - min(height) from told) as range`,
    )
    assert.ok(
      (likeness?.houses ?? 0) > 0.8 && (likeness?.heights ?? 0) > 0.95 && (likeness?.range ?? 0) > 100,
      JSON.stringify(likeness),
    )
  })

  it('stay within organisation and narrowing: as entries, as charges, and when they are left out', async () => {
    const { db } = service()
    const orgIds = new Map<string, string>()
    for (const { name } of organisations) orgIds.set(name, await orgIdOf(name))
    const stranger = 'a stranger'
    for (const name of [...orgIds.keys(), stranger]) {
      const org = orgIds.get(name) ?? (await mint(db)).orgId
      const mayRead = (layer: (typeof datasets)[number]) =>
        layer.org === name || layer.licences.some(({ to }) => to === name || to === 'everyone')
      const priceOf = (layer: (typeof datasets)[number]) =>
        layer.org === name ? undefined : layer.licences.find(({ to }) => to === name)?.perQuery
      const whole = await mint(db, { org })
      const plain = await mint(db, { org, capabilities: [...PRESETS.analyst] })
      const narrowed = await Promise.all(datasets.map(({ layerId }) => mint(db, { org, datasets: [layerId] })))
      const keys = [
        { key: whole, sees: () => true },
        { key: plain, sees: (layer: (typeof datasets)[number]) => layer.kind === 'frames' },
        ...narrowed.map((key, i) => ({ key, sees: (layer: (typeof datasets)[number]) => layer === datasets[i] })),
      ]
      for (const [place, { key, sees }] of keys.entries()) {
        const batches = [0, 100, 200, 300, 400, 500].map((from) => frames.slice(from, from + 100))
        for (const ids of place < 2 ? batches : [rich]) {
          const answer = await data(key, ids)
          const reachable = new Set(
            datasets.filter((layer) => sees(layer) && mayRead(layer)).map(({ layerId }) => layerId),
          )
          const priced = new Map(
            datasets.flatMap((layer) => (priceOf(layer) === undefined ? [] : [[layer.layerId, priceOf(layer)]])),
          )
          for (const { datasets: entries } of answer.frames) {
            for (const { layerId, kind, values, features } of entries) {
              assert.ok(reachable.has(layerId), `${name} saw ${layerId}`)
              assert.equal(kind === 'frames', values !== undefined)
              assert.equal(kind !== 'frames', features !== undefined)
              assert.ok(!priced.has(layerId) || answer.charged.includes(layerId), `${layerId} was not charged for`)
            }
          }
          for (const layerId of answer.charged) assert.ok(reachable.has(layerId) && priced.has(layerId))
          for (const { layerId, price } of answer.leftOut) {
            assert.ok(reachable.has(layerId))
            assert.equal(price, priced.get(layerId))
          }
        }
      }
    }
    assert.deepEqual([...(await ledgerFaults(db))], [])
  })

  it('give for 100 frames and all datasets the records that SQL finds one by one', async () => {
    const { db } = service()
    const org = await orgIdOf('demo')
    await credit(db, org, 100)
    const key = await mint(db, { org })
    const asked = frames.slice(900, 1000)
    const before = await balanceOf(db, org)
    const answer = await data(key, asked)
    const recorded = await rows<{ frame: string; layer: string; recorded: Record<string, string> }>(
      `select frame_id::text as frame, layer_id as layer, recorded from baseline join dataset using (layer_id)
      where frame_id = any($1::bigint[]) and distance_to is null
      order by array_position($1::bigint[], frame_id), layer_id collate "C"`,
      [asked],
    )
    const sent = answer.frames.flatMap(({ id, datasets: entries }) =>
      entries
        .filter(({ values }) => values)
        .map(({ layerId, values }) => ({ frame: id, layer: layerId, recorded: values })),
    )
    assert.deepEqual(sent, [...recorded])
    const features = await rows<{ layer: string; n: number }>(
      `select layer_id as layer, count(*)::int as n from dataset
      join feature using (version) join frame on frame_id = any($1::bigint[]) and ST_Intersects(feature.geom, frame.geom)
      group by layer_id order by layer_id`,
      [asked],
    )
    for (const { layer, n } of features) {
      const count = answer.frames
        .flatMap(({ datasets: entries }) => entries.filter(({ layerId }) => layerId === layer))
        .reduce((sum, entry) => sum + (entry.features?.length ?? 0), 0)
      assert.equal(count, Math.min(n, 200), layer)
    }
    const prices = datasets.flatMap((layer) =>
      layer.licences.filter(({ to }) => to === 'demo').map(({ perQuery = 0 }) => [layer.layerId, perQuery] as const),
    )
    const cost = prices.filter(([layer]) => answer.charged.includes(layer)).reduce((sum, [, price]) => sum + price, 0)
    assert.equal(await balanceOf(db, org), before - cost)
  })
})
