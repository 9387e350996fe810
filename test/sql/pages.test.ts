import assert from 'node:assert/strict'
import fc from 'fast-check'
import { sampleOfCases } from '../support/sample.js'
import { get, service } from '../support/service.js'

type Unit = { state: string; lga?: string; ward?: string }
type Level = { name: string; columns: (keyof Unit)[]; units: number }
type Page = { ids: string[]; truncated: boolean | undefined; next: string | undefined }

const levels: Level[] = [
  { name: 'state', columns: ['state'], units: 4 },
  { name: 'local government area', columns: ['state', 'lga'], units: 12 },
  { name: 'ward', columns: ['state', 'lga', 'ward'], units: 60 },
]

const unitsOf = ({ columns }: Level) =>
  service().db.rows<Unit & { ids: string[] }>(
    `select ${columns.join(', ')}, array_agg(frame_id::text order by frame_id) as ids
    from frame group by ${columns.join(', ')} order by ${columns.join(', ')}`,
    [],
  )

async function page(unit: Unit, limit: number | undefined, after: string | undefined): Promise<Page> {
  const query = new URLSearchParams(unit)
  if (limit !== undefined) query.set('limit', String(limit))
  if (after !== undefined) query.set('after', after)
  const answer = await get(`/v1/frames?${query.toString()}`)
  assert.equal(answer.status, 200, answer.text)
  const { data } = answer.body as { data: { features: { id: string }[]; truncated?: boolean; next?: string } }
  return { ids: data.features.map(({ id }) => id), truncated: data.truncated, next: data.next }
}

/** Every page is full but the last, which alone has neither `next` nor `truncated`; together they are the ids. */
async function assertPages(unit: Unit, ids: readonly string[], limit: number | undefined): Promise<void> {
  const size = Math.min(limit ?? 5000, 5000)
  let after: string | undefined
  for (let from = 0; from < ids.length; from += size) {
    const expected = ids.slice(from, from + size)
    const last = from + size >= ids.length
    const next = last ? undefined : expected.at(-1)
    assert.deepEqual(
      await page(unit, limit, after),
      { ids: expected, truncated: last ? undefined : true, next },
      `limit ${limit}, the page after ${after}`,
    )
    after = next
  }
}

/** Limits of a number of pages that is not too long to wait for, many of them with the last page exactly full. */
function limitFor(count: number): fc.Arbitrary<number | undefined> {
  const least = Math.max(1, Math.ceil(count / 15))
  const exact = Array.from({ length: count }, (_, i) => i + 1).filter((size) => size >= least && count % size === 0)
  return fc.oneof(
    fc.constantFrom(...exact),
    fc.integer({ min: least, max: Math.min(count + 2, 5000) }),
    fc.constantFrom(undefined, Math.max(1, count - 1), count, count + 1, 5000, 5001, 1_000_000),
  )
}

const fewLimits = new Map([
  ['state', 4],
  ['local government area', 10],
  ['ward', 20],
])

for (const level of levels) {
  describe(`the pages of a ${level.name}`, () => {
    let units: (Unit & { ids: string[] })[]

    const unitAlone = (row: Unit): Unit =>
      Object.fromEntries(level.columns.map((column) => [column, row[column]])) as Unit

    before(async () => {
      units = await unitsOf(level)
      assert.equal(units.length, level.units)
    })

    it('are together its frames in id order, for every unit; a page that holds them all and is full has no `next`', async () => {
      for (const row of units)
        await assertPages(unitAlone(row), row.ids, row.ids.length > 5000 ? undefined : row.ids.length)
    })

    it('are together its frames in id order, whatever the limit; the last has no `next`, also when it is full', async () => {
      const asked = fc.constantFrom(...units).chain((row) => fc.tuple(fc.constant(row), limitFor(row.ids.length)))
      const property = fc.asyncProperty(asked, ([row, limit]) => assertPages(unitAlone(row), row.ids, limit))
      await fc.assert(property, sampleOfCases(fewLimits.get(level.name) ?? 0, 100))
    })

    it('go on after any frame id, known or not, of the unit or not', async () => {
      const near = fc.constantFrom(-1n, 0n, 1n)
      const asked = fc.constantFrom(...units).chain((row) =>
        fc.tuple(
          fc.constant(row),
          fc.oneof(
            fc.tuple(fc.constantFrom(...row.ids), near).map(([id, step]) => BigInt(id) + step),
            fc.bigInt({ min: 0n, max: 2n ** 63n - 1n }),
          ),
        ),
      )
      const property = fc.asyncProperty(asked, async ([row, after]) => {
        const rest = row.ids.filter((id) => BigInt(id) > after)
        const { ids, next } = await page(unitAlone(row), 50, String(after))
        assert.deepEqual(ids, rest.slice(0, 50))
        assert.equal(next, rest.length > 50 ? rest[49] : undefined)
      })
      await fc.assert(property, sampleOfCases(10, 100))
    })
  })
}

describe('the pages of the smallest ward', () => {
  it('may hold one frame each', async () => {
    const [state, lga, ward] = await Promise.all(levels.map(unitsOf))
    assert.ok(state && lga && ward)
    const smallest = ward.sort((one, other) => one.ids.length - other.ids.length)[0]
    assert.ok(smallest)
    const { ids, ...unit } = smallest
    await assertPages(unit, ids, 1)
  })
})
