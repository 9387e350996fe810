/** Tests that every number of a narrative is a figure of its answer: in the check itself, and over HTTP. */
import assert from 'node:assert/strict'
import type { Figure } from '../../src/core/figures/algebra.js'
import { factsOf, unaccountedNumbers } from '../../src/core/insight/verify/verify.js'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type PromptContent, type WordingServer } from '../support/wording-server.js'
import { insightOf } from './ask.js'
import { NO_NOTES } from './made-figures.js'
import { faithfulOfficial, falseOfficial, official } from './official-sentences.js'
import { faithful, sets, split, unfaithful } from './sentences.js'

const check = (text: string, set: keyof typeof sets = 'place') => unaccountedNumbers(text, sets[set])
const PLANTED = sample(600, 10_000)

describe('the check of numbers', () => {
  for (const [rule, set, sentences] of faithful) {
    it(`passes ${rule}`, () => {
      for (const text of split(sentences)) assert.deepEqual(check(text, set), [], text)
    })
  }
  for (const [rule, set, sentences] of unfaithful) {
    it(`refuses ${rule}`, () => {
      for (const text of split(sentences)) assert.notDeepEqual(check(text, set), [], text)
    })
  }

  it('passes what a person might write of an answer, and refuses the same with something false in it', () => {
    const wronged = (text: string) => unaccountedNumbers(text, official).length > 0
    assert.deepEqual(split(faithfulOfficial).filter(wronged), [])
    assert.deepEqual(
      split(falseOfficial).filter((text) => !wronged(text)),
      [],
    )
  })

  it('passes every facet with its own value', () => {
    for (const figures of Object.values(sets)) {
      for (const { label, value } of figures.facets) {
        for (const text of [`${label} is ${value}.`, `It is ${value}, said of ${label}.`, value, `(${value})`])
          assert.deepEqual(unaccountedNumbers(text, figures), [], text)
      }
      assert.deepEqual(unaccountedNumbers(figures.headlineFigures, figures), [], figures.headlineFigures)
    }
  })

  it('takes no number of the question for a figure, though the headline quotes it', () => {
    const { headlineFigures, ...more } = sets.place
    const unanswered = ['over 4,217', '2pm']
    const answer = { ...more, facets: [], headline: `Not answered: "over 4,217", "2pm". ${headlineFigures}` }
    const notes = { ...NO_NOTES, answers: 1, unanswered }
    assert.notDeepEqual(unaccountedNumbers('There are 4,217 of them.', factsOf({ ...answer, notes })), [])
    assert.deepEqual(unaccountedNumbers(headlineFigures, factsOf({ ...answer, notes })), [])
    // Without its notes, a headline may quote any number.
    for (const other of [answer, { ...answer, notes: NO_NOTES }])
      assert.notDeepEqual(unaccountedNumbers(headlineFigures, factsOf(other)), [])
  })

  it('takes the number of a condition for one of the condition alone', () => {
    const where = { name: 'voltage', equals: '132' }
    const figure: Figure = { of: { things: 'lyr_lines', place: [], where, how: 'sum', subject: { extent: true } } }
    const source = { statistic: 'figure', figure } as const
    const facet = { label: 'Power lines, length, where Voltage is 132 kV', value: '77.25 km', source }
    const wrong = (text: string) =>
      unaccountedNumbers(text, { ...sets.place, facets: [facet], headlineFigures: '' }).length > 0
    assert.ok(!wrong('The length of power lines whose voltage is 132 kV is 77.25 km.'))
    for (const text of [
      'The length of power lines is 132 km.',
      'The length of power lines whose voltage is 132 kV is 132 km.',
      'The length of power lines whose voltage is 133 kV is 77.25 km.',
    ])
      assert.ok(wrong(text), text)
  })

  it('takes the length of a list for nothing but what the list names', () => {
    const value = 'Alder (9 people); Birch (8 people); Cedar (7 people)'
    const facets = [{ label: 'Population, total, by ward, 3 highest', value }]
    const wrong = (text: string) => unaccountedNumbers(text, { ...sets.place, facets, headlineFigures: '' }).length > 0
    for (const text of ['The 3 wards are Alder, Birch and Cedar.', 'The 3 populous wards are Alder, Birch and Cedar.'])
      assert.ok(!wrong(text), text)
    for (const text of ['There are 3 clinics in all of these wards.', 'The 4 wards are Alder, Birch and Cedar.'])
      assert.ok(wrong(text), text)
  })

  it(`catches 99.5 % of ${PLANTED} errors planted in faithful sentences`, () => {
    // A few errors give another true sentence by chance, so a small sample is the same in each run.
    const seed = Number(process.env['SEED'] ?? sample(20_260_101, Math.floor(Math.random() * 1e9)))
    const random = seeded(seed)
    const pick = <T>(from: readonly T[]) => from[Math.floor(random() * from.length)] as T
    const digit = () => String(Math.floor(random() * 10))
    /** Each changes the number, or returns what stands in its place. */
    const plants: ((number: string) => string)[] = [
      (number) => number.replace(/\d(?=\D*$)/, digit),
      (number) => number.replace(/\d/, digit),
      (number) => number + digit(),
      (number) => number.replace(/^(\d)(\d)/, '$2$1'),
      (number) => `-${number}`,
      (number) => `${number} %`,
      (number) => `${number} thousand`,
      (number) => `twice ${number}`,
      (number) => `half of ${number}`,
      (number) => number.replace(/^(\d)/, '$1\u200b'),
      (number) => number.replace(/\d/, (old) => String.fromCharCode(0x660 + Number(old))),
      (number) => number.replace(',', '').replace(/(\d)(\d)$/, '$1.$2'),
    ]
    const added = [
      () => ` That is ${2 + Math.floor(random() * 9000)} more.`,
      () => ` ${pick(['Seventeen', 'Sixty-two', 'Three hundred', 'Eight thousand'])} are new.`,
    ]
    let [planted, caught] = [0, 0]
    const missed: string[] = []
    while (planted < PLANTED) {
      const [, set, sentences] = pick(faithful)
      const text = pick(split(sentences))
      const found = [...text.matchAll(/\d[\d,.]*\d|\d/g)]
      const { 0: number, index } = found.length > 0 ? pick(found) : { 0: '', index: text.length }
      const wrong =
        number === '' || random() < 0.15
          ? text + pick(added)()
          : text.slice(0, index) + pick(plants)(number) + text.slice(index + number.length)
      if (wrong === text || isFaithful(wrong, text, set)) continue
      planted += 1
      if (check(wrong, set).length > 0) caught += 1
      else missed.push(wrong)
    }
    assert.ok(caught / planted >= 0.995, `seed ${seed}:\n${missed.slice(0, 10).join('\n')}`)
  })

  // A time that grew with the square of the length would end this test by its limit.
  it('reads hostile text of 100,000 characters', () => {
    const pieces =
      '1|1,|1.|one |one hundred and |-|\u200b|GRA 2 |12.5 m |a|half |million |1 |Kofa Road College |five-|a1 a2 '
    for (const piece of pieces.split('|')) check(piece.repeat(Math.ceil(100_000 / piece.length)), 'names')
  })
})

