/** Tests what a plan may name of groups, portions and places, and how the numbers of a question are found. */
import assert from 'node:assert/strict'
import { plannerByModel } from '../../src/core/insight/reading/by-model.js'
import { numbersIn, spanOf, type ReadingPlan } from '../../src/core/insight/reading/plan.js'
import type { NamedPlace, Reading } from '../../src/core/insight/reading/reading.js'
import { ask, condition, cover, groups, leftOver, plan, topics } from './plans.js'

/** A category of units: its classes are names of places. Its id is t6. */
const wards = { ...cover, label: 'Ward', names: ['Ward'], classes: ['WEST QUAY'], series: 'Ward' }
const beds = {
  ...cover,
  type: 'number',
  subject: { kind: 'property', layerId: 'lyr_clinics', property: 'beds' },
} as const
const catalogue = { topics: [...topics, wards, beds], places: new Set(['marembe', 'lakeside']) }
const lga = { kind: 'index', figure: 'lga' } as const
const QUESTION = 'Cliniques par LGA : 3 premiers, plus de 5,000 et 7,000 habitants, hors de Marembe et West Quay'
const inMarembe: NamedPlace = { text: 'Marembe', categories: [] }

describe('a plan of figures by group, of portions and of places', () => {
  const planning = (answer: ReadingPlan | string, reading: Reading, question: string) => {
    const text = typeof answer === 'string' ? answer : JSON.stringify(answer)
    return plannerByModel(async () => ({ text, model: 'm' }))({ question, catalogue, reading })
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
    const [first] = (await readingOf({ asks: [groups('Cliniques', subject, more)] })).asks
    return first?.operation
  }

  it('may have a figure of each group, an order of groups, and a test of groups', async () => {
    assert.deepEqual(await operationOf({}), { op: 'by', by: lga })
    assert.deepEqual(await operationOf({ measure: 'per_km2', order: 'highest', n: '3' }), {
      op: 'by',
      by: lga,
      measure: 'per_km2',
      order: 'highest',
      n: 3,
    })
    assert.deepEqual(await operationOf({ having: 'none' }), { op: 'by', by: lga, having: { test: 'none' } })
    assert.deepEqual(await operationOf({ having: 'above', number: '5000' }, 't2'), {
      op: 'by',
      by: lga,
      having: { test: 'bounds', above: '5000' },
    })
    assert.deepEqual(await operationOf({ by: 't4', measure: 'max' }, 't3'), {
      op: 'by',
      by: cover.subject,
      measure: 'max',
    })
  })

  it('may have the share that the frames of a condition or of a place have', async () => {
    const portion = ask('Cliniques', 't5', { operation: 'portion' })
    const made = await readingOf({ asks: [portion], conditions: [condition('habitants', 't4c1', 'class')] })
    assert.deepEqual(made.asks[0]?.operation, { op: 'portion' })
    const placed = await readingOf({ asks: [{ ...portion, places: ['marembe'] }] })
    assert.deepEqual(placed.asks[0]?.places, [inMarembe])
  })

  it('may name a state or an LGA of the index, and a unit that the catalogue has', async () => {
    const made = await readingOf({
      asks: [
        ask('Cliniques', 't5', { places: ['MAREMBE'] }),
        ask('habitants', 't2', { places: ['west quay'], isOutside: true }),
        ask('LGA', 'index_lga'),
      ],
    })
    const quay = { text: 'West Quay', categories: [{ subject: wards.subject, label: 'Ward', value: 'WEST QUAY' }] }
    assert.deepEqual(
      made.asks.map(({ places }) => places),
      [[inMarembe], [{ ...quay, isExcluded: true }], []],
    )
    assert.deepEqual(made.places, [inMarembe, { ...quay, isExcluded: true }])
  })

  const excluded = { ...inMarembe, isExcluded: true } as const
  const refusals: [fault: string, answer: Partial<ReadingPlan>, reason: RegExp, places?: NamedPlace[]][] = [
    ['groups of what is no unit', { asks: [groups('LGA', 't5', { by: 'index_area' })] }, /schema/],
    ['groups of a category by itself', { asks: [groups('LGA', 't4', { by: 't4' })] }, /cannot be compared/],
    ['a density of what cannot be added', { asks: [groups('LGA', 't3', { measure: 'per_km2' })] }, /does not have/],
    ['an order of most common classes', { asks: [groups('LGA', 't4', { order: 'highest' })] }, /does not have/],
    ['a group for a figure of all frames', { asks: [ask('LGA', 't5', { by: 'index_lga' })] }, /groups without use/],
    ['a number of groups in no order', { asks: [groups('LGA', 't5', { n: '3' })] }, /number without use/],
    [
      'a test with a number of its own',
      { asks: [groups('LGA', 't5', { having: 'above', number: '4000' })] },
      /a number that is not in the question/,
    ],
    [
      'an order and a test',
      { asks: [groups('LGA', 't5', { order: 'lowest', having: 'any' })] },
      /groups in an order that pass a test/,
    ],
    [
      'two comparisons, one of them of groups',
      {
        asks: [groups('LGA', 't5', { having: 'above', number: '5000' })],
        conditions: [condition('habitants', 't2', 'above', '7000')],
      },
      /two comparisons/,
    ],
    [
      'frames by a number that single features have',
      { asks: [ask('LGA', 't5')], conditions: [condition('habitants', 't7', 'above', '5000')] },
      /a test that its subject does not have/,
    ],
    ['a portion of all frames', { asks: [ask('LGA', 't5', { operation: 'portion' })] }, /portion without a condition/],
    ['a place that nothing has', { asks: [ask('LGA', 't5', { places: ['premiers'] })] }, /neither the index nor/],
    [
      'a place of the index that is not asked for',
      { asks: [ask('LGA', 't5', { places: ['Lakeside'] })] },
      /not in the/,
    ],
    ['an outside of no place', { asks: [ask('LGA', 't5', { isOutside: true })] }, /outside of no place/],
    [
      'another place than that of the question',
      { asks: [ask('LGA', 't5', { places: ['West Quay'] })] },
      /place is passed over/,
      [inMarembe],
    ],
    [
      'the inside of a place that is left out',
      { asks: [ask('LGA', 't5', { places: ['Marembe'] })] },
      /leaves out/,
      [excluded],
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
