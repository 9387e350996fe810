import assert from 'node:assert/strict'
import { datasetsServed, type DatasetRow } from '../../src/db/statements.js'
import { groupThousands } from '../../src/decimal.js'
import type { CatalogueCache } from '../../src/insight/reading/catalogue.js'
import { answerAboutUnit, type UnitAnswer } from '../../src/insight/unit/answer.js'
import { unaccountedNumbers } from '../../src/insight/verify.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { sample } from '../support/sample.js'

const SOLD = 'lyr_market'

type Frame = { id: string; names: string[]; km2: number; layers: Record<string, Record<string, string>> }
type Counted = { id: string; layerId: string; feature: string }

/** A number of a dataset on frames; features are counted each once. */
type Subject = { layerId: string; attribute: string | undefined; question: string; unit: string }

const SUBJECTS: readonly Subject[] = [
  { layerId: 'lyr_population', attribute: 'pop_demest26', question: 'people', unit: 'people' },
  { layerId: 'lyr_buildings', attribute: 'bld_ct', question: 'buildings', unit: 'buildings' },
  { layerId: 'lyr_schools', attribute: undefined, question: 'schools', unit: 'schools' },
  { layerId: 'lyr_clinics', attribute: undefined, question: 'clinics', unit: 'clinics' },
]
const LEVELS = ['state', 'LGA', 'ward'] as const

/** Two places, or two digits where the number is smaller, as numeric of PostgreSQL rounds: a half goes away from zero. */
function rounded(number: number, places = 2): string {
  const most = number === 0 ? places : Math.max(places, 1 - Math.floor(Math.log10(Math.abs(number))))
  const scaled = Math.round(number * 10 ** most * (1 + Number.EPSILON * 4)) / 10 ** most
  return groupThousands(scaled.toFixed(most).replace(/\.?0+$/, ''))
}

