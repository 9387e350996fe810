import assert from 'node:assert/strict'
import { figuresOfBaselines, figuresOfFeatures, figuresOfFrames } from '../../src/db/statements.js'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'

const SETS = sample(150, 1000)

type Attribute = { layer: string; name: string; type: string; weight: string | null }
type Fraction = { over: bigint; under: bigint }

/** Turns decimal text into two whole numbers: exact, and unlike PostgreSQL's own way. */
function fraction(text: string): Fraction | undefined {
  const [, sign, whole = '', rest = '', power = '0'] =
    /^([+-]?)(0|[1-9]\d*)(?:\.(\d+))?(?:[eE]([+-]?\d{1,2}))?$/.exec(text.trim()) ?? []
  if (sign === undefined) return undefined
  const over = BigInt(`${sign === '-' ? '-' : ''}${whole}${rest}`)
  const shift = Number(power) - rest.length
  return shift >= 0 ? { over: over * 10n ** BigInt(shift), under: 1n } : { over, under: 10n ** BigInt(-shift) }
}

const plus = (a: Fraction, b: Fraction): Fraction => ({
  over: a.over * b.under + b.over * a.under,
  under: a.under * b.under,
})
const times = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.over, under: a.under * b.under })
const divided = (a: Fraction, b: Fraction): Fraction => ({ over: a.over * b.under, under: a.under * b.over })
const less = (a: Fraction, b: Fraction) => a.over * b.under < b.over * a.under
const total = (all: Fraction[]) => all.reduce(plus, { over: 0n, under: 1n })

/** Rounds to two decimals, half away from zero, and drops zeros at the end. */
function rounded({ over, under }: Fraction): string {
  const sign = over < 0n !== under < 0n ? '-' : ''
  const [top, bottom] = [over < 0n ? -over : over, under < 0n ? -under : under]
  const hundredths = (top * 200n + bottom) / (bottom * 2n)
  const text = `${hundredths / 100n}.${String(hundredths % 100n).padStart(2, '0')}`.replace(/\.?0+$/, '')
  return text === '0' ? '0' : sign + text
}

function exact({ over, under }: Fraction): string {
  const scale = String(under).length - 1
  const digits = String(over < 0n ? -over : over).padStart(scale + 1, '0')
  const text = scale === 0 ? digits : `${digits.slice(0, -scale)}.${digits.slice(-scale)}`.replace(/\.?0+$/, '')
  return (over < 0n && text !== '0' ? '-' : '') + text
}

