/** Answers about whole units, boxes and shapes equal what their frames alone give. */
import assert from 'node:assert/strict'
import type { DatasetRow } from '../../src/core/db/rows.js'
import { defined } from '../../src/core/defined.js'
import { datasetsServed } from '../../src/core/db/statements.js'
import { groupThousands } from '../../src/core/decimal.js'
import { emptyCatalogues } from '../../src/core/insight/reading/catalogue.js'
import { billWithoutCharge } from '../../src/core/credits/charging.js'
import { answerQuestion, type InsightAnswer, type InsightCall } from '../../src/core/insight/answer.js'
import type { Corners, Place } from '../../src/core/place.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { unaccountedNumbers } from '../../src/core/insight/verify/verify.js'
import { placeName } from '../../src/core/place-name.js'
import { sample } from '../support/sample.js'
import { labelsOf } from './ask.js'
import { service } from '../support/service.js'

const SOLD = 'lyr_market'
const LEVELS = ['state', 'LGA', 'ward'] as const

type Frame = { id: string; names: string[]; km2: number; values: Record<string, string>; schools: string[] }

/** Two places, or two digits where the number is smaller: a half goes away from zero. */
function rounded(number: number, places = 2): string {
  const most = number === 0 ? places : Math.max(places, 1 - Math.floor(Math.log10(Math.abs(number))))
  const scaled = Math.round(number * 10 ** most * (1 + Number.EPSILON * 4)) / 10 ** most
  return groupThousands(scaled.toFixed(most).replace(/\.?0+$/, ''))
}

const grouped = (number: number) => groupThousands(String(number))
const sum = (numbers: readonly number[]) => numbers.reduce((total, number) => total + number, 0)
const counted = (number: string, one: string, many: string) => `${number} ${number === '1' ? one : many}`
const recording = (all: readonly Frame[], name: string) => all.filter(({ values }) => values[name] !== undefined)
const numbersOf = (some: readonly Frame[], name: string) => some.map(({ values }) => Number(values[name]))
const boxText = ([west, south, east, north]: Corners) =>
  `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`
const schoolsOf = (frames: readonly Frame[]) => new Set(frames.flatMap(({ schools }) => schools)).size

/** A question of a place, and the value that its answer begins with; undefined where there is none. */
const expected: readonly [question: string, value: (frames: readonly Frame[]) => string | undefined][] = [
  [
    'how many people are there',
    (frames) => {
      const some = recording(frames, 'pop_demest26')
      return counted(grouped(sum(numbersOf(some, 'pop_demest26'))), 'person', 'people')
    },
  ],
  ['how many schools are there', (frames) => grouped(schoolsOf(frames))],
  [
    'schools per 10,000 people',
    (frames) => {
      const some = recording(frames, 'pop_demest26')
      const people = sum(numbersOf(some, 'pop_demest26'))
      if (people === 0) return undefined
      return `${counted(rounded((10_000 * schoolsOf(some)) / people), 'school', 'schools')} per 10,000 people (`
    },
  ],
  [
    'people per square kilometre',
    (frames) => {
      const some = recording(frames, 'pop_demest26')
      const density = sum(numbersOf(some, 'pop_demest26')) / sum(some.map(({ km2 }) => km2))
      return `${counted(rounded(density), 'person', 'people')} per km² (`
    },
  ],
  [
    'what is the highest elevation',
    (frames) => `${grouped(Math.max(...numbersOf(recording(frames, 'phy_elevmean'), 'phy_elevmean')))} m`,
  ],
  [
    'what is the average elevation',
    (frames) => {
      const some = recording(frames, 'phy_elevmean')
      const weighted = sum(some.map(({ km2, values }) => km2 * Number(values['phy_elevmean'])))
      return `${rounded(weighted / sum(some.map(({ km2 }) => km2)))} m`
    },
  ],
  [
    'what is the most common land cover',
    (frames) => {
      const counts = new Map<string, number>()
      for (const { values } of recording(frames, 'phy_landcov'))
        counts.set(values['phy_landcov'] ?? '', (counts.get(values['phy_landcov'] ?? '') ?? 0) + 1)
      const most = Math.max(...counts.values())
      const [only, ...tied] = [...counts].flatMap(([name, count]) => (count === most ? [name] : []))
      return tied.length > 0 ? undefined : `${only} (`
    },
  ],
  ['how large is this area', (frames) => `${rounded(sum(frames.map(({ km2 }) => km2)))} km²`],
  ['how many frames are there', (frames) => `${grouped(frames.length)} frames`],
]

