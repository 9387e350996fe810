/** Tests that every number of a narrative is a figure of its answer: in the check itself, and over HTTP. */
import assert from 'node:assert/strict'
import { unaccountedNumbers } from '../../src/insight/verify.js'
import { seeded } from '../faults/seeded.js'
import { ids } from '../support/datasets.js'
import { sample } from '../support/sample.js'
import { mint, service, startService, type Minted } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { insightOf } from './ask.js'
import { faithful, sets, split, unfaithful } from './sentences.js'

const check = (text: string, set: keyof typeof sets = 'place') => unaccountedNumbers(text, sets[set])
const PLANTED = sample(1500, 10_000)

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

  it('passes every facet with its own value', () => {
    for (const figures of Object.values(sets)) {
      for (const { label, value } of figures.facets) {
        for (const text of [`${label} is ${value}.`, `It is ${value}, said of ${label}.`, value, `(${value})`])
          assert.deepEqual(unaccountedNumbers(text, figures), [], text)
      }
      assert.deepEqual(unaccountedNumbers(figures.headline, figures), [], figures.headline)
    }
  })

  it('takes no number of the question for a figure, though the headline quotes it', () => {
    const quoted = { ...sets.place, headline: `Not answered: "over 4,217", "2pm". ${sets.place.headline}` }
    assert.notDeepEqual(unaccountedNumbers('There are 4,217 of them.', quoted), [])
    assert.deepEqual(unaccountedNumbers(sets.place.headline, quoted), [])
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
  const worded = async (text: string) => {
    wording.behave({ text })
    return await insightOf({ url: running.url, secret: key.secret }, body)
  }

  it('is returned where all its numbers are figures', async () => {
    const { narrative, engine, notice } = await worded('These frames have {F1}.')
    assert.match(narrative ?? String(notice), /20,269 people/)
    assert.equal(engine, 'claude')
  })

  for (const planted of [
    'These frames have {F1}, 20,270 in all.',
    'These frames have 20,269 people, {F1}.',
    'These frames have {F1}: twenty thousand people.',
    'These frames have {F1}, and seven more.',
    'These frames have {F1}, twice as many as before.',
    'These frames have {F1}, a third of them young.',
    'These frames have {F1} thousand.',
    'These frames have -{F1}.',
    'These frames have ٢٠ people, {F1}.',
    'These frames have XII schools, {F1}.',
    'These frames have {F1}, in 2019.',
    'These frames have {F99}.',
  ]) {
    it(`is discarded, and counts nothing, where a number is planted: ${planted}`, async () => {
      wording.requests.length = 0
      const used = async () => {
        const [row] = await running.db.rows<{ n: number }>(
          `select coalesce(sum(by_allowance + by_credits), 0)::int as n from worded_use where org_id = $1::text`,
          [key.orgId],
        )
        return row?.n
      }
      const before = await used()
      const answer = await worded(planted)
      assert.ok(!('narrative' in answer) && answer.engine === 'deterministic')
      assert.match(answer.notice ?? '', /could not be verified against the figures/)
      assert.match(answer.headline, /20,269 people/)
      assert.equal(wording.requests.length, 2, 'the model is asked for one repair')
      assert.equal(await used(), before)
    })
  }

  it('is the first that passes: a repair comes after a planted number', async () => {
    wording.behave((_, place) => ({ text: place === 0 ? 'There are 5, {F1}.' : 'These frames have {F1}.' }))
    wording.requests.length = 0
    const answer = await insightOf({ url: running.url, secret: key.secret }, { ...body, frameIds: ids.slice(0, 2) })
    assert.equal(answer.engine, 'claude', answer.notice)
    assert.equal(wording.requests.length, 2)
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
  const { facets, headline, frames, frameIds } = sets[set]
  const known = [...facets.map(({ value }) => value), headline, right, String(frames), ...frameIds]
  const values = new Set(known.flatMap(numbersOf))
  if (/twice|half|[^0] thousand|are new|\u200b|[\u0660-\u0669]/.test(wrong.replace(right, ''))) return false
  return numbersOf(wrong).every((number) => values.has(number))
}
