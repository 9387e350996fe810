/** Reads questions by a catalogue of a few topics, without a database. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { unitNamesOf, unitsNamed } from '../../src/core/insight/reading/unit-names.js'
import { readQuestion } from '../../src/core/insight/reading/read.js'
import type { Topic } from '../../src/core/insight/reading/topic.js'
import { plainWordsOf } from '../../src/core/insight/reading/words.js'
import { sampleOfCases } from '../support/sample.js'
import { attribute, catalogueOf, category, features, property, topicOf } from './made-catalogue.js'

const people = { unit: 'people', names: ['population', 'people', 'residents', 'how many people', 'how many live'] }
const topics: Topic[] = [
  attribute('pop_25', 'Population, 2025 estimate', { ...people, years: [2025] }),
  attribute('pop_26', 'Population, 2026 estimate', { ...people, years: [2026] }),
  attribute('bld_ct', 'Buildings', { unit: 'buildings', names: ['houses'] }),
  attribute('phy_elev', 'Mean elevation', { unit: 'm', summary: 'weighted_mean', names: ['elevation', 'how high'] }),
  attribute('mkt_time', 'Time to the nearest market', { unit: 'minutes', summary: 'weighted_mean' }),
  features('stalls', 'Market stalls', { names: ['market'] }),
  attribute('phy_slope', 'Mean slope', { unit: 'degrees', summary: 'weighted_mean', names: ['slope', 'how steep'] }),
  category('phy_cover', 'Land cover', ['Cropland', 'Forest', 'Mangrove']),
  category('cul_lang', 'Main language', ['Isale', 'Marem'], ['language', 'what do people speak']),
  category('cul_rural', 'Rural or urban', ['Rural', 'Urban']),
  category('adm_state', 'State', ['MAREMBE']),
  category('adm_ward', 'Ward', ['ISALE', 'WEST QUAY', 'MANGROVE']),
  features('schools', 'Schools', { names: ['school'] }),
  topicOf({ kind: 'property', layerId: 'schools', property: 'pupils' }, 'pupils', { kind: 'points' }),
  topicOf({ kind: 'property', layerId: 'schools', property: 'teachers' }, 'teachers', { kind: 'points' }),
  property('schools', 'level', ['Primary', 'Secondary']),
  property('schools', 'boarding', ['false', 'true']),
  property('schools', 'lit', ['no', 'yes']),
  property('roads', 'surface', ['Gravel', 'Paved']),
  features('clinics', 'Clinics', { names: ['hospital'] }),
  features('roads', 'Main roads', { kind: 'lines', names: ['road'] }),
  features('reserves', 'Nature reserves', { kind: 'polygons' }),
]

const catalogue = catalogueOf(topics)
const read = (question: string) => readQuestion(catalogue, question)

/** One question of each kind of figure. */
const EXAMPLES = [
  'How many people live here?', 'Compare the population of these frames.', 'How many people live where the slope is above 5 degrees?',
  'What is the total population?', 'What is the average number of schools per frame?', 'How many people live in each frame?',
  'What is the median population?', 'Which two frames have the most people?', 'Rank the frames by population.',
  'What are the top 3 frames by buildings?', 'What is the range of elevation?', 'How sure is the number of people?',
  'What is the most common land cover?', 'How has the population changed?', 'Is the population growing?',
  'How many people are there per square kilometre?', 'How many people are there per school?', 'What share of people live in urban frames?',
  'What are the names of the schools?', 'How long are the main roads?', 'How large are the nature reserves?',
  'How many people live in each ward?', 'How sure is the number of people in each ward?', 'List the wards by number of schools.',
  'Which ward has the most people?', 'In which wards do more than half of the people live in rural frames?', 'Which wards have no school?',
  'Which ward is the largest?', 'How many frames are there in each ward?', 'What ward is this?', 'Which frames have no clinic?',
  'How many frames are there?', 'What share of urban frames have a school?', 'What percentage is cropland?', 'What share of each ward is cropland?',
  'Which ward has the most cropland?', 'How many frames are urban?', 'How big is this area?', 'What share of the land has no school?', 'Where is this?',
] // prettier-ignore

