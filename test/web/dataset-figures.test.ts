import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { cellsOf } from './pages.js'

const byText = (one: readonly unknown[], other: readonly unknown[]) => one.join('|').localeCompare(other.join('|'))

type Row = { frame: string; state: string | null; recorded: Record<string, string | null> }

/** Figures are counted here from the records as they came, one by one. */
describe('the figures on the page of a dataset', function () {
  this.timeout(60_000)
  let visitor: Visitor
  before(async () => {
    visitor = await signIn(service().url, service().db, { orgId: await newOrganisation(service().db) })
  })

  /** A row for each frame of the index, with what a baseline records on it. */
  const framesWith = (layerId: string) =>
    service().db.rows<Row>(
      `select frame.frame_id::text as frame, frame.state, coalesce(baseline.recorded, '{}') as recorded
       from frame left join baseline on baseline.frame_id = frame.frame_id and layer_id = $1::text`,
      [layerId],
    )
  const isRecorded = (value: string | null | undefined) => value !== undefined && value !== null && value.trim() !== ''
  const isNumber = (value: string | null | undefined) => /^[+-]?(\d+(\.\d*)?|\.\d+)$/.test(String(value).trim())
  const english = (value: number) => value.toLocaleString('en', { maximumFractionDigits: 20 })
  const page = async (path: string) => (await visitor.get(`/app/datasets/${path}`)).text
  const numbersOf = (rows: readonly Row[], attribute: string) =>
    rows
      .map(({ recorded }) => recorded[attribute])
      .filter(isNumber)
      .map(Number)

  for (const [layerId, attribute, label] of [
    ['lyr_population', 'pop_demest26', 'Population, 2026 estimate'],
    ['lyr_buildings', 'bld_dens', 'Building density'],
  ] as const)
    it(`are those of ${attribute}: range, nulls, spread and coverage by state`, async () => {
      const rows = await framesWith(layerId)
      const numbers = numbersOf(rows, attribute)
      assert.ok(numbers.length > 1000)
      const low = numbers.reduce((one, other) => Math.min(one, other))
      const high = numbers.reduce((one, other) => Math.max(one, other))
      const text = await page(`${layerId}?attribute=${attribute}`)
      assert.doesNotMatch(text, /NaN|undefined|Infinity|null/)
      const line = cellsOf(text, 'Attributes').find(([name]) => name?.includes(attribute))
      assert.deepEqual(line?.slice(3, 7), [low, high, numbers.length, rows.length - numbers.length].map(english))

      const bins = Array.from({ length: 20 }, () => 0)
      for (const number of numbers) {
        const bin = Math.min(19, Math.floor((20 * (number - low)) / (high - low)))
        bins[bin] = (bins[bin] ?? 0) + 1
      }
      const shown = cellsOf(text, `Frames by ${label}`).map(([, , count = '']) => Number(count.replaceAll(',', '')))
      assert.equal(shown.length, 20)
      // A number on the edge of two ranges may fall on either side: a quotient of floats is not exact.
      for (const [i, count] of shown.entries())
        assert.ok(Math.abs(count - (bins[i] ?? 0)) <= 30, `${shown.join()} ${bins.join()}`)
      assert.equal(
        shown.reduce((sum, count) => sum + count),
        numbers.length,
      )

      const states = new Map<string, { recorded: number; frames: number }>()
      for (const { state, recorded } of rows) {
        if (state === null) continue
        const counts = states.get(state) ?? { recorded: 0, frames: 0 }
        counts.frames += 1
        if (isNumber(recorded[attribute])) counts.recorded += 1
        states.set(state, counts)
      }
      const coverage = cellsOf(text, `Coverage of ${label} by state`)
      assert.deepEqual(
        coverage.map(([state = '', , , counts]) => [state.replaceAll('&#39;', "'"), counts]).toSorted(byText),
        [...states]
          .map(([state, { recorded, frames }]) => [state, `${english(recorded)} of ${english(frames)}`])
          .toSorted(byText),
      )
    })

  it('are those of a category: its values, and how many frames have each', async () => {
    const rows = await framesWith('lyr_urban')
    const counts = new Map<string, number>()
    for (const { recorded } of rows)
      if (isRecorded(recorded['urb_class'])) {
        const value = (recorded['urb_class'] ?? '').trim()
        counts.set(value, (counts.get(value) ?? 0) + 1)
      }
    const text = await page('lyr_urban?attribute=urb_class')
    const shown = cellsOf(text, 'Values of Settlement class').map(([value, , , count]) => [value, count])
    assert.deepEqual(
      shown.toSorted(byText),
      [...counts].map(([value, count]) => [value, english(count)]).toSorted(byText),
    )
    assert.match(text, /commonest value/)
  })

  it('are those of features: frames with any, and their number in each state', async () => {
    const rows = await service().db.rows<{ state: string; frames: number; features: number }>(
      `select state, count(distinct frame_id)::int as frames, count(distinct feature_no)::int as features
       from feature_frame join frame using (frame_id)
       where version = (select version from dataset where layer_id = 'lyr_schools') group by state`,
      [],
    )
    const text = await page('lyr_schools')
    const shown = cellsOf(text, 'Coverage of Features by state').map(([state = '', , , frames = '', total]) => [
      state.replaceAll('&#39;', "'"),
      frames.replace(/ of .*/, ''),
      total,
    ])
    assert.deepEqual(
      shown.toSorted(byText),
      rows.map(({ state, frames, features }) => [state, english(frames), english(features)]).toSorted(byText),
    )
    const [pupils] = cellsOf(text, 'Properties').filter(([name]) => name === 'pupils')
    assert.deepEqual(pupils, ['pupils', 'number', '300'])
  })
})
