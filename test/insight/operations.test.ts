import assert from 'node:assert/strict'
import type { DatasetRow } from '../../src/core/db/rows.js'
import type { Facet } from '../../src/core/figures/facets.js'
import { setOfIds, setOfPlace } from '../../src/core/figures/frame-set.js'
import type { Place } from '../../src/core/place.js'
import { computeFigure } from '../../src/core/figures/compute.js'
import { readsOf } from '../../src/core/figures/reads.js'
import { figureOfSource } from '../../src/core/insight/replay.js'
import type { Ask, Condition, Operation } from '../../src/core/insight/reading/reading.js'
import type { Subject } from '../../src/core/figures/subject.js'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'
import { numbersOf } from './recomputed.js'
import {
  clinics,
  computeAsk,
  conditions,
  datasetsOf,
  elevation,
  operations,
  people,
  RURAL,
  sampledFigures,
  schools,
  shareIn,
  STATISTICS,
  urban,
} from './sampled-figures.js'

const FIGURES = sample(60, 5000)

describe('what an ask asks for', function () {
  this.timeout(600_000)
  let datasets: DatasetRow[]
  let near: string[]

  before(async () => {
    const { db } = service()
    datasets = await datasetsOf(db)
    const found = await db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id', [])
    near = found.map(({ id }) => id)
  })

  const answerOf = (frameIds: readonly string[], ask: Ask) => computeAsk(service().db, frameIds, ask, datasets)
  const only = (subject: Subject, operation: Operation, ...where: Condition[]): Ask => ({ subject, operation, where })
  const idsIn = async (place: Place) => {
    const { frames } = setOfPlace(place, 0)
    const found = await service().db.rows<{ id: string }>('select unnest(frame_set($1::text[]))::text as id', [frames])
    return found.map(({ id }) => id)
  }
  const texts = (facets: readonly Facet[]) => facets.map(({ label, value }) => `${label}: ${value}`)

  it(`equals ${FIGURES} figures that other SQL computes from the sources alone`, async function () {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`      seed ${seed}`)
    const statistics = new Map<string, number>()
    const isComplete = () => STATISTICS.every((each) => statistics.has(each))
    let done = 0
    for await (const { statistic, what, given, computed } of sampledFigures(service().db, seeded(seed))) {
      assert.deepEqual(given, computed, what)
      statistics.set(statistic, (statistics.get(statistic) ?? 0) + 1)
      done += 1
      if (done >= FIGURES && isComplete()) break
    }
  })

  it('computes each figure again from its source alone', async () => {
    const frameIds = near.slice(4000, 4030)
    const isRare = (op: string) => operations.filter(([, other]) => other.op === op).length < 7
    const tried = operations.filter(([, { op }], at) => isRare(op) || at % sample(6, 1) === 0)
    for (const [subject, operation] of tried) {
      const { facets } = await answerOf(frameIds, only(subject, operation, conditions[10] as Condition))
      for (const facet of facets) {
        const figure = figureOfSource(JSON.parse(JSON.stringify(facet.source)) as Facet['source'])
        assert.ok(figure)
        assert.deepEqual(await computeFigure(readsOf(service().db, datasets), setOfIds(frameIds), figure), facet)
      }
    }
  })

  const ids = ['322074005', '322074006', '324341985', '324377986', '324774030', '324378020']

  for (const [what, ask] of [
    ['the ratio of an average', only(elevation, { op: 'per', other: schools })],
    ['the density of an average', only(elevation, { op: 'per_km2' })],
    ['the median of a category', only(urban, { op: 'median' })],
    ['the length of points', only(schools, { op: 'extent' })],
  ] as const) {
    it(`does not answer ${what}`, async () => assert.equal((await answerOf(ids, ask)).isAnswered, false))
  }

  it('takes a share of those in a place, where a condition names it, for ids, units and boxes', async () => {
    const { db } = service()
    const inPlace: Condition = {
      subject: { kind: 'index', figure: 'lga' },
      test: { test: 'class', value: 'MERIDIAN BAY' },
    }
    const box: Place = { box: [-0.2, -0.5, 0.3, 0.1] }
    for (const place of [undefined, box, { unit: [] }, { unit: ['CÔTE ÉVORA'] }] as const) {
      const all: string[] = (await idsIn(place ?? box)).filter((_, i) => place !== undefined || i % 40 === 0)
      const set = place ? setOfPlace(place, all.length) : setOfIds(all)
      const own: Condition = { subject: urban, test: { test: 'class', value: 'Rural' } }
      const [, ofRural] = shareIn(RURAL, people, { by: { level: 'ward' } })
      const asks: [Operation, Condition[]][] = [
        [{ op: 'portion' }, [own, inPlace]],
        [{ op: 'portion' }, [inPlace]],
        [ofRural, [inPlace]],
      ]
      for (const [operation, where] of asks) {
        const { facets } = await computeAsk(db, set, only(people, operation, ...where), datasets)
        const shares = facets.filter(
          ({ source: { statistic, of, figure } }) =>
            statistic === 'portion' || of === 'portion' || figure?.op === 'percent',
        )
        assert.ok(shares.length > 0)
        for (const { label, value, source } of shares) {
          const given = value.replaceAll(',', '').match(/\d+(?:\.\d+)?/g)
          assert.deepEqual(given, await numbersOf((text) => db.rows(text, []), all, source), `${label}: ${value}`)
        }
      }
    }
  })

  it('counts the wards of a place in a share of nothing, though the condition leaves one of them', async () => {
    const box: Place = { box: [-0.355, -0.4, -0.181, -0.25] }
    const high = { of: 'lyr_terrain', name: 'phy_elevmean', atLeast: '100', below: '400.5' }
    const [, share] = shareIn(high, clinics, { by: { level: 'ward' }, having: { above: '33' } })
    const { facets } = await answerOf(await idsIn(box), only(clinics, share))
    assert.ok(
      facets.some(({ value }) => value.startsWith('0 of 4 wards')),
      JSON.stringify(texts(facets)),
    )
  })

  it('divides by no zero', async () => {
    const { facets, isAnswered } = await answerOf(ids.slice(0, 1), only(people, { op: 'per', other: clinics }))
    assert.equal(texts(facets)[0], 'Population, 2026 estimate, per clinic: not defined (10,782 people, 0 clinics)')
    assert.ok(isAnswered)
  })
})
