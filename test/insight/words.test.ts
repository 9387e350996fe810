/** Tests each rule that holds the words around a slot to its facet and to the figures, by the fault that it gives. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { wordRules } from './word-rules.js'
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
  { label: 'Shops, frames that have none', value: '1 of 3 frames' },
  { label: 'Mean elevation, frames above 300 m', value: '1 of 2 frames: 701' },
  { label: 'Schools, pupils, total', value: '5,788 pupils' },
  { label: 'Shops, total, on frames where State is DELTA', value: '70 shops' },
  { label: 'Land cover, Forest', value: '1 of 2 frames, 50 %' },
  { label: 'Land cover, Swamp', value: '1 of 3 frames, 33.3 %' },
  { label: 'Shops, recorded on', value: '1 of 2 frames' },
]
const facts = { headline: 'Schools: 24', facets, frames: 2, frameIds }
const SLOTS: Readonly<Record<string, number>> = Object.fromEntries(
  'S SH P25 P26 LOW HIGH AVG A B C CA W LC RU F AREA E TWO NONE HIGHER PUPILS COND FO SW REC'
    .split(' ')
    .map((name, i) => [name, i + 1]),
)
const template = (text: string) =>
  text.replace(/<(L:)?(\w+)>/g, (_, label: string | undefined, name: string) => `{${label ? 'L' : 'F'}${SLOTS[name]}}`)
const fill = (text: string) =>
  fillSlots(template(text), { question: 'How many schools and wells are there?', facts, sections: [] })
const filledText = (text: string) => {
  const result = fill(text)
  return 'text' in result ? result.text : assert.fail(`${text}: ${result.faults.join(' ')}`)
}

describe('the words of a template', () => {
  for (const [rule, { fault, refused, passed }] of Object.entries(wordRules)) {
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
    assert.equal(filledText('Two facts stand out: <SH> and <S>.'), 'These facts stand out: 1,808 shops and 24 schools.')
    assert.equal(
      filledText('The first frame has <A>, the second <B>.'),
      'Frame 700 has 808 shops, frame 701 has 1,000 shops.',
    )
    assert.ok('faults' in fill('The three frames hold <SH>.'))
  })

  it('may name a place whose name holds a digit and a parenthesis', () => {
    const text = filledText('The ward is <W>, and schools number <S>.')
    assert.equal(text, 'The ward is Rumueme (7A), and schools number 24.')
    assert.deepEqual(unaccountedNumbers(text, facts), [])
  })

  it('may use the names that the catalogue has for a subject', () => {
    const synonyms = facets.map(({ label }) =>
      label.startsWith('Shops')
        ? ['kiosks', 'points of purchase', 'how many shops']
        : label === 'Schools'
          ? ['academies']
          : [],
    )
    const named = (text: string) => fillSlots(template(text), { question: '', facts, sections: [], synonyms })
    assert.deepEqual(named('Academies number <S>.'), { text: 'Academies number 24.' })
    assert.deepEqual(named('The points of purchase number <SH>.'), {
      text: 'The points of purchase number 1,808 shops.',
    })
    assert.ok('faults' in named('The points of purchase number <S>.'))
    assert.ok('faults' in named('Academies number <SH>.'))
    assert.ok('faults' in fill('Academies number <S>.'))
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