describe('the reading of questions', () => {
  it('answers a question of each kind of figure, whole', () => {
    for (const example of EXAMPLES) {
      const { asks, unknown, unanswered } = read(example)
      assert.deepEqual([...unknown, ...unanswered], [], example)
      assert.ok(asks.length > 0, example)
    }
  })

  it('is the same where columns and classes have the words of the language as names', () => {
    const columns = ['a', 'the', 'No', 'with', 'how'].map((name) => attribute(`odd_${name}`, name, {}))
    const odd = catalogueOf([...topics, ...columns, category('odd_answer', 'Answer', ['Yes', 'No', 'None'])])
    for (const example of EXAMPLES) assert.deepEqual(readQuestion(odd, example), read(example), example)
  })

  it('names any other word of content, or reads another question', () => {
    const examples = fc.constantFrom(...EXAMPLES.map((example) => example.replace(/[?.]$/, '')))
    const content = fc.constantFrom(
      ...'women cheap yesterday rich burned twice not except below oldest rate second 2019 37 Lagos monthly half never than'.split(
        ' ',
      ),
      ...'sick other nearest poor illiterate more less without private change will near'.split(' '),
    )
    const place = fc.nat(12)
    fc.assert(
      fc.property(examples, content, place, (example, word, at) => {
        fc.pre(!example.toLowerCase().includes(word))
        const all = example.split(' ')
        all.splice(Math.min(at, all.length), 0, word)
        // "These 37 frames" are the frames of the call.
        fc.pre(!/these \d/i.test(all.join(' ')))
        const [plain, longer] = [read(example), read(all.join(' '))]
        const said = [...longer.unknown, ...longer.unanswered].join(' ').toLowerCase()
        assert.ok(said !== '' || JSON.stringify(longer.asks) !== JSON.stringify(plain.asks), all.join(' '))
        if (!/^(not|except|below|rate|2019|37|half|more|less|without|change|than)$/.test(word))
          assert.ok(said.includes(word.toLowerCase()), `${all.join(' ')}: ${said}`)
      }),
      sampleOfCases(150, 20_000),
    )
  })

  const refused: readonly [question: string, said: RegExp][] = [
    ['the largest school', /largest/],
    ['people in the frame with the most schools', /most/],
    ['which wards with a school have the most people and no clinic', /./],
    ['average school', /average/],
    ['which ward has the most schools and the fewest clinics', /fewest/],
    ['the three steepest frames and their population', /population/],
    ['are there more schools than clinics', /more|than/],
    ['how many horses live here', /horses/],
    ['what is the longest clinic', /longest/],
    ['what share of the people are people', /people/],
    ['which frame has the most people and how many schools does it have', /schools/],
    ['how many people live in the whole country', /country/],
    ['which frame has the most pupils', /most/],
    ['which land cover types are there', /types/],
    ['which secondary schools are there, and how many pupils do they have', /pupils/],
  ]
  const whole: readonly [question: string, ...parts: string[]][] = [
    ['people in frames with a school or a clinic', '"any":[{"of":"schools","above":"0"},{"of":"clinics","above":"0"}]'],
    ['how many schools have more than 300 pupils', '"where":{"name":"pupils","above":"300"}'],
    ['how many frames lie within 5 km of a clinic', '"near":"clinics","metres":5000'],
    ['the largest school by pupils', '"property":"pupils"', '"op":"max"'],
    ['which ward has the second most people', '"by":{"level":"ward"}', '"order":"highest","nth":2'],
    ['what share of the rural population lives without a school', '"op":"percent"', '"is":["Rural"]', '"equals":"0"'],
    [
      'pupils per teacher in secondary schools',
      '"op":"ratio"',
      '"where":{"name":"level","is":["Secondary"]},"how":"sum","subject":{"name":"pupils"}',
    ],
    ['which district has the most people', '"by":{"level":"lga"}'],
    ['schools and clinics together', '"op":"sum"'],
    ['how many schools are lit', '"op":"class","value":"yes"'],
    ['schools that are not lit', '"op":"class","value":"no"'],
    ['pupils of the secondary schools', '"name":"pupils"', '"is":["Secondary"]'],
    ['how long are the gravel roads', '"extent":true', '"is":["Gravel"]'],
    ['how long is the Isale Road', '"extent":true', '"has":"isale"'],
    ['what is the longest road', '"extent":true', '"by":{"each":true}', '"order":"highest","n":1'],
    ['three shortest gravel roads', '"extent":true', '"is":["Gravel"]', '"order":"lowest","n":3'],
    ['what is the largest reserve', '"extent":true', '"by":{"each":true}', '"order":"highest","n":1'],
  ]
  for (const [question, ...parts] of whole)
    it(`answers "${question}" whole`, () => {
      const { unknown, unanswered, asks } = read(question)
      assert.deepEqual([...unknown, ...unanswered], [])
      for (const part of parts) assert.ok(JSON.stringify(asks).includes(part), JSON.stringify(asks))
    })

  it('takes both totals of a share from the same frames', () => {
    for (const question of [
      'what share of the people in urban frames are houses',
      'what share of the people in West Quay are houses',
    ]) {
      const { asks, unknown, unanswered } = read(question)
      assert.deepEqual([...unknown, ...unanswered], [], question)
      const text = JSON.stringify(asks)
      assert.match(text, /"op":"percent"/)
      assert.equal(text.split(/"Urban"|"WEST QUAY"/).length, 3, text)
    }
  })

  for (const [question, said] of refused)
    it(`does not answer "${question}" in silence`, () => {
      const { unknown, unanswered, asks } = read(question)
      assert.match([...unknown, ...unanswered].join(' '), said)
      assert.ok(asks.some(({ isNearest }) => isNearest) || asks.length === 0)
    })

  it('answers about the country where the figures are those of the country', () => {
    for (const country of ['the country', 'Velmora']) {
      const { unknown, unanswered } = readQuestion(catalogue, `how many people live in ${country}`, {
        level: 'country',
      })
      assert.deepEqual([...unknown, ...unanswered], [])
    }
    assert.match(read('how many people live in Velmora').unanswered.join(), /Velmora/)
  })

  for (const question of ['which school has the most pupils', 'most pupils of a school'])
    it(`reads the extreme of a property: ${question}`, () => {
      const { asks, unknown, unanswered } = read(question)
      assert.deepEqual([...unknown, ...unanswered], [])
      assert.deepEqual(
        asks.map(({ subject, operation }) => [Object.values(subject).at(-1), operation.op]),
        [['pupils', 'max']],
      )
    })

  it('counts the features of a class, and selects the frames that have one', () => {
    const asked: [question: string, ...asks: object[]][] = [
      ['How many primary schools are there?', { level: 'Primary' }],
      ['Which schools are secondary?', { level: 'Secondary' }],
      ['List the boarding schools', { boarding: 'true' }],
      ['Schools without boarding', { boarding: 'false' }],
      ['How many primary schools and how many secondary schools?', { level: 'Primary' }, { level: 'Secondary' }],
      ['What is the surface of the roads?', { surface: 'usual' }],
    ]
    for (const [question, ...wanted] of asked) {
      const { asks, unknown, unanswered } = read(question)
      const found = asks.map(({ subject, operation }) => ({
        [String('property' in subject && subject.property)]: operation.op === 'class' ? operation.value : operation.op,
      }))
      assert.deepEqual([found, unknown, unanswered], [wanted, [], []], question)
    }
    const [frames] = read('Which frames have a secondary school?').asks
    assert.deepEqual([frames?.operation.op, frames?.where[0]?.test], ['frames', { test: 'class', value: 'Secondary' }])
  })

  it('reads a slip of the keyboard as the one known word that is nearest, and says so', () => {
    const slips: readonly (readonly [question: string, ...words: string[]])[] = [
      ['hw mny peple live here', 'how', 'many', 'people'],
      ['wich ward has the most schols', 'which', 'schools'],
      ['elevaton', 'elevation'],
      ['poplation', 'population'],
    ]
    for (const [question, ...words] of slips) {
      const { readAs, unknown, unanswered, asks } = read(question)
      assert.deepEqual([readAs?.map(({ name }) => name), unknown, unanswered], [words, [], []], question)
      assert.ok(asks.length > 0, question)
    }
    // Another letter makes another word: horses are no houses, and a war is no ward.
    for (const question of [
      'how many horses live here',
      'how many war are there',
      'how many mosques are there',
      'who gives people work',
    ]) {
      const { readAs, unknown, unanswered } = read(question)
      assert.deepEqual(readAs, [], question)
      assert.notDeepEqual([...unknown, ...unanswered], [], question)
    }
  })

  it('finds a misspelled place where nothing else is as near', () => {
    const units = unitNamesOf([
      { level: 'ward', name: 'ALDER', units: 1 },
      { level: 'lga', name: 'ALDER HILLS', units: 1 },
      { level: 'lga', name: 'LAKESIDE', units: 1 },
      { level: 'ward', name: 'LAKESIDES', units: 1 },
      { level: 'lga', name: 'MARSHES', units: 1 },
    ])
    const known = { isKnown: (word: string) => /^(slope|of|in|houses)$/.test(word), vocabulary: ['marches'] }
    const found = (question: string) => unitsNamed(units, plainWordsOf(question), known)
    assert.deepEqual([...found('slope of alder hils').units.keys()], ['alder', 'alder hills'])
    assert.deepEqual([...found('slope of alder hils').slips], [['hils', 'hills']])
    assert.deepEqual([...found('slope in lakesde').slips], [['lakesde', 'lakeside']])
    // A name of the catalogue is as near; a short word alone is no place.
    for (const question of ['in marhes', 'in aldr', 'houses'])
      assert.deepEqual([...found(question).slips], [], question)
  })

  it('ranks units by a rate where a rate is asked', () => {
    const [first, ...others] = read('Which state has the most clinics per 10,000 people?').asks
    assert.deepEqual(others, [])
    assert.deepEqual(first?.operation.op === 'figure' && first.operation.figure, {
      of: { things: 'clinics', place: [], how: 'count' },
      op: 'ratio',
      to: { place: [], subject: { of: 'pop', name: 'pop_26' }, how: 'sum' },
      times: '10000',
      by: { level: 'state' },
      order: 'highest',
      n: 1,
    })
  })

  it('takes a name of a place and of a class as the place behind "in", and as the class beside its category', () => {
    const [place] = read('schools in West Quay and Isale').places ?? []
    assert.equal(place?.text, 'West Quay')
    assert.deepEqual(
      read('schools in Isale').places?.map(({ text, otherwise }) => [text, otherwise?.test.test]),
      [['Isale', 'class']],
    )
    assert.deepEqual(read('how many frames have the main language Isale').places, [])
    assert.deepEqual(
      read('compare the population of Isale and West Quay').places?.map(({ text }) => text),
      ['Isale', 'West Quay'],
    )
  })

  it('takes a noun for what it counts where others have it as their unit, and a label for its last word, and says so', () => {
    const own = catalogueOf([
      attribute('all', 'Residents', { unit: 'people', counted: ['people'] }),
      attribute('old', 'Pensioners', { unit: 'people' }),
      attribute('rain', 'Annual rainfall', { unit: 'mm', summary: 'mean' }),
      attribute('read', 'Literacy rate', { unit: '%', summary: 'mean' }),
    ])
    const names: readonly (readonly [question: string, attribute: string, readAs: string[]])[] = [
      ['how many people live here', 'all', []],
      ['average rainfall', 'rain', ['Annual rainfall']],
      ['average literacy', 'read', ['Literacy rate']],
    ]
    for (const [question, name, says] of names) {
      const { asks, readAs = [], unknown, unanswered } = readQuestion(own, question)
      assert.deepEqual(
        asks.map(({ subject }) => Object.values(subject).at(-1)),
        [name],
        question,
      )
      assert.deepEqual([readAs.map((each) => each.name), unknown, unanswered], [says, [], []], question)
    }
  })

  it('splits a question where both sides ask', () => {
    const subjects = (question: string) =>
      read(question).asks.map(({ subject, where }) => [Object.values(subject).at(-1), where.length])
    assert.deepEqual(subjects('How many people live here and what is the average slope?'), [
      ['pop_26', 0],
      ['phy_slope', 0],
    ])
    // No figure is of the frames that another part finds.
    assert.match(read('Which frames have no school, and how many people live there?').unanswered.join(), /people/)
    assert.match(read('Where is the land cover forest, and how many people live there?').unanswered.join(), /people/)
    assert.deepEqual(subjects('Elevation of this area and the highest and lowest slope'), [
      ['phy_elev', 0],
      ['phy_slope', 0],
      ['phy_slope', 0],
    ])
    // A figure without a topic of its own is said.
    assert.match(read('Rank by population, the median and the growth from 2025').unanswered.join(), /median/)
    assert.deepEqual(subjects('Population in urban frames and in rural frames'), [
      ['pop_26', 1],
      ['pop_26', 1],
    ])
    assert.deepEqual(subjects('Which frames have a school and a clinic?'), [['schools', 2]])
  })
})
