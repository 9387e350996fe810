import assert from 'node:assert/strict'
import fc from 'fast-check'
import { totalsOfBox } from '../../src/web/map/statements.js'
import { newDatabase, type TestDatabase } from '../support/database.js'

type Figures = Record<string, { number: string | null; recorded: number }>

describe('a large box', function () {
  this.timeout(240_000)
  let database: TestDatabase
  let layers: string[]
  before(async () => {
    database = await newDatabase('datasets')
    layers = (
      await database.db.rows<{ layerId: string }>('select layer_id as "layerId" from dataset order by layer_id', [])
    ).map(({ layerId }) => layerId)
  })
  after(() => database.drop())

  /** Adds up every frame that touches the box. */
  const PLAIN = `
    with touched as materialized (
      select frame_id from frame where ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))
    ), cell as (
      select layer_id || ' ' || name as key, summary, type, btrim(baseline.recorded ->> name) as text,
        case when type = 'number' then plain_number(baseline.recorded ->> name) end as number
      from baseline
      join touched using (frame_id)
      join attribute using (layer_id)
    )
    select key, case summary when 'sum' then sum(number) when 'mean' then avg(number) end::text as number,
      (count(*) filter (where case type when 'number' then number is not null else text <> '' end))::int as recorded
    from cell
    group by key, summary
    union all
    select layer_id || ' features', null, count(distinct frame_id)::int
    from feature_frame
    join dataset using (version)
    join touched using (frame_id)
    group by layer_id`

  async function plainFigures(box: readonly number[]): Promise<Figures> {
    const rows = await database.db.rows<{ key: string; number: string | null; recorded: number }>(PLAIN, box)
    return Object.fromEntries(rows.flatMap(({ key, ...figure }) => (figure.recorded === 0 ? [] : [[key, figure]])))
  }

  it('adds up by blocks and the frames around them to the plain sum over its frames, wherever it lies', async () => {
    const edge = fc.oneof(
      fc.double({ min: -0.9, max: 0.7, noNaN: true }),
      // The edges of blocks and of frames.
      fc.integer({ min: -9, max: 7 }).map((tenths) => tenths / 10),
      fc.integer({ min: -90, max: 70 }).map((hundredths) => hundredths / 100),
    )
    let whole = 0
    await fc.assert(
      fc.asyncProperty(edge, edge, edge, edge, async (one, other, south, north) => {
        const box = [
          Math.min(one, other),
          Math.min(south, north),
          Math.max(one, other),
          Math.max(south, north),
        ] as const
        const rows = await totalsOfBox(database.db, ...box, layers)
        const plain = await plainFigures(box)
        const [counted] = await database.db.rows<{ frames: number }>(
          `select count(*)::int as frames from frame
           where ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))`,
          box,
        )
        const [first] = rows
        assert.equal((first?.inBlocks ?? 0) + (first?.onRim ?? 0), counted?.frames)
        whole += first?.blocks ?? 0
        for (const row of rows) {
          if (row.layer === null) continue
          const key = `${layers[row.layer - 1]} ${row.attribute}`
          const { number = null, recorded = 0 } = plain[key] ?? {}
          assert.equal(row.recorded, recorded, key)
          if (row.summary === 'sum') assert.equal(Number(row.number), Number(number), key)
          else if (row.summary === 'mean' && number !== null && row.number !== null) {
            // A mean has two places, or two digits where it is small.
            const unit = Math.min(0.01, 10 ** (Math.floor(Math.log10(Math.abs(Number(number)) || 1)) - 1))
            assert.ok(Math.abs(Number(row.number) - Number(number)) <= unit / 2 + 1e-9, key)
          } else assert.equal(row.number, null, key)
        }
      }),
      { numRuns: 60 },
    )
    assert.ok(whole > 100, `${whole} blocks lay inside`)
  })

  it('has one row without a dataset', async () => {
    const rows = await totalsOfBox(database.db, -0.5, -0.5, 0.5, 0.5, [])
    assert.deepEqual(
      rows.map(({ blocks, inBlocks, onRim, layer }) => ({ blocks, inBlocks, onRim, layer })),
      [{ blocks: 64, inBlocks: 6335, onRim: 3843, layer: null }],
    )
  })
})
