/** Tests each rule that holds the words around a slot to its facet and to the figures, by the fault that it gives. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fillSlots } from '../../src/insight/slots.js'
import { unaccountedNumbers } from '../../src/insight/verify.js'

const frameIds = ['700', '701']
const facets = [
  { label: 'Schools', value: '24' },
  { label: 'Shops, total', value: '1,808 shops' },
  { label: 'Population, 2025 estimate, total', value: '900 people' },
  { label: 'Population, 2026 estimate, total', value: '1,000 people' },
  { label: 'Shops, lowest', value: '808 shops in frame 700' },
  { label: 'Shops, highest', value: '1,000 shops in frame 701' },
  { label: 'Shops, average', value: '904 shops' },
  { label: 'Shops, frame 700', value: '808 shops' },
  { label: 'Shops, frame 701', value: '1,000 shops' },
  { label: 'Clinics', value: '0' },
  { label: 'Clinics, frames that have any', value: '0 of 2 frames' },
  { label: 'Ward', value: 'Rumueme (7A)' },
  { label: 'Land cover, most common', value: 'Forest (1 of 2 frames, 50 %)' },
  { label: 'Rural or urban, most common', value: 'Urban (2 of 2 frames, 100 %)' },
  { label: 'Frames', value: '2 frames' },
  { label: 'Area', value: '11.08 km²' },
  { label: 'Mean elevation, average by area', value: '128.96 m' },
  { label: 'Two-storey houses II', value: '7' },
]
const facts = { headline: 'Schools: 24', facets, frames: 2, frameIds }
const SLOTS: Readonly<Record<string, number>> = Object.fromEntries(
  'S SH P25 P26 LOW HIGH AVG A B C CA W LC RU F AREA E TWO'.split(' ').map((name, i) => [name, i + 1]),
)
const template = (text: string) =>
  text.replace(/<(L:)?(\w+)>/g, (_, label: string | undefined, name: string) => `{${label ? 'L' : 'F'}${SLOTS[name]}}`)
const fill = (text: string) =>
  fillSlots(template(text), { question: 'How many schools and wells are there?', facts, sections: [] })
const filledText = (text: string) => {
  const result = fill(text)
  return 'text' in result ? result.text : assert.fail(`${text}: ${result.faults.join(' ')}`)
}

/** Each rule has texts that it refuses with this fault, and texts that it lets pass. */
const rules: Record<string, { fault: RegExp; refused: string[]; passed: string[] }> = {
  'a name before a slot is that of its facet': {
    fault: /stands where/,
    refused: ['Schools: <SH>.', 'Shops number <S>.', 'There are <S> and the schools number <SH>.', 'Area: <S>.'],
    passed: ['Schools: <S>.', 'Shops number <SH> and schools <S>.', 'The area has <S>.'],
  },
  'a statistic is that of the slot': {
    fault: /does not describe/,
    refused: ['The most shops are <LOW>.', 'On average, shops number <HIGH>.', 'The fewest shops are <HIGH>.'],
    passed: ['The most shops are <HIGH>.', 'On average, shops number <AVG>.', 'The fewest shops are <LOW>.'],
  },
  'a year is that of the slot': {
    fault: /not of its own label/,
    refused: ['The <L:P25> is <P26>.', 'The earlier estimate is <P26>.', 'The latest estimate is <P25>.'],
    passed: ['The <L:P25> is <P25>.', 'The earlier estimate is <P25>.', 'The latest estimate is <P26>.'],
  },
  'a frame is that of the slot': {
    fault: /is not of frame/,
    refused: ['The first frame has <B>.', 'The second frame has <A>.'],
    passed: ['The first frame has <A>.', 'The second frame has <B>.'],
  },
  'a total is not for each frame': {
    fault: /not for each/,
    refused: ['Each frame has <SH>.', 'A frame has <SH>.', 'There are <S> schools in every frame.'],
    passed: ['A frame has <AVG> on average.'],
  },
  'a class before a figure is that of all frames': {
    fault: /not of all frames/,
    refused: ['The forest has <S> schools.'],
    passed: ['The urban area has <S> schools.', 'The land cover is forest (<LC>).'],
  },
  'a figure of the frames is not that of the ward': {
    fault: /of the frames, not of the whole place/,
    refused: ['<W> has <S> schools.', 'Rumueme has <S> schools.'],
    passed: ['The frames in <W> have <S> schools.', 'Around <W> there are <S> schools.'],
  },
  'before a slot stand listed words only': {
    fault: /may not stand before/,
    refused: [
      'Schools number around <S>.',
      'Schools number over <S>.',
      'The land lies at <S>.',
      'The part of <S> is here.',
    ],
    passed: [
      'Schools number <S>.',
      'Over <F> there are <S> schools.',
      'The land lies at <E>.',
      'There is a total of <S>.',
    ],
  },
  'behind a slot stand listed words only': {
    fault: /may not stand behind/,
    refused: ['There are <S> or so schools.', 'There are <S> at most.', 'There are <S> schools and others.'],
    passed: ['There are <S> schools in the area.', 'There are <S> schools and <SH>.'],
  },
  'every word is listed or is of the data': {
    fault: /is not a word of the labels/,
    refused: [
      'There are <S> mosques.',
      'Lagos has <S> schools.',
      'Akwai makarantu, <S>.',
      'The closed schools number <S>.',
    ],
    passed: ['There are <S> schools, in <W>, an urban area.'],
  },
  'a negation needs a zero, or a figure that is not there': {
    fault: /negation is refused/,
    refused: [
      'There are no schools on <AREA>.',
      'The schools do not number <S>.',
      'No facet gives the schools: <AREA>.',
    ],
    passed: [
      'The clinics number <C>: none of the frames has any (<CA>).',
      'There are no clinics: <C>.',
      'No facet gives the number of wells. Schools: <S>.',
    ],
  },
  'a trend is that of two years': {
    fault: /trend is refused/,
    refused: ['The population has fallen to <P26>.', 'Shops have grown to <SH>.'],
    passed: ['The population has risen to <P26>.', 'The population grew from <P25> to <P26>.'],
  },
  'a comparison is true': {
    fault: /comparison with "than"/,
    refused: ['<P25> is more than <P26>.', 'Schools are more than shops, <SH>.'],
    passed: ['<P26> is more than <P25>.'],
  },
  'a range goes from the lower to the higher': {
    fault: /are no range/,
    refused: ['Shops range from <HIGH> to <LOW>.', 'The shops are between <HIGH> and <LOW>.'],
    passed: ['Shops range from <LOW> to <HIGH>.', 'The shops are between <LOW> and <HIGH>.'],
  },
  'what is alike is alike': {
    fault: /are not alike/,
    refused: ['Shops are similar, at <A> and <B>.', 'Shops are equal, at <A> and <B>.'],
    passed: ['The populations are similar, at <P25> and <P26>.'],
  },
  '"more" has a figure to compare with': {
    fault: /"More" and "less"/,
    refused: ['There are more schools, <S>.', 'The first frame has more shops, <A>, compared with <B>.'],
    passed: ['The second frame has more shops, <B>, compared with <A>.'],
  },
  '"respectively" follows the order of the frames': {
    fault: /not in that order/,
    refused: ['The frames have <B> and <A>, respectively.'],
    passed: ['The frames have <A> and <B>, respectively.'],
  },
  'nothing is told of what is outside the frames': {
    fault: /outside the frames/,
    refused: ['Beyond the frames there are <S> schools.'],
    passed: ['Nothing is given beyond the figures. Schools: <S>.'],
  },
  'what every frame has is in a figure': {
    fault: /every frame has it/,
    refused: ['All frames have a clinic. Schools: <S>.'],
    passed: ['All frames have an area. The area is <AREA>.'],
  },
  'the character of the place is in the data': {
    fault: /No figure says that the place/,
    refused: ['It is a village of <P26>.', 'The terrain is gentle, at <E>.'],
    passed: ['It is a town of <P26>.'],
  },
  'all of it needs a share of all frames': {
    fault: /do not say that all/,
    refused: ['It is entirely forest: <LC>.'],
    passed: ['It is entirely urban: <RU>.'],
  },
  'a sentence that names a label gives its figure': {
    fault: /gives no figure of it/,
    refused: ['There are clinics here. Schools: <S>.', 'The shops are near. Schools: <S>.'],
    passed: ['Here are the figures of schools. Schools: <S>.'],
  },
  'an extreme needs a slot': {
    fault: /which is highest or lowest/,
    refused: ['The highest frame is here. Schools: <S>.'],
    passed: ['The overall figures are short. Schools: <S>.'],
  },
  'a sentence has an end': {
    fault: /sentence is too long/,
    refused: [`Schools: <S> ${'and the area '.repeat(100)}.`],
    passed: ['Schools: <S>.'],
  },
  'a number word of a label stays a number word': {
    fault: /is a number word/,
    refused: ['The two-storey houses number <TWO>.'],
    passed: ['<L:TWO>: <TWO>.'],
  },
  'a Roman numeral of a label stays a number': {
    fault: /a number outside the slots/,
    refused: ['The storey houses II number <TWO>.', 'The storey houses number 7: <TWO>.'],
    passed: ['The storey houses number <TWO>.'],
  },
  'links, entities, rules and markup are refused': {
    fault: /Links and entities|Rules of dashes|characters are refused|brace that is no slot/,
    refused: [
      'See here.area, <AREA>.',
      'It is &area; <AREA>.',
      '---\nArea: <AREA>.',
      '*The area* is <AREA>.',
      'It {is} <AREA>.',
    ],
    passed: ['- Area: <AREA>.\n- Schools: <S>.'],
  },
}