describe('a narrative over HTTP', function () {
  this.timeout(60_000)
  let wording: WordingServer
  let running: Awaited<ReturnType<typeof startService>>
  let key: Minted
  before(async () => {
    wording = await startWordingServer()
    running = await startService(service().database, { wordingUrl: wording.url })
    key = await mint(running.db)
  })
  after(async () => {
    await running.stop()
    await wording.close()
  })

  const body = { frameIds: ['322074005', '322074006'], question: 'how many people live here' }
  const worded = async (choose: (content: PromptContent) => unknown) => {
    wording.behave({ choose })
    return await insightOf({ url: running.url, secret: key.secret }, body)
  }
  const used = async () => {
    const [row] = await running.db.rows<{ n: number }>(
      `select coalesce(sum(by_allowance + by_credits), 0)::int as n from worded_use where org_id = $1::text`,
      [key.orgId],
    )
    return row?.n
  }

  it('is made of sentences of the menu, and all its numbers are figures', async () => {
    const answer = await worded(({ menu }) => ({ paragraphs: [menu.map(({ number }) => number)] }))
    assert.match(
      answer.narrative ?? String(answer.notice),
      /^These frames have 20,269 people \(2026 estimate, modelled estimate, between [\d,]+ and [\d,]+ with a probability of 95 %\) in total\./,
    )
    assert.equal(answer.engine, 'claude')
    assert.deepEqual(unaccountedNumbers(answer.narrative ?? '', factsOf(answer)), [])
  })

  it('is discarded, counts nothing and asks once, where the model writes words or other numbers', async () => {
    for (const choice of [
      'These frames have 20,270 people.',
      { paragraphs: [['These frames have 20,270 people.']] },
      { paragraphs: [[1, 99]] },
      { paragraphs: [[1]], note: 'twice as many' },
      {},
    ]) {
      wording.requests.length = 0
      const before = await used()
      const answer = await worded(() => choice)
      assert.ok(!('narrative' in answer) && answer.engine === 'deterministic')
      assert.match(answer.notice ?? '', /could not be verified against the figures/)
      assert.match(answer.headline, /20,269 people/)
      assert.deepEqual([wording.requests.length, await used()], [1, before])
    }
  })
})

const numbersOf = (text: string) =>
  (text.match(/[-−]?\d[\d,]*(?:\.\d+)?(?: ?%)?/g) ?? []).map((number) =>
    number
      .replace(/[, ]/g, '')
      .replace('−', '-')
      .replace(/(\.\d*?)0+(?=%|$)/, '$1')
      .replace(/\.(?=%|$)/, ''),
  )

/** A planted error may give another faithful sentence by chance: each of its numbers is a figure of the set. */
function isFaithful(wrong: string, right: string, set: keyof typeof sets): boolean {
  const { facets, headlineFigures, frames, frameIds } = sets[set]
  const known = [...facets.map(({ value }) => value), headlineFigures, right, String(frames), ...frameIds]
  const values = new Set(known.flatMap(numbersOf))
  if (/twice|half|[^0] thousand|are new|\u200b|[\u0660-\u0669]/.test(wrong.replace(right, ''))) return false
  return numbersOf(wrong).every((number) => values.has(number))
}