describe('an answer about a unit, a box or a shape', function () {
  this.timeout(600_000)
  let datasets: DatasetRow[]
  let frames: Frame[]
  let paths: string[][]
  const catalogues = emptyCatalogues()

  before(async () => {
    const { rows } = service().db
    const layers = await rows<{ id: string }>('select layer_id as id from dataset order by layer_id', [])
    datasets = (
      await datasetsServed(
        service().db,
        layers.map(({ id }) => id),
      )
    ).map((row) => ({ ...row, price: row.layerId === SOLD ? 2 : null }))
    frames = await rows<Frame>(
      `select frame_id::text as id, area_km2::float8 as km2, array_remove(array[state, lga, ward], null) as names,
         coalesce((select json_object_agg(cell.key, btrim(cell.value)) from baseline_row join dataset using (version)
           cross join lateral json_each_text(recorded) as cell
           where baseline_row.frame_id = frame.frame_id and layer_id in ('lyr_population', 'lyr_terrain')
             and btrim(cell.value) <> ''), '{}') as values,
         array(select feature_no::text from feature_frame join dataset using (version)
           where feature_frame.frame_id = frame.frame_id and layer_id = 'lyr_schools') as schools
       from frame order by frame_id`,
      [],
    )
    const keys = frames.flatMap(({ names }) => names.map((_, i) => JSON.stringify(names.slice(0, i + 1))))
    paths = [[], ...[...new Set(keys)].sort().map((key) => JSON.parse(key) as string[])]
  })

  const ask = async (place: Place, question: string): Promise<InsightAnswer> => {
    const call: InsightCall = {
      reader: service().db,
      datasets,
      catalogues,
      caller: { orgId: 'org_x', keyId: 'key_x', plan: 'pro', deadline: undefined },
      requestId: 'x',
      hangUp: new AbortController().signal,
      ledger: { db: service().db } as InsightCall['ledger'],
      wording: undefined,
      onOutcome: () => {},
      onPlanned: () => {},
      charge: billWithoutCharge,
    }
    const answer = await answerQuestion(call, { place, question: question || undefined, format: 'figures' })
    assert.ok(answer, JSON.stringify(place))
    return answer
  }
  const framesIn = (path: readonly string[]) => frames.filter(({ names }) => path.every((name, i) => names[i] === name))
  async function framesOf(wkt: string): Promise<Frame[]> {
    const rows = await service().db.rows<{ id: string }>(
      `select frame_id::text as id from frame where ST_Intersects(geom, ST_GeomFromText($1::text, 4326))`,
      [wkt],
    )
    const ids = new Set(rows.map(({ id }) => id))
    return frames.filter(({ id }) => ids.has(id))
  }

  async function assertBegins(place: Place, question: string, value: string): Promise<InsightAnswer> {
    const answer = await ask(place, question)
    const about = `${question} of ${JSON.stringify(place)}: ${answer.headline}`
    assert.equal(answer.confidence, 'exact', about)
    assert.ok(answer.facets[0]?.value.startsWith(value), `${about}\ninstead of ${value}: ${answer.facets[0]?.value}`)
    const facets = answer.facets.map((facet, i) => ({ ...facet, ...defined({ source: answer.sources[i] }) }))
    const facts = { headlineFigures: '', facets, frames: answer.frames ?? 0, frameIds: [] }
    assert.deepEqual(unaccountedNumbers(answer.headline, facts), [], about)
    const { shown: _shown, ...saved } = answer
    assert.deepEqual(await replay(service().db, JSON.parse(JSON.stringify(saved)) as SavedAnswer), [], about)
    for (const { frames: recorded } of answer.sources) assert.ok(recorded <= (answer.frames ?? 0), about)
    return answer
  }

  it('equals what the frames alone give, in random units', async () => {
    let asked = 0
    // Steps without a common factor with the lengths of the lists reach every combination.
    for (let turn = 0; asked < sample(36, 1200); turn += 1) {
      const path = paths[(turn * 31) % paths.length] ?? []
      const [question, valueOf] = expected[turn % expected.length] ?? ['', () => undefined]
      const some = framesIn(path)
      if (recording(some, 'pop_demest26').length === 0 || recording(some, 'phy_elevmean').length === 0) continue
      const value = valueOf(some)
      if (value === undefined) continue
      asked += 1
      await assertBegins({ unit: path }, question, value)
    }
  })

  it('equals what the frames alone give, in random boxes', async () => {
    for (let turn = 0; turn < sample(18, 900); turn += 1) {
      const [west, south] = [-0.7 + ((turn * 37) % 110) / 100, -0.7 + ((turn * 53) % 100) / 100]
      const [width, height] = [0.06 + ((turn * 29) % 80) / 97, 0.05 + ((turn * 61) % 70) / 89]
      const box: Corners = [west, south, west + width, south + height]
      const [question, valueOf] = expected[turn % expected.length] ?? ['', () => undefined]
      const some = await framesOf(boxText(box))
      const value = some.length > 50 ? valueOf(some) : undefined
      if (value === undefined) continue
      const { shown, frames: count } = await assertBegins({ box }, question, value)
      assert.equal(count, some.length)
      assert.equal(shown.statements[0]?.name, 'profile')
    }
  })

  it('equals what the frames alone give, in random shapes', async () => {
    for (let turn = 0; turn < sample(18, 900); turn += 1) {
      const [x, y, size] = [-0.5 + ((turn * 37) % 80) / 100, -0.5 + ((turn * 53) % 80) / 100, 0.1 + (turn % 7) / 14]
      const corners = Array.from({ length: 5 + (turn % 30) }, (_, i) => {
        const [angle, radius] = [
          (2 * Math.PI * i) / (5 + (turn % 30)),
          size * (0.5 + ((turn * 29 + i * 17) % 50) / 100),
        ]
        return `${(x + radius * Math.cos(angle)).toFixed(7)} ${(y + radius * Math.sin(angle)).toFixed(7)}`
      })
      const shape = `POLYGON((${[...corners, corners[0]].join(',')}))`
      const [question, valueOf] = expected[turn % expected.length] ?? ['', () => undefined]
      const some = await framesOf(shape)
      const value = some.length > 50 ? valueOf(some) : undefined
      if (value === undefined) continue
      const { shown, frames: count } = await assertBegins({ shape }, question, value)
      assert.equal(count, some.length)
      assert.equal(shown.statements[0]?.name, 'profile')
    }
  })

  it('names the part of a unit that has most or fewest, and the share of a part', async () => {
    const peopleOf = (path: readonly string[]) => recording(framesIn(path), 'pop_demest26')
    const totalOf = (path: readonly string[]) => sum(numbersOf(peopleOf(path), 'pop_demest26'))
    const partsOf = (path: readonly string[]) =>
      paths.filter((other) => other.length === path.length + 1 && path.every((name, i) => other[i] === name))
    for (const path of paths.filter((each, i) => each.length < 3 && i % sample(14, 1) === 0)) {
      const parts = partsOf(path).filter((part) => peopleOf(part).length > 0)
      const level = LEVELS[path.length]
      for (const [end, best] of [
        ['most', Math.max(...parts.map(totalOf))],
        ['fewest', Math.min(...parts.map(totalOf))],
      ] as const) {
        const [only, ...tied] = parts.filter((part) => totalOf(part) === best)
        if (only === undefined) continue
        const where = tied.length > 0 ? ' in ' : ` in ${placeName(only.at(-1) ?? '')}`
        await assertBegins(
          { unit: path },
          `Which ${level} has the ${end} people?`,
          counted(grouped(best), 'person', 'people') + where,
        )
      }
      const part = parts[0]
      const isOnlyOne = paths.filter((other) => other.at(-1) === part?.at(-1)).length === 1
      if (part === undefined || part.length > 2 || !isOnlyOne || totalOf(path) === 0) continue
      const percent = rounded((100 * totalOf(part)) / totalOf(path), 1)
      await assertBegins({ unit: path }, `What share of the people are in ${part.at(-1)} ${level}?`, `${percent} % (`)
    }
  })

  it('names the parts of a unit that share the last place, and counts all but the first of more than three', async () => {
    const counts = new Set<number>()
    for (const path of paths.filter(({ length }) => length === 1)) {
      for (const depth of [2, 3]) {
        const parts = paths
          .filter((other) => other.length === depth && other[0] === path[0])
          .map((part) => ({
            part: part.join('\0'),
            name: placeName(part.at(-1) ?? ''),
            schools: schoolsOf(framesIn(part)),
          }))
          .toSorted((a, b) => Buffer.compare(Buffer.from(a.part), Buffer.from(b.part)))
        const fewest = Math.min(...parts.map(({ schools }) => schools))
        const names = parts.filter(({ schools }) => schools === fewest).map(({ name }) => name)
        counts.add(names.length)
        const listed = names.join(', ').replace(/, ([^,]*)$/, ' and $1')
        const where = names.length > 3 ? `${names[0]} and ${names.length - 1} others` : listed
        const value = `${counted(grouped(fewest), 'school', 'schools')} in ${where}`
        await assertBegins({ unit: path }, `Which ${LEVELS[depth - 1]} has the fewest schools?`, value)
      }
    }
    assert.ok([2, 3].some((count) => counts.has(count)) && Math.max(...counts) > 3, [...counts].join())
  })

  it('ranks the parts of a unit by a rate', async () => {
    for (const path of paths.filter(({ length }) => length < 2)) {
      const parts = paths.filter(
        (other) => other.length === path.length + 1 && path.every((name, i) => other[i] === name),
      )
      const rates = parts.map((part) => {
        const people = sum(numbersOf(recording(framesIn(part), 'pop_demest26'), 'pop_demest26'))
        return {
          name: placeName(part.at(-1) ?? ''),
          rate: people === 0 ? -1 : (10_000 * schoolsOf(framesIn(part))) / people,
        }
      })
      const [first, second] = rates.toSorted((a, b) => b.rate - a.rate)
      if (!first || first.rate === second?.rate) continue
      const value = `${counted(rounded(first.rate), 'school', 'schools')} per 10,000 people in ${first.name}`
      await assertBegins({ unit: path }, `Which ${LEVELS[path.length]} has the most schools per 10,000 people?`, value)
    }
  })

  const BOX: Place = { box: [-0.5, -0.5, 0.5, 0.5] }

  it('leads on to questions that are answered with a figure', async () => {
    assert.equal((await ask(BOX, '')).headline, 'Profile of 10,178 frames.')
    for (const place of [BOX, ...paths.filter((_, i) => i % sample(150, 1) === 0).map((path) => ({ unit: path }))]) {
      const { followUps } = await ask(place, '')
      assert.ok(followUps.length > 0, JSON.stringify(place))
      for (const question of followUps) {
        const answer = await ask(place, question)
        assert.equal(answer.confidence, 'exact', `${question}: ${answer.headline}`)
        assert.ok(!answer.followUps.includes(question))
        for (const next of answer.followUps) assert.equal((await ask(place, next)).confidence, 'exact', next)
      }
    }
  })

  const MAREMBE: Place = { unit: ['MAREMBE'] }
  const answered: readonly [question: string, place: Place, headline: RegExp][] = [
    [
      'more people in Alder Hills or Lakeside',
      MAREMBE,
      /^Population, 2026 estimate, total, in Alder Hills: [\d,]+ people[^;]*; .* in Lakeside: [\d,]+ people/,
    ],
    ['which LGA is the most densely populated', MAREMBE, /per km², by LGA, highest: [\d.,]+ people per km² in /],
    [
      'which LGA has the most clinics per 10,000 people',
      MAREMBE,
      /^Clinics, per 10,000 people, by LGA, highest: [\d.]+ clinics per 10,000 people in /,
    ],
    ['buildings per person by LGA', MAREMBE, /^Buildings, total, per person, by LGA: .+ \(0\.\d+ buildings per person/],
    ['which wards have no clinic', MAREMBE, /wards that have none: \d+ of \d+ wards: /],
    ['how long are the roads', MAREMBE, /^Main roads, length inside the frames: [\d.,]+ km\.$/],
    ['how many people live in frames with a school', MAREMBE, /on frames with Schools: [\d,]+ people/],
    ['which LGA has the most people', BOX, /total, by LGA, highest: [\d,]+ people in /],
    ['how many people live in Lakeside', { unit: [] }, /total, in Lakeside \(Marembe\): /],
  ]
  for (const [question, place, headline] of answered)
    it(`has a figure for "${question}" in ${'box' in place ? 'a box' : 'a unit'}`, async () => {
      const answer = await ask(place, question)
      assert.equal(answer.confidence, 'exact', answer.headline)
      assert.match(labelsOf(answer), headline)
    })

  it('never counts frames as features', async () => {
    for (const question of [
      'Which frames have boarding schools?',
      'how many frames have primary schools',
      'Which frames have covered stalls?',
      'frames with paved roads',
      'how many boarding schools',
      'pupils by land cover',
    ])
      for (const place of [{ unit: [] }, MAREMBE]) {
        const answer = await ask(place, question)
        const { headline, confidence, facets } = answer
        assert.equal(confidence, 'exact', headline)
        for (const [text, of = '', things = ''] of labelsOf(answer).matchAll(
          /\d of ([\d,]+) ([\p{L} ]+?)(?: record it|[,:;(])/gu,
        )) {
          const layer = things.trim() === 'frames' ? undefined : `lyr_${things.trim().split(' ').at(-1)}`
          const [count] = await service().db.rows<{ count: string }>(
            `select count(distinct feature_no)::text as count from feature_frame join dataset using (version)
             join frame using (frame_id) where layer_id = $1 and state = any ($2::text[])`,
            [layer ?? '', place.unit.length > 0 ? place.unit : [...new Set(frames.map(({ names }) => names[0] ?? ''))]],
          )
          const isOfFrames = layer === undefined && Number(of.replaceAll(',', '')) <= framesIn(place.unit).length
          assert.ok(isOfFrames || of === grouped(Number(count?.count)), `${text} in ${headline}`)
        }
        assert.ok(facets.length > 0)
      }
  })

  const COSTS = /^"Markets and shops" costs 2 credits a call, and is sold for few frames: pick a smaller place\./
  const refused: readonly [question: string, place: Place, headline: RegExp][] = [
    ['how many people died of cholera', MAREMBE, /^No dataset has a name for "died", "cholera"\. The nearest: /],
    ['how many shops are there', MAREMBE, COSTS],
    ['how many people live in frames with a shop', MAREMBE, COSTS],
    ['how many people live in Lagoon', MAREMBE, /^None of these frames lies in Lagoon\. /],
    ...[
      'Tell me about Alder Hills',
      'And in Alder Hills?',
      'profile of Alder Hills',
      'describe Alder Hills',
      'what about Alder Hills?',
      'Alder Hills?',
    ].map((question): [string, Place, RegExp] => [
      question,
      MAREMBE,
      /^Only some of these frames lie in Alder Hills\. /,
    ]),
    ['tell me about Lakeside and Kirin Gate', MAREMBE, /^Only some of these frames lie in Lakeside or Kirin Gate\. /],
    ...["Tell me about N'Dara", "profile of N'Dara", "N'Dara?"].map((question): [string, Place, RegExp] => [
      question,
      MAREMBE,
      /^None of these frames lies in N'Dara\. Profile of Marembe: 6,474 frames\./,
    ]),
    ["Tell me about N'Dara", BOX, /^Only some of these frames lie in N'Dara\. Profile of 10,178 frames\./],
    ['Tell me about the southern zone', MAREMBE, /^None of these frames lies in southern zone\. /],
    [
      'tell me about Marembe except Lakeside',
      MAREMBE,
      /^Not answered: .*"tell me about Marembe except Lakeside"\.(?: |$)/,
    ],
    ['how many shops are there', BOX, COSTS],
  ]
  for (const [question, place, headline] of refused)
    it(`says in a sentence why "${question}" has no figure in ${'box' in place ? 'a box' : 'a unit'}`, async () => {
      const answer = await ask(place, question)
      assert.match(labelsOf(answer), headline)
      assert.ok(answer.sources.every(({ layerId }) => layerId !== SOLD))
    })
})
