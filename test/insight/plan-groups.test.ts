/** Tests what a plan may name of groups, portions and places, and how the numbers of a question are found. */
import assert from 'node:assert/strict'
import { plannerByModel } from '../../src/core/insight/reading/by-model.js'
import type { ReadingPlan } from '../../src/core/insight/reading/plan.js'
import { numbersIn, spanOf } from '../../src/core/insight/reading/plan-words.js'
import type { NamedPlace, Reading } from '../../src/core/insight/reading/reading.js'
import { ask, catalogueOf, condition, cover, groups, leftOver, plan, topics } from './plans.js'

/** A category of units: its classes are names of places. Its id is t6. */
const wards = { ...cover, label: 'Ward', names: ['Ward'], classes: ['WEST QUAY'], series: 'Ward' }
const beds = {
  ...cover,
  type: 'number',
  subject: { kind: 'property', layerId: 'lyr_clinics', property: 'beds' },
} as const
const catalogue = catalogueOf([...topics, wards, beds], ['marembe'])
const lga = { kind: 'index', figure: 'lga' } as const
const QUESTION = 'Cliniques par LGA : 3 premiers, plus de 5,000 et 7,000 habitants, hors de Marembe et West Quay'
const inMarembe: NamedPlace = { text: 'Marembe', categories: [] }

describe('a plan of figures by group, of portions and of places', () => {
  const planning = (answer: ReadingPlan | string, reading: Reading, question: string) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return plannerByModel(async () => ({ text, model: 'm' }))({ question, catalogue, reading, priced: new Set() })
  }
  const left = leftOver('Cliniques')
  const numbers = ['3', '5,000', '7,000']
  const readingOf = async (more: Partial<ReadingPlan>, reading: Reading = left, question = QUESTION) => {
    const named = numbers.filter((number) => question.includes(number))
    const {
      outcome,
      reason,
      reading: made,
    } = await planning(plan({ notComputable: named, ...more }), reading, question)
    assert.equal(outcome, 'planned', reason)
    return made
  }
  const operationOf = async (more: Parameters<typeof groups>[2], subject = 't5') => {
    const question = 'Cliniques par LGA : 3 premiers'
    const [first] = (await readingOf({ asks: [groups(question, subject, more)] }, left, question)).asks
    return first?.operation
  }

  it('may have a figure of each group, and an order of groups', async () => {
    assert.deepEqual(await operationOf({}), { op: 'by', by: lga })
    assert.deepEqual(await operationOf({ operation: 'highest', n: '3' }), { op: 'by', by: lga, order: 'highest', n: 3 })
    assert.deepEqual(await operationOf({ by: 't4' }, 't3'), { op: 'by', by: cover.subject })
  })

  it('may have the share that the frames of a condition or of a place have', async () => {
    const portion = ask('Cliniques', 't5', { operation: 'portion' })
    const conditions = [condition('habitants', 't4c1', 'class')]
    const made = await readingOf({ asks: [portion], conditions }, left, 'Cliniques, habitants')
    assert.deepEqual(made.asks[0]?.operation, { op: 'portion' })
    const placed = await readingOf({ asks: [{ ...portion, places: ['marembe'] }] }, left, 'Cliniques, Marembe')
    assert.deepEqual(placed.asks[0]?.places, [inMarembe])
  })

  it('may name a state or an LGA of the index, and a unit that the catalogue has', async () => {
    const asks = [
      ask('Cliniques', 't5', { places: ['MAREMBE'] }),
      ask('habitants', 't2', { places: ['west quay'] }),
      ask('LGA', 'index_lga'),
    ]
    const made = await readingOf({ asks }, left, 'Cliniques Marembe, habitants West Quay, LGA')
    const quay = { text: 'West Quay', categories: [{ subject: wards.subject, label: 'Ward', value: 'WEST QUAY' }] }
    assert.deepEqual(
      made.asks.map(({ places }) => places),
      [[inMarembe], [quay], undefined],
    )
    assert.deepEqual(made.places, [inMarembe, quay])
  })

  const refusals: [fault: string, answer: Partial<ReadingPlan>, reason: RegExp, places?: NamedPlace[]][] = [
    ['groups of what is no unit', { asks: [groups('LGA', 't5', { by: 'index_area' })] }, /schema/],
    ['groups of a category by itself', { asks: [groups('LGA', 't4', { by: 't4' })] }, /cannot be compared/],
    ['a category by groups', { asks: [groups('LGA', 't4')] }, /does not have/],
    ['another figure of groups than theirs', { asks: [groups('LGA', 't5', { operation: 'median' })] }, /does not have/],
    ['a number of groups in no order', { asks: [groups('LGA', 't5', { n: '3' })] }, /number without use/],
    [
      'frames by a number that single features have',
      { asks: [ask('LGA', 't5')], conditions: [condition('habitants', 't7', 'above', '5000')] },
      /schema/,
    ],
    ['a portion of all frames', { asks: [ask('LGA', 't5', { operation: 'portion' })] }, /portion without a condition/],
    ['a place that nothing has', { asks: [ask('LGA', 't5', { places: ['premiers'] })] }, /neither the index nor/],
    [
      'a place of the index that is not asked for',
      { asks: [ask('LGA', 't5', { places: ['Lakeside'] })] },
      /not in the/,
    ],
    [
      'another place than that of the question',
      { asks: [ask('LGA', 't5', { places: ['West Quay'] })] },
      /place is passed over/,
      [inMarembe],
    ],
  ]
  for (const [fault, more, reason, places] of refusals) {
    it(`is refused with ${fault}`, async () => {
      const reading = { ...leftOver('LGA'), ...(places ? { places } : {}) }
      const refused = await planning(plan({ notComputable: numbers, ...more }), reading, QUESTION)
      assert.match(refused.reason ?? 'planned', reason)
      assert.deepEqual([refused.outcome, refused.reading], ['refused', reading])
    })
  }
})

describe('the check of a plan', () => {
  it('finds the numbers of a question, however they are written', () => {
    for (const [question, values] of [
      ['5,000 people', [['5000']]],
      ['5 000 habitants', [['5000']]],
      ['5.000 habitants', [['5000', '5']]],
      ['1.234.567,5', [['1234567.5']]],
      ['2,5 km', [['2.5']]],
      ['in 2025, 2026', [['2025'], ['2026']]],
      ['the 3 of 12.', [['3'], ['12']]],
      ['１２ frames', [['12']]],
      ['over 5k of 20', [[], ['20']]],
      ['no number', []],
    ] as const)
      assert.deepEqual(
        numbersIn(question).map((number) => number.values),
        values,
        question,
      )
  })

  it('finds the words of a question in order, whatever the case, accents and marks', () => {
    assert.equal(spanOf("Combien d'écoles, ici ?", 'D ECOLES'), "d'écoles")
    assert.throws(() => spanOf('a b c', 'a c'), /not in the question/)
    assert.throws(() => spanOf('a b c', ' , '), /not in the question/)
  })
})
