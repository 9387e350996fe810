import assert from 'node:assert/strict'
import fc from 'fast-check'
import { totalsOfBox } from '../../src/core/db/statements.js'
import { sampleOfCases } from '../support/sample.js'
import { service } from '../support/service.js'

type Figure = { number: string | null; classes: { class: string; frames: number }[] | null; recorded: number }

describe('the totals of a box', function () {
  this.timeout(600_000)
  let layers: string[]
  before(async () => {
    layers = (
      await service().db.rows<{ layerId: string }>('select layer_id as "layerId" from dataset order by layer_id', [])
    ).map(({ layerId }) => layerId)
  })

  const TOUCHED = `touched as materialized (
      select frame_id, area_km2 from frame
      where ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))
    )`

  /** Adds up every frame that touches the box, and counts every feature on one of them once. */
  const PLAIN = `
    with ${TOUCHED}, cell as (
      select layer_id || ' ' || name as key, summary, type, btrim(baseline.recorded ->> name) as text,
        case when type = 'number' then plain_number(baseline.recorded ->> name) end as number,
        case when weight = 'area' then area_km2 else plain_number(baseline.recorded ->> weight) end as share,
        exists (select from class where class.layer_id = attribute.layer_id and class.name = attribute.name) as is_kept
      from baseline
      join touched using (frame_id)
      join attribute using (layer_id)
    )
    select key,
      case summary
        when 'sum' then sum(number)
        when 'mean' then avg(number)
        when 'weighted_mean' then sum(number * share) filter (where share > 0) / sum(share) filter (where share > 0 and number is not null)
      end::text as number,
      (select json_agg(json_build_object('class', text, 'frames', frames) order by frames desc, text collate "C")
        from (select text, count(*) as frames from cell as other
          where other.key = cell.key and other.summary = 'mode' and other.is_kept and other.text <> '' group by text) as class) as classes,
      (count(*) filter (where case type when 'number' then number is not null else text <> '' end))::int as recorded
    from cell
    group by key, summary
    union all
    select layer_id || ' features', count(distinct feature_no)::text, null, count(distinct frame_id)::int
    from feature_frame
    join dataset using (version)
    join touched using (frame_id)
    group by layer_id`

  async function plainFigures(box: readonly number[]): Promise<Record<string, Figure>> {
    const rows = await service().db.rows<Figure & { key: string }>(PLAIN, box)
    return Object.fromEntries(rows.flatMap(({ key, ...figure }) => (figure.recorded === 0 ? [] : [[key, figure]])))
  }

  /** Sums are exact. Means have two places, or two digits where they are small. */
  function assertNumber(number: string | null, wanted: string | null, summary: string, about: string) {
    if (number === null || wanted === null || summary === 'sum' || summary === 'count') {
      const nothing = summary === 'count' ? '0' : null
      assert.equal(number && Number(number), (wanted ?? nothing) && Number(wanted ?? nothing), about)
      return
    }
    const unit = Math.min(0.01, 10 ** (Math.floor(Math.log10(Math.abs(Number(wanted)) || 1)) - 1))
    assert.ok(Math.abs(Number(number) - Number(wanted)) <= unit / 2 + 1e-9, `${about}: ${number} instead of ${wanted}`)
  }

  it('are those of its frames, in every attribute and feature dataset, wherever it lies', async () => {
    const edge = fc.oneof(
      fc.double({ min: -0.9, max: 0.7, noNaN: true }),
      // The edges of blocks and of frames.
      fc.integer({ min: -9, max: 7 }).map((tenths) => tenths / 10),
      fc.integer({ min: -90, max: 70 }).map((hundredths) => hundredths / 100),
    )
    let whole = 0
    const summaries = new Set<string>()
    await fc.assert(
      fc.asyncProperty(edge, edge, edge, edge, async (one, other, south, north) => {
        const box = [
          Math.min(one, other),
          Math.min(south, north),
          Math.max(one, other),
          Math.max(south, north),
        ] as const
        const rows = await totalsOfBox(service().db, ...box, layers)
        const plain = await plainFigures(box)
        const [counted] = await service().db.rows<{ frames: number; km2: string }>(
          `with ${TOUCHED} select count(*)::int as frames, coalesce(sum(area_km2), 0)::text as km2 from touched`,
          box,
        )
        const [first] = rows
        assert.ok(first && counted)
        assert.equal(first.frames, counted.frames)
        assert.equal(first.inBlocks + first.onRim, counted.frames)
        assert.equal(Number(first.exactKm2), Number(counted.km2))
        assert.ok(Math.abs(Number(first.km2) - Number(counted.km2)) <= 0.005 + 1e-9)
        whole += first.blocks
        for (const row of rows) {
          if (row.layer === null) continue
          const key = `${layers[row.layer - 1]} ${row.attribute}`
          const { number = null, classes = null, recorded = 0 } = plain[key] ?? {}
          assert.equal(row.recorded, recorded, key)
          assert.deepEqual(row.classes, classes, key)
          assertNumber(row.number, number, row.summary, `${key} in ${box.join()}`)
          if (recorded > 0) summaries.add(row.summary)
        }
      }),
      sampleOfCases(14, 600),
    )
    assert.ok(whole > 50, `${whole} blocks lay inside`)
    for (const summary of ['sum', 'mean', 'weighted_mean', 'mode', 'count']) assert.ok(summaries.has(summary), summary)
  })

  it('has one row without a dataset', async () => {
    const rows = await totalsOfBox(service().db, -0.5, -0.5, 0.5, 0.5, [])
    assert.deepEqual(
      rows.map(({ blocks, inBlocks, onRim, frames, layer }) => ({ blocks, inBlocks, onRim, frames, layer })),
      [{ blocks: 64, inBlocks: 6335, onRim: 3843, frames: 10178, layer: null }],
    )
  })
})