describe('answers about units', function () {
  this.timeout(600_000)
  let database: TestDatabase
  let datasets: DatasetRow[]
  let frames: Frame[]
  let paths: string[][]
  const catalogues: CatalogueCache = new Map()
  const features = new Map<string, Map<string, string[]>>()

  before(async () => {
    database = await newDatabase('datasets')
    const { rows } = database.db
    const layers = (await rows<{ id: string }>('select layer_id as id from dataset order by layer_id', [])).map(
      ({ id }) => id,
    )
    datasets = (await datasetsServed(database.db, layers)).map((row) => ({
      ...row,
      price: row.layerId === SOLD ? 2 : null,
    }))
    const found = await rows<{
      id: string
      names: string[]
      km2: string
      layers: Record<string, Record<string, string>>
    }>(
      `select frame_id::text as id, array_remove(array[state, lga, ward], null) as names, area_km2::text as km2,
         coalesce((select json_object_agg(layer_id, recorded) from baseline_row join dataset using (version)
           where baseline_row.frame_id = frame.frame_id and layer_id in ('lyr_population', 'lyr_buildings')), '{}') as layers
       from frame order by frame_id`,
      [],
    )
    frames = found.map(({ km2, ...frame }) => ({ ...frame, km2: Number(km2) }))
    const counted = await rows<Counted>(
      `select frame_id::text as id, layer_id as "layerId", feature_no::text as feature
       from feature_frame join dataset using (version) where layer_id in ('lyr_schools', 'lyr_clinics')`,
      [],
    )
    for (const { id, layerId, feature } of counted) {
      const own = features.get(layerId) ?? new Map<string, string[]>()
      own.set(id, [...(own.get(id) ?? []), feature])
      features.set(layerId, own)
    }
    const keys = frames.flatMap(({ names }) => names.map((_, i) => JSON.stringify(names.slice(0, i + 1))))
    paths = [[], ...[...new Set(keys)].sort().map((key) => JSON.parse(key) as string[])]
  })
  after(() => database.drop())

  const ask = async (path: readonly string[], question: string): Promise<UnitAnswer> => {
    const answer = await answerAboutUnit({ reader: database.db, datasets, catalogues, place: { path }, question })
    assert.ok(answer, path.join())
    return answer
  }
  const framesIn = (path: readonly string[]) => frames.filter(({ names }) => path.every((name, i) => names[i] === name))

  /** The total of a subject over frames; undefined where none of them records it. */
  function totalOver({ layerId, attribute }: Subject, some: readonly Frame[]) {
    if (attribute === undefined) {
      const found = some.flatMap(({ id }) => features.get(layerId)?.get(id) ?? [])
      return { total: new Set(found).size, km2: some.reduce((sum, { km2 }) => sum + km2, 0), recorded: some.length }
    }
    const recording = some.filter(({ layers }) => (layers[layerId]?.[attribute] ?? '').trim() !== '')
    const total = recording.reduce((sum, { layers }) => sum + Number(layers[layerId]?.[attribute]), 0)
    return { total, km2: recording.reduce((sum, { km2 }) => sum + km2, 0), recorded: recording.length }
  }

  const countText = (number: number, { unit }: Subject): string =>
    `${groupThousands(String(number))} ${number === 1 ? unit.replace(/people$/, 'person').replace(/s$/, '') : unit}`
  const coverage = ({ attribute }: Subject, { recorded }: { recorded: number }, some: readonly Frame[]): string =>
    attribute === undefined || recorded === some.length
      ? ''
      : `, recorded on ${groupThousands(String(recorded))} of ${groupThousands(String(some.length))} frames`

  /** The value that the answer begins with, computed from the frames alone; undefined where there is none. */
  const expected: Record<
    string,
    (subject: Subject, path: readonly string[]) => [question: string, value: string] | undefined
  > = {
    total: (subject, path) => {
      const some = framesIn(path)
      const found = totalOver(subject, some)
      if (found.recorded === 0) return undefined
      const value =
        subject.attribute === undefined ? groupThousands(String(found.total)) : countText(found.total, subject)
      return [`How many ${subject.question} are there?`, value + coverage(subject, found, some)]
    },
    density: (subject, path) => {
      const some = framesIn(path)
      const found = totalOver(subject, some)
      if (found.recorded === 0) return undefined
      const density = rounded(found.total / found.km2)
      return [
        `${subject.question} per square kilometre`,
        `${density} ${density === '1' ? countText(1, subject).slice(2) : subject.unit} per km² (`,
      ]
    },
    share: (subject, path) => {
      const name = path.at(-1)
      const whole = totalOver(subject, framesIn(path.slice(0, -1)))
      const part = totalOver(subject, framesIn(path))
      const same = paths.filter(
        (other) =>
          other.length <= path.length &&
          other.at(-1) === name &&
          path.slice(0, -1).every((above, i) => other[i] === above || other.length <= i),
      )
      if (name === undefined || path.length > 2 || same.length !== 1 || whole.total === 0 || part.recorded === 0)
        return undefined
      const percent = rounded((100 * part.total) / whole.total, 1)
      return [`What share of the ${subject.question} are in ${name} ${LEVELS[path.length - 1]}?`, `${percent} % (`]
    },
    'highest part': (subject, path) => ranked(subject, path, 'most'),
    'lowest part': (subject, path) => ranked(subject, path, 'fewest'),
    'per head': (subject, path) => {
      const [people] = SUBJECTS
      if (!people || subject === people || subject.attribute !== undefined) return undefined
      const some = framesIn(path)
      const [found, heads] = [totalOver(subject, some), totalOver(people, some)]
      if (heads.total === 0 || found.recorded === 0) return undefined
      const ratio = rounded((10_000 * found.total) / heads.total)
      return [
        `${subject.question} per 10,000 people`,
        `${ratio} ${ratio === '1' ? countText(1, subject).slice(2) : subject.unit} per 10,000 people (`,
      ]
    },
  }

  function ranked(subject: Subject, path: readonly string[], end: 'most' | 'fewest'): [string, string] | undefined {
    const level = LEVELS[path.length]
    const below = paths.filter(
      (other) => other.length === path.length + 1 && path.every((name, i) => other[i] === name),
    )
    const totals = below
      .map((each) => ({ name: each.at(-1) ?? '', some: framesIn(each) }))
      .map(({ name, some }) => ({ name, some, ...totalOver(subject, some) }))
    const recorded = totals.filter((each) => each.recorded > 0)
    if (level === undefined || recorded.length === 0) return undefined
    const best = recorded.map(({ total }) => total).reduce((a, b) => (end === 'most' ? Math.max(a, b) : Math.min(a, b)))
    const tied = recorded.filter(({ total }) => total === best)
    const [first] = tied
    if (!first || tied.length > 1)
      return [`Which ${level} has the ${end} ${subject.question}?`, `${countText(best, subject)} in `]
    return [
      `Which ${level} has the ${end} ${subject.question}?`,
      `${countText(best, subject)} in ${first.name}${coverage(subject, first, first.some)}`,
    ]
  }

  it('equal what the frames alone give, in random units', async () => {
    const kinds = Object.keys(expected)
    let asked = 0
    const cases = sample(240, 2400)
    for (let turn = 0; asked < cases; turn += 1) {
      // Steps without a common factor with the lengths of the lists reach every combination.
      const path = paths[(turn * 31) % paths.length]
      const subject = SUBJECTS[Math.floor(turn / 3) % SUBJECTS.length]
      const kind = kinds[(turn * 7 + Math.floor(turn / kinds.length)) % kinds.length] ?? ''
      assert.ok(path && subject)
      const wanted = expected[kind]?.(subject, path)
      if (!wanted) continue
      asked += 1
      const [question, value] = wanted
      const answer = await ask(kind === 'share' ? path.slice(0, -1) : path, question)
      const about = `${question} of ${path.join(', ')}: ${answer.headline}`
      assert.ok(answer.isAnswered, about)
      assert.ok(answer.figures[0]?.value.startsWith(value), `${about}\ninstead of ${value}`)
      assert.deepEqual(
        unaccountedNumbers(answer.headline, {
          headline: '',
          facets: answer.figures,
          frames: answer.frames,
          frameIds: [],
        }),
        [],
        about,
      )
      for (const { source } of answer.figures) assert.ok(source.recorded <= source.frames && source.unit !== '', about)
      assert.ok(answer.statements.length > 0)
    }
  })

  it('lead on to questions that are answered with a figure, in every unit', async () => {
    for (const path of paths.filter((_, i) => i % sample(6, 1) === 0)) {
      const { followUps } = await ask(path, '')
      assert.ok(followUps.length > 0, path.join())
      for (const question of followUps) {
        const answer = await ask(path, question)
        assert.ok(answer.isAnswered, `${question}: ${answer.headline}`)
        assert.doesNotMatch(question, /most common (?:LGA|state|ward|zone)/i)
        assert.ok(!answer.followUps.includes(question))
        for (const next of answer.followUps) assert.ok((await ask(path, next)).isAnswered, next)
      }
    }
  })

  const answered: readonly [question: string, headline: RegExp][] = [
    ['more people in Alder Hills or Lakeside', /, compared: [\d,]+ people more in ALDER HILLS than in LAKESIDE;/],
    ['difference in people between Alder Hills and Lakeside', /compared: [\d,]+ people more in /],
    ['top 5 LGAs by people', /five highest: .+ \([\d,]+ people\), /],
    ['which LGA has the highest mean elevation', /^Mean elevation, weighted average by LGA, highest: [\d.,]+ m in /],
    ['which LGA is the most densely populated', /per km² by LGA, highest: [\d.,]+ people per km² in /],
    ['how dense is the population', /^Population, 2026 estimate, per km²: /],
    ['which LGA has the longest roads', /^Main roads, length by LGA, highest: [\d.,]+ km in /],
    ['which ward has the fewest clinics', /^Clinics, by ward, lowest: 0 clinics in .+ and \d+ others\.$/],
    ['least populated ward', /by ward, lowest: [\d,]+ people in /],
    ['which wards have no clinic', /wards that have none: \d+ of \d+ wards: /],
    ['what is the highest elevation', /^Mean elevation, highest: [\d.,]+ m in frame \d+/],
    ['how long are the roads', /^Main roads, length: [\d.,]+ km\.$/],
    ['area of reserves', /^Nature reserves, area: [\d.,]+ km²\.$/],
    ['how large is this area', /^Area: [\d.,]+ km²\.$/],
    ['how many wards are there', /^Wards: \d+ wards: /],
    ['what is the most common land cover', /^Land cover, most common: \w+/],
    ['how many people and how many schools', /people; Schools: \d+\.$/],
  ]
  for (const [question, headline] of answered)
    it(`answer "${question}"`, async () => {
      const answer = await ask(['MAREMBE'], question)
      assert.ok(answer.isAnswered)
      assert.match(answer.headline, headline)
    })

  const refused: readonly [question: string, headline: RegExp][] = [
    [
      'how many people died of cholera',
      /^Not answered\. None of the datasets read here records "died", "cholera"\. The nearest: /,
    ],
    ['how many shops are there', /costs 2 credits a call and is sold for at most 50 frames: pick a smaller place\./],
    ['how many people live in frames with a school', /^Not answered\. Frames that pass a condition /],
    [
      'which state has the most people',
      /^Not answered\. MAREMBE is one state: ask about a larger place\. The nearest: /,
    ],
    ['how many people live in Lagoon', /^Not answered\. Lagoon does not lie in MAREMBE\. Ask about the whole index\./],
    ['hello', /^Not answered\. This asks for no figure\./],
  ]
  for (const [question, headline] of refused)
    it(`say in a sentence why "${question}" has no figure, and what is near`, async () => {
      const answer = await ask(['marembe'], question)
      assert.ok(!answer.isAnswered)
      assert.match(answer.headline, headline)
      assert.ok(answer.figures.length > 0 && answer.figures.every(({ source }) => source.layerId !== SOLD))
    })
})
