import assert from 'node:assert/strict'
import fc from 'fast-check'
import { datasetsServed, type DatasetRow } from '../../src/db/statements.js'
import { catalogueFor, type Catalogue, type CatalogueCache } from '../../src/insight/reading/catalogue.js'
import { itemsOf } from '../../src/insight/reading/items.js'
import { readQuestion } from '../../src/insight/reading/read.js'
import { wordsOf } from '../../src/insight/reading/words.js'
import { service } from '../support/service.js'
import { askText, describeReading } from './describe-reading.js'
import { groupReadings } from './group-readings.js'
import { missedWords } from './missed-words.js'
import { readings as plainReadings } from './readings.js'
import { wishReadings } from './wish-readings.js'

const LAYERS = [
  'administrative', 'buildings', 'culture', 'terrain', 'population', 'urban', 'market', 'schools', 'clinics', 'roads', 'reserves', 'stalls',
].map((name) => `lyr_${name}`) // prettier-ignore
const readings = [...plainReadings, ...groupReadings, ...missedWords, ...wishReadings]
const questions = readings.flatMap(([, rows]) => rows.map(([question]) => question))
const asksOf = (catalogue: Catalogue, question: string) => readQuestion(catalogue, question).asks.map(askText)

describe('the reading of a question', function () {
  this.timeout(120_000)
  let datasets: DatasetRow[]
  let catalogue: Catalogue
  const cache: CatalogueCache = new Map()
  const catalogueOf = (question: string) => catalogueFor({ reader: service().db, datasets, cache }, question)

  before(async () => {
    datasets = (await datasetsServed(service().db, LAYERS)).map((row) => ({ ...row, price: null }))
    catalogue = await catalogueOf(questions.join(' '))
  })

  for (const [rule, rows] of readings)
    describe(rule, () => {
      for (const [question, reading] of rows)
        it(`"${question}" is ${reading}`, async () => {
          assert.equal(describeReading(readQuestion(await catalogueOf(question), question)), reading)
        })
    })

  describe('for any question', () => {
    const known = fc.constantFrom(...questions.filter((question) => question.length < 80))
    const word = fc.stringMatching(/^[bdfgjkvwxz]{3}[aeiou][bdfgjkvwxz]{3}$/)
    const text = fc.oneof(
      fc.string({ maxLength: 1000, unit: 'binary' }),
      fc
        .array(
          fc.oneof(
            known,
            word,
            fc.constantFrom('not', 'and', 'most', 'per', 'with', 'no', '5', '2025', ',', '.', 'frames'),
          ),
          { maxLength: 30 },
        )
        .map((parts) => parts.join(' ').slice(0, 1000)),
    )

    it('names never overlap, and items are in the order of the words', () => {
      fc.assert(
        fc.property(text, (question) => {
          const items = itemsOf(catalogue, wordsOf(question))
          items.reduce((end, item) => {
            assert.ok(item.start >= end && item.end > item.start, question)
            return item.end
          }, 0)
        }),
      )
    })

    it('"please" changes nothing', () => {
      fc.assert(
        fc.property(known, (question) => {
          const reading = readQuestion(catalogue, question)
          assert.deepEqual(readQuestion(catalogue, `${question} please`), reading)
          assert.deepEqual(readQuestion(catalogue, `Please ${question}`), reading)
        }),
      )
    })

    it('an unknown word changes no ask, and is kept', () => {
      fc.assert(
        fc.property(word, (unknown) => {
          for (const question of questions) {
            const { asks, wants } = readQuestion(catalogue, question)
            // A word after "not" is left out with what follows it.
            const leavesOut = /\b(not|except|don't|excluding|other than)\b/.test(question)
            if (wants !== 'figures' || asks.length === 0 || leavesOut || question.length >= 80) continue
            const longer = `${question.replace(/[?.!]+$/, '')} ${unknown}`
            assert.deepEqual(asksOf(catalogue, longer), asks.map(askText), longer)
            assert.ok(readQuestion(catalogue, longer).unknown.includes(unknown), longer)
          }
        }),
        { numRuns: 5 },
      )
    })

    it('a figure without a word of its part is only near to the answer', () => {
      const { asks } = readQuestion(catalogue, 'How many schools are there? Population of frame 325098003.')
      assert.deepEqual(asks.map(({ isNearest }) => isNearest ?? false), [false, true]) // prettier-ignore
    })

    it('words that leave out or deny never pass in silence', () => {
      const operative = fc.constantFrom(
        'excluding 7',
        'not 7',
        'except suburb',
        'without 7',
        'in frame 325062003',
        '2nd',
      )
      fc.assert(
        fc.property(known, operative, (question, words) => {
          const reading = readQuestion(catalogue, question)
          fc.pre(reading.wants === 'figures' && reading.asks.length > 0)
          const changed = readQuestion(catalogue, `${question.replace(/[?.!]+$/, '')} ${words}`)
          const lost = changed.unknown.length + changed.unanswered.length
          const isSame = changed.asks.map(askText).join() === reading.asks.map(askText).join()
          assert.ok(lost > 0 || !isSame, `${question} ${words}`)
        }),
      )
    })

    it('no text throws', () => {
      fc.assert(fc.property(text, (question) => void readQuestion(catalogue, question)))
    })

    it('no text of 1,000 characters takes long', () => {
      const long = [
        ...questions,
        'zorblax quimbly '.repeat(60),
        'people and '.repeat(90),
        '5,000 '.repeat(160),
        'a'.repeat(1000),
      ]
      for (const question of long) {
        const thousand = question.repeat(Math.ceil(1000 / question.length)).slice(0, 1000)
        // It takes 8 to 18 ms. Only a reading whose time grows with the square of the length takes so long.
        assert.ok(quickest(() => readQuestion(catalogue, thousand)) < 250, thousand.slice(0, 80))
      }
    })
  })
})

/** The least of three times of the processor: other programs may keep it busy meanwhile. */
function quickest(run: () => unknown): number {
  const times = Array.from({ length: 3 }, () => {
    const start = process.cpuUsage()
    run()
    const { user, system } = process.cpuUsage(start)
    return (user + system) / 1000
  })
  return Math.min(...times)
}
