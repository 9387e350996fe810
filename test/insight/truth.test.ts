/** Tests that every composition of sentences is true: a second program reads each beside the typed figures. */
import assert from 'node:assert/strict'
import type { Facet } from '../../src/core/figures/facets.js'
import { facetChoice } from '../../src/core/insight/choice.js'
import { recordedOn } from '../../src/core/figures/recorded.js'
import type { Operation } from '../../src/core/insight/reading/reading.js'
import type { Subject } from '../../src/core/figures/subject.js'
import { setOfIds } from '../../src/core/figures/frame-set.js'
import { readsOf } from '../../src/core/figures/reads.js'
import { composed, narrativeText, numbered, type Paragraph } from '../../src/core/insight/sentences/compose.js'
import { menuOf } from '../../src/core/insight/sentences/menu.js'
import { type AnswerFacts, unaccountedNumbers } from '../../src/core/insight/verify/verify.js'
import { randomNumbers } from '../support/random-numbers.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'
import { attribute, computeAsk, conditions, datasetsOf, operations, schools } from './sampled-figures.js'
import { falsehoodsOf } from './second-reader.js'

type Scenario = { facets: Facet[]; frameIds: string[] }

const asks = [
  ...operations,
  [schools, { op: 'names' }],
  [{ kind: 'property', layerId: 'lyr_schools', property: 'level' }, { op: 'mode' }],
  [{ kind: 'property', layerId: 'lyr_schools', property: 'pupils' }, { op: 'mean' }],
  [attribute('lyr_market', 'mkt_note'), { op: 'usual' }],
  [attribute('lyr_terrain', 'phy_landcov'), { op: 'usual' }],
  [attribute('lyr_culture', 'cul_ctlangfrm'), { op: 'usual' }],
  [attribute('lyr_terrain', 'phy_tpsiltxtcls'), { op: 'class', value: 'Clay' }],
  [{ kind: 'index', figure: 'ward' }, { op: 'names' }],
  [
    { kind: 'index', figure: 'lga' },
    { op: 'class', value: 'MERIDIAN BAY' },
  ],
] satisfies [Subject, Operation][]
const SCENARIOS = sample(asks.length + 15, 300)
const COMPOSITIONS = sample(4, 10_000)
/** The check of numbers reads each sentence, and one text of so many. */
const CHECKED_TEXTS = sample(1, 500)
const PLANTED_COMPOSITIONS = sample(4, 40)

