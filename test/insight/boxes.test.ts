import assert from 'node:assert/strict'
import { datasetsServed, type DatasetRow } from '../../src/db/statements.js'
import { groupThousands } from '../../src/decimal.js'
import type { CatalogueCache } from '../../src/insight/reading/catalogue.js'
import { answerAboutUnit, type UnitAnswer } from '../../src/insight/unit/answer.js'
import type { Corners } from '../../src/insight/unit/statements.js'
import { unaccountedNumbers } from '../../src/insight/verify.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'

type Frame = { id: string; km2: number; values: Record<string, string>; schools: string[] }

/** Two places, or two digits where the number is smaller: a half goes away from zero. */
function rounded(number: number, places = 2): string {
  const most = number === 0 ? places : Math.max(places, 1 - Math.floor(Math.log10(Math.abs(number))))
  const scaled = Math.round(number * 10 ** most * (1 + Number.EPSILON * 4)) / 10 ** most
  return groupThousands(scaled.toFixed(most).replace(/\.?0+$/, ''))
}

const grouped = (number: number) => groupThousands(String(number))
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)

describe('answers about boxes', function () {
  this.timeout(600_000)
  let database: TestDatabase
  let datasets: DatasetRow[]
  const catalogues: CatalogueCache = new Map()
  const everyFrame = new Map<string, Frame>()

  before(async () => {
    database = await newDatabase('datasets')
    const layers = await database.db.rows<{ id: string }>('select layer_id as id from dataset order by layer_id', [])
    datasets = (
      await datasetsServed(
        database.db,
        layers.map(({ id }) => id),
      )
    ).map((row) => ({ ...row, price: row.layerId === 'lyr_market' ? 2 : null }))
    const frames = await database.db.rows<Frame>(
      `select frame_id::text as id, area_km2::float8 as km2,
         coalesce((select json_object_agg(cell.key, btrim(cell.value)) from baseline_row join dataset using (version)
           cross join lateral json_each_text(recorded) as cell
           where baseline_row.frame_id = frame.frame_id and layer_id in ('lyr_population', 'lyr_terrain')
             and btrim(cell.value) <> ''), '{}') as values,
         array(select feature_no::text from feature_frame join dataset using (version)
           where feature_frame.frame_id = frame.frame_id and layer_id = 'lyr_schools') as schools
       from frame`,
      [],
    )
    for (const frame of frames) everyFrame.set(frame.id, frame)
  })
  after(() => database.drop())

  const ask = async (box: Corners, question: string): Promise<UnitAnswer> => {
    const answer = await answerAboutUnit({ reader: database.db, datasets, catalogues, place: { box }, question })
    assert.ok(answer, box.join())
    return answer
  }

  async function framesOf(box: Corners): Promise<Frame[]> {
    const rows = await database.db.rows<{ id: string }>(
      `select frame_id::text as id from frame
       where ST_Intersects(geom, ST_MakeEnvelope($1::float8, $2::float8, $3::float8, $4::float8, 4326))`,
      [...box],
    )
    return rows.flatMap(({ id }) => everyFrame.get(id) ?? [])
  }

  const coverage = (some: readonly Frame[], all: readonly Frame[]) =>
    some.length === all.length ? '' : `, recorded on ${grouped(some.length)} of ${grouped(all.length)} frames`
  const recording = (all: readonly Frame[], name: string) => all.filter(({ values }) => values[name] !== undefined)
  const numbersOf = (some: readonly Frame[], name: string) => some.map(({ values }) => Number(values[name]))

  /** The value that an answer begins with, computed from the frames alone; undefined where there is none. */
  const expected: readonly [question: string, value: (frames: readonly Frame[]) => string | undefined][] = [
    [
      'how many people are there',
      (frames) => {
        const some = recording(frames, 'pop_demest26')
        return `${grouped(sum(numbersOf(some, 'pop_demest26')))} people${coverage(some, frames)}`
      },
    ],
    ['how many schools are there', (frames) => grouped(new Set(frames.flatMap(({ schools }) => schools)).size)],
    [
      'schools per 10,000 people',
      (frames) => {
        const people = sum(numbersOf(recording(frames, 'pop_demest26'), 'pop_demest26'))
        const schools = new Set(frames.flatMap((frame) => frame.schools)).size
        const ratio = rounded((10_000 * schools) / people)
        return `${ratio} ${ratio === '1' ? 'school' : 'schools'} per 10,000 people (`
      },
    ],
    [
      'people per square kilometre',
      (frames) => {
        const some = recording(frames, 'pop_demest26')
        const density = rounded(sum(numbersOf(some, 'pop_demest26')) / sum(some.map(({ km2 }) => km2)))
        return `${density} ${density === '1' ? 'person' : 'people'} per km² (`
      },
    ],
    [
      'what is the highest elevation',
      (frames) => {
        const some = recording(frames, 'phy_elevmean')
        return `${grouped(Math.max(...numbersOf(some, 'phy_elevmean')))} m`
      },
    ],
    [
      'what is the average elevation',
      (frames) => {
        const some = recording(frames, 'phy_elevmean')
        const weighted = sum(some.map(({ km2, values }) => km2 * Number(values['phy_elevmean'])))
        return `${rounded(weighted / sum(some.map(({ km2 }) => km2)))} m${coverage(some, frames)}`
      },
    ],
    [
      'what is the most common land cover',
      (frames) => {
        const some = recording(frames, 'phy_landcov')
        const counts = new Map<string, number>()
        for (const { values } of some)
          counts.set(values['phy_landcov'] ?? '', (counts.get(values['phy_landcov'] ?? '') ?? 0) + 1)
        const most = Math.max(...counts.values())
        const [only, ...tied] = [...counts].flatMap(([name, count]) => (count === most ? [name] : []))
        return tied.length > 0 ? undefined : `${only} (`
      },
    ],
    ['how large is this area', (frames) => `${rounded(sum(frames.map(({ km2 }) => km2)))} km²`],
    ['how many frames are there', (frames) => `${grouped(frames.length)} frames`],
  ]

  it('equal what the frames alone give, in random boxes', async () => {
    const cases = sample(54, 900)
    for (let turn = 0; turn < cases; turn += 1) {
      // Steps without a common factor reach many places and sizes, also the edges of blocks and of frames.
      const [west, south] = [-0.7 + ((turn * 37) % 110) / 100, -0.7 + ((turn * 53) % 100) / 100]
      const [width, height] = [0.06 + ((turn * 29) % 80) / 97, 0.05 + ((turn * 61) % 70) / 89]
      const box: Corners = [west, south, west + width, south + height]
      const [question, valueOf] = expected[turn % expected.length] ?? ['', () => undefined]
      const frames = await framesOf(box)
      if (frames.length <= 50) continue
      const value = valueOf(frames)
      if (value === undefined) continue
      const answer = await ask(box, question)
      const about = `${question} of ${box.join()}: ${answer.headline}`
      assert.ok(answer.isAnswered, about)
      assert.ok(answer.figures[0]?.value.startsWith(value), `${about}\ninstead of ${value}`)
      const facts = { headline: '', facets: answer.figures, frames: answer.frames, frameIds: [] }
      assert.deepEqual(unaccountedNumbers(answer.headline, facts), [], about)
      for (const { source } of answer.figures) {
        assert.equal(source.unit, `the box of ${grouped(frames.length)} frames`, about)
        assert.equal(source.level, 'box')
        assert.ok(source.recorded <= source.frames)
      }
      assert.equal(answer.statements[0]?.name, 'totals_of_box')
    }
  })

  const BOX: Corners = [-0.5, -0.5, 0.5, 0.5]

  it('lead on to questions that are answered with a figure', async () => {
    const { followUps, headline } = await ask(BOX, '')
    assert.equal(headline, 'Totals of 10,178 frames.')
    assert.ok(followUps.length > 0)
    for (const question of followUps) {
      const answer = await ask(BOX, question)
      assert.ok(answer.isAnswered, `${question}: ${answer.headline}`)
      for (const next of answer.followUps) assert.ok((await ask(BOX, next)).isAnswered, next)
    }
  })

  const refused: readonly [question: string, headline: RegExp][] = [
    ['which LGA has the most people', /^Not answered\. A box is not divided into its units: pick a unit, or /],
    ['how many people live in Lakeside', /^Not answered\. A box is not divided into its units: pick a unit, or /],
    ['how many wards are there', /^Not answered\. A box is not divided into its units: pick a unit, or /],
    ['how many shops are there', /costs 2 credits a call and is sold for at most 50 frames: pick a smaller place\./],
    ['how many people live in frames with a school', /^Not answered\. Frames that pass a condition /],
  ]
  for (const [question, headline] of refused)
    it(`say in a sentence why "${question}" has no figure`, async () => {
      const answer = await ask(BOX, question)
      assert.ok(!answer.isAnswered)
      assert.match(answer.headline, headline)
    })

  it('are none without a frame', async () => {
    const asked = { reader: database.db, datasets, catalogues, question: '' }
    assert.equal(await answerAboutUnit({ ...asked, place: { box: [5, 5, 6, 6] } }), undefined)
  })
})