describe('the words of a template', () => {
  for (const [rule, { fault, refused, passed }] of Object.entries(rules)) {
    it(`follow the rule: ${rule}`, () => {
      for (const text of refused) {
        const result = fill(text)
        assert.ok('faults' in result, `passed: ${text}`)
        assert.match(result.faults.join(' '), fault, text)
      }
      for (const text of passed) filledText(text)
    })
  }

  it('may name what code can count: frames, their order, and an enumeration', () => {
    assert.equal(filledText('The two frames hold <SH>.'), 'The 2 frames hold 1,808 shops.')
    assert.equal(filledText('First, the schools: they number <S>.'), 'The schools: they number 24 schools.')
    assert.equal(
      filledText('The first frame has <A>, the second has <B>.'),
      'Frame 700 has 808 shops, frame 701 has 1,000 shops.',
    )
    assert.equal(
      filledText('Of the pair, one of the frames has <HIGH>.'),
      'Of the 2 frames, one of the frames has 1,000 shops in frame 701 (highest).',
    )
    assert.ok('faults' in fill('The three frames hold <SH>.'))
  })

  it('may name a place whose name holds a digit and a parenthesis', () => {
    const text = filledText('The ward is <W>, and schools number <S>.')
    assert.equal(text, 'The ward is Rumueme (7A), and schools number 24.')
    assert.deepEqual(unaccountedNumbers(text, facts), [])
  })

  it('hold no number of their own, whatever they are, and change no value', () => {
    const words =
      'the schools shops number total is are of and in has with <S> <SH> <LOW> <P26> , . : ( ) five 7 VII dozen more'.split(
        ' ',
      )
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...words), { maxLength: 14 }), (some) => {
        const result = fill(some.join(' '))
        if ('faults' in result) return
        assert.deepEqual(unaccountedNumbers(result.text, facts), [], result.text)
        for (const word of some) {
          const place = SLOTS[/^<(\w+)>$/.exec(word)?.[1] ?? '']
          if (place !== undefined) assert.ok(result.text.includes(facets[place - 1]?.value ?? '?'), result.text)
        }
        assert.doesNotMatch(some.join(' '), /five|(?<![<\w])\d|VII|dozen/)
      }),
      { numRuns: 3000 },
    )
  })

  it('are judged in little time, also if the text is as long as it may be', () => {
    const sentence = template('Schools number <S>, and the area has <SH>. ')
    const text = sentence.repeat(Math.floor(5900 / sentence.length))
    // It takes 14 ms. Other programs on the machine slow some runs down: the fastest run counts.
    const times = Array.from({ length: 15 }, () => {
      const from = process.cpuUsage()
      fill(text)
      const { user, system } = process.cpuUsage(from)
      return user + system
    })
    assert.ok(Math.min(...times) < 150_000, `${Math.min(...times)} µs`)
  })
})