describe('figures', function () {
  this.timeout(300_000)
  const rows = <Row>(text: string) => service().db.rows<Row>(text, [])
  let ids: string[]
  let layers: string[]
  let featureLayers: string[]
  let attributes: Attribute[]
  const km2 = new Map<string, Fraction>()
  const units = new Map<string, { state: string; lga: string; ward: string }>()
  const recorded = new Map<string, Record<string, string>>()
  const features = new Map<string, string[]>()

  before(async () => {
    const frames = await rows<{ id: string; km2: string; state: string; lga: string; ward: string }>(
      `select frame_id::text as id, round((ST_Area(geom::geography) / 1e6)::numeric, 6)::text as km2, state, lga, ward from frame order by frame_id`,
    )
    ids = frames.map(({ id }) => id)
    for (const { id, km2: area, ...unit } of frames) {
      km2.set(id, fraction(area) ?? { over: 0n, under: 1n })
      units.set(id, unit)
    }
    const datasets = await rows<{ layer: string; kind: string }>(
      'select layer_id as layer, kind from dataset order by 1',
    )
    layers = datasets.filter(({ kind }) => kind === 'frames').map(({ layer }) => layer)
    featureLayers = datasets.filter(({ kind }) => kind !== 'frames').map(({ layer }) => layer)
    attributes = [...(await rows<Attribute>('select layer_id as layer, name, type, weight from attribute'))]
    for (const row of await rows<{ layer: string; id: string; recorded: Record<string, string> }>(
      'select layer_id as layer, frame_id::text as id, recorded from baseline',
    )) {
      recorded.set(`${row.layer} ${row.id}`, row.recorded)
    }
    for (const row of await rows<{ layer: string; id: string; feature: string }>(
      `select layer_id as layer, frame.frame_id::text as id, feature_id as feature
      from dataset join feature using (version) join frame on ST_Intersects(frame.geom, feature.geom)`,
    )) {
      const key = `${row.layer} ${row.id}`
      features.set(key, [...(features.get(key) ?? []), row.feature])
    }
  })

  function expectedFigures(frameIds: string[], { layer, name, type, weight }: Attribute) {
    const found = frameIds.flatMap((id) => {
      const row = recorded.get(`${layer} ${id}`)
      const value = row?.[name]?.replace(/^ +| +$/g, '')
      return row && value ? [{ id, row, value }] : []
    })
    if (type === 'category') {
      const counts = new Map<string, number>()
      for (const { value } of found) counts.set(value, (counts.get(value) ?? 0) + 1)
      const classes = [...counts].map(([value, frames]) => ({ value, frames }))
      classes.sort((a, b) => b.frames - a.frames || Buffer.compare(Buffer.from(a.value), Buffer.from(b.value)))
      return { frames: found.length, classes }
    }
    const numbers = found.flatMap(({ id, row, value }) => {
      const number = fraction(value)
      const share = weight === 'area' ? km2.get(id) : weight === null ? undefined : fraction(row[weight] ?? '')
      return number ? [{ id, number, share }] : []
    })
    const sum = total(numbers.map(({ number }) => number))
    const weighted = numbers.flatMap(({ number, share }) => (share ? [{ number, share }] : []))
    const weights = total(weighted.map(({ share }) => share))
    const order = [...numbers].sort((a, b) =>
      less(a.number, b.number) ? -1 : less(b.number, a.number) ? 1 : Number(a.id) - Number(b.id),
    )
    const [lowest] = order
    const highest = order.findLast(() => true)
    const first = order.find(({ number }) => highest && !less(number, highest.number))
    return {
      frames: numbers.length,
      odd: found.length - numbers.length,
      sum: numbers.length > 0 ? exact(sum) : null,
      mean: numbers.length > 0 ? rounded(divided(sum, { over: BigInt(numbers.length), under: 1n })) : null,
      weightedMean:
        weight === null || weights.over === 0n
          ? null
          : rounded(divided(total(weighted.map(({ number, share }) => times(number, share))), weights)),
      lowest: lowest ? exact(lowest.number) : null,
      lowestFrame: lowest?.id ?? null,
      highest: first ? exact(first.number) : null,
      highestFrame: first?.id ?? null,
    }
  }

  it(`equal a second computation in whole numbers, for ${SETS} random sets of frames`, async () => {
    const seed = Math.floor(Math.random() * 1e9)
    console.log(`      seed ${seed}`)
    const random = seeded(seed)
    let compared = 0
    for (let set = 0; set < SETS; set += 1) {
      // Half of the sets are frames side by side. Small sets are more frequent.
      const size = 1 + Math.floor(random() ** 2 * 50)
      const from = Math.floor(random() * (ids.length - size))
      const isSideBySide = random() < 0.5
      const frameIds = [
        ...new Set(
          Array.from(
            { length: size },
            (_, i) => ids[isSideBySide ? from + i : Math.floor(random() * ids.length)] ?? '',
          ),
        ),
      ]
      const [[index], found, counted] = await Promise.all([
        figuresOfFrames(service().db, frameIds),
        figuresOfBaselines(service().db, frameIds, layers),
        figuresOfFeatures(service().db, frameIds, featureLayers),
      ])
      assert.equal(index?.frames, frameIds.length)
      assert.equal(
        index?.area,
        rounded(total(frameIds.map((id) => km2.get(id) ?? { over: 0n, under: 1n }))),
        frameIds.join(),
      )
      const wards = new Set(frameIds.map((id) => JSON.stringify(units.get(id))))
      assert.equal(index?.wards?.length, wards.size)
      for (const attribute of attributes) {
        const sql = found.find((each) => layers[each.layer - 1] === attribute.layer && each.name === attribute.name)
        const expected = expectedFigures(frameIds, attribute)
        if (!sql) {
          assert.equal(expected.frames, 0, `${attribute.name} on ${frameIds.join()}`)
          continue
        }
        const { frames, odd, classes, sum, mean, weightedMean, lowest, lowestFrame, highest, highestFrame } = sql
        const figures =
          'classes' in expected
            ? { frames, classes }
            : { frames, odd, sum, mean, weightedMean, lowest, lowestFrame, highest, highestFrame }
        assert.deepEqual(figures, expected, `${attribute.name} on ${frameIds.join()}`)
        compared += 1
      }
      for (const [i, layer] of featureLayers.entries()) {
        const lists = frameIds.flatMap((id) => features.get(`${layer} ${id}`) ?? [])
        const sql = counted.find((each) => each.layer === i + 1)
        assert.deepEqual(
          [sql?.features ?? 0, sql?.frames ?? 0],
          [new Set(lists).size, frameIds.filter((id) => features.has(`${layer} ${id}`)).length],
        )
      }
    }
    assert.ok(compared > SETS * 10)
  })
})