describe(`${COMPOSITIONS} narratives of any sentences of the menu, in each of ${SCENARIOS} scenarios`, function () {
  this.timeout(sample(120_000, 3_600_000))
  const random = randomNumbers(5)
  const upTo = (count: number) => Math.floor(random() * count)
  const pick = <T>(all: readonly T[]): T => all[upTo(all.length)] as T
  const scenarios: Scenario[] = []

  before(async () => {
    const { db } = service()
    const datasets = await datasetsOf(db)
    const frames = await db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id', [])
    const someFrames = (most: number) => {
      const start = upTo(frames.length - 3000)
      const step = pick([1, 50])
      return Array.from({ length: 1 + upTo(most) }, (_, i) => frames[start + i * step]?.id ?? '')
    }
    const ofAsk = async ([subject, operation]: [Subject, Operation]) => {
      const frameIds = someFrames(40)
      const where = Array.from({ length: pick([0, 0, 1, 2]) }, () => pick(conditions))
      const { facets } = await computeAsk(db, frameIds, { subject, operation, where }, datasets)
      return { facets, frameIds }
    }
    const ofProfile = async () => {
      const frameIds = someFrames(5)
      const [reads, set] = [readsOf(db, datasets), setOfIds(frameIds)]
      const recorded = await recordedOn(reads, set, [])
      const { facets } = await facetChoice(reads, set, { recorded, answered: undefined })
      return { facets, frameIds }
    }
    for (let i = 0; scenarios.length < SCENARIOS; i += 1) {
      const ask = asks[i % (asks.length + 15)]
      const scenario = ask ? await ofAsk(ask) : await ofProfile()
      if (scenario.facets.length > 0 || SCENARIOS < 300) scenarios.push(scenario)
    }
  })

  function* compositions(
    count: number,
  ): Generator<{ paragraphs: Paragraph[]; scenario: Scenario; facts: AnswerFacts }> {
    for (const scenario of scenarios) {
      const { facets, frameIds } = scenario
      if (facets.length === 0) continue
      const facts = { headlineFigures: '', facets, frames: frameIds.length, frameIds }
      const menu = menuOf({ facts, answers: [0], nearest: [], notes: [] }, unaccountedNumbers)
      const { length } = numbered(menu)
      for (let i = 0; i < count; i += 1) {
        const choice = Array.from({ length: 1 + upTo(3) }, () => ({
          numbers: Array.from({ length: upTo(12) }, () => 1 + upTo(length)),
        }))
        yield { paragraphs: composed(menu, choice), scenario, facts }
      }
    }
  }

  it('is true, sentence by sentence, and passes the check of numbers', () => {
    const read = new Set<string>()
    const forms = new Set<string>()
    const wrong: string[] = []
    let [narratives, readOf] = [0, new Map<string, string[]>()]
    let last: Scenario | undefined
    for (const { paragraphs, scenario, facts } of compositions(COMPOSITIONS)) {
      // A sentence behind the same subject is the same in every narrative of its scenario.
      if (scenario !== last) readOf = new Map()
      last = scenario
      if (narratives++ % CHECKED_TEXTS === 0) {
        const text = narrativeText(paragraphs)
        assert.deepEqual(unaccountedNumbers(text, facts), [], text)
      }
      for (const { sentences } of paragraphs) {
        let subject = ''
        for (const { text, figures } of sentences) {
          const key = [subject, text, ...figures].join('|')
          if (!readOf.has(key)) {
            const about = figures.flatMap((place) => scenario.facets[place] ?? [])
            const falsehoods = falsehoodsOf(text, about, subject)
            const why =
              falsehoods.length === 0 ? '' : JSON.stringify(about.map(({ typed, source }) => ({ typed, source })))
            const unaccounted = unaccountedNumbers(text, facts).map((number) => number.why)
            readOf.set(
              key,
              falsehoods.length + unaccounted.length === 0
                ? []
                : [[...falsehoods, ...unaccounted, text, why].join(' | ')],
            )
            read.add(text)
            for (const { typed } of about) forms.add(typed.result.is)
          }
          wrong.push(...(readOf.get(key) ?? []))
          subject = subjectOf(text) ?? subject
        }
      }
    }
    assert.deepEqual([...new Set(wrong)].slice(0, 20), [])
    console.log(`      ${narratives} narratives of ${read.size} sentences`)
    assert.ok(read.size > 600, `${read.size} sentences`)
    assert.ok(forms.size >= 18, [...forms].join())
  })

  it('would be found false, if a number, a frame, an order or a comparison were another', () => {
    let planted = 0
    const missed: string[] = []
    for (const { paragraphs, scenario } of compositions(PLANTED_COMPOSITIONS)) {
      for (const { text, figures } of paragraphs.flatMap(({ sentences }) => sentences)) {
        const about = figures.flatMap((place) => scenario.facets[place] ?? [])
        for (const wrong of wrongly(text, upTo)) {
          planted += 1
          if (falsehoodsOf(wrong, about, 'These frames').length === 0) missed.push(`${wrong} FOR ${text}`)
        }
      }
    }
    assert.ok(planted > 2000, String(planted))
    assert.deepEqual([...new Set(missed)].slice(0, 10), [], `${missed.length} of ${planted}`)
  })
})

const subjectOf = (text: string) =>
  /^(?:These frames|This frame|The frames? (?:(?! have | has | lie | lies | record).)*)/.exec(text)?.[0]

const SWAPS: readonly (readonly [string, string])[] = [
  ['highest', 'lowest'],
  ['most ', 'fewest '],
  ['increase', 'decrease'],
  ['In total', 'On average'],
  ['on average', 'in total'],
  ['these frames', 'the frames with palaces'],
  ['median', 'average'],
]

/** The sentence with one thing changed, for each kind of change that it allows. */
function wrongly(text: string, upTo: (count: number) => number): string[] {
  const places = [...text.matchAll(/(?<![\p{L}\d“(])\d[\d,]*(?:\.\d+)?(?=[ ,.:;)])/gu)].filter(
    ({ index }) => !/^\d{4} estimate/.test(text.slice(index)),
  )
  const place = places[upTo(places.length)]
  const changed = place
    ? [
        `${text.slice(0, place.index)}${Number(place[0].replaceAll(',', '')) + 7}${text.slice(place.index + place[0].length)}`,
      ]
    : []
  const swapped = SWAPS.flatMap(([one, other]) =>
    text.includes(one) ? [text.replace(one, other)] : text.includes(other) ? [text.replace(other, one)] : [],
  )
  return [...changed, ...swapped].filter((wrong) => wrong !== text)
}
