/** Tests which slots the template of a model may have, and which words may stand around them. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { fillSlots } from '../../src/insight/slots.js'
import type { LabelledValue } from '../../src/insight/verify.js'
import { facets } from './clinics.js'

const inputWith = (some: readonly LabelledValue[]) => ({
  question: undefined,
  facts: { facets: some, frames: 4, frameIds: ['35640905'] },
})
const filledText = (template: string) => {
  const result = fillSlots(template, inputWith(facets))
  return 'text' in result ? result.text : assert.fail(result.faults.join(' '))
}
const isRefused = (template: string) => 'faults' in fillSlots(template, inputWith(facets))

const valued = (value: string) => ({ label: '', value })
const listed = (text: string) => text.split('|')

describe('a template', () => {
  it('is filled with the values as they stand', () => {
    assert.equal(
      filledText('The ward is {F4}, with {F1} clinics. The population total is {F2}; its highest is {F3}.'),
      'The ward is GRA 2, with 12 clinics. The population total is 1,234 people; its highest is 800 people in frame 35640905.',
    )
  })

  it('may have a slot wherever a sentence has a value', () => {
    for (const template of [
      'There are {F1} clinics in the area.',
      'Clinics: {F1}.',
      'The clinics (“{F1}”) — all of them — are in the ward; the ward’s own are counted.',
      'Are there {F1} clinics? There are {F1}!',
      'Clinics number {F1}, and the ward is {F4}’s.',
      'Clinics: {F1} here.',
      'Clinics counted: {F1}.',
      'The area has {F2}.',
      'The area has a population of {F2}, and its clinics number {F1}.',
      'Around {F4} there are {F1} clinics; one of the frames has {F3}.',
    ]) {
      filledText(template)
    }
  })

  it('may have a slot for a label, which may hold a number', () => {
    const estimates = [
      { label: 'Population, 2025 estimate', value: '800 people' },
      { label: 'Population, 2026 estimate', value: '900 people' },
    ]
    assert.deepEqual(fillSlots('The {L1} is {F1}. {L2}: {F2}.', inputWith(estimates)), {
      text: 'The Population, 2025 estimate is 800 people. Population, 2026 estimate: 900 people.',
    })
    for (const template of ['The {L1} is {F2}.', '{L2}: {F1}.', 'It is {L1}.', '{L1} {F1}', '{L3} is {F1}']) {
      assert.ok('faults' in fillSlots(template, inputWith(estimates)), template)
    }
  })

  it('keeps a value as it is, also one that looks like a slot or like a pattern of replacement', () => {
    for (const value of ['{F2}', '$&', "$'", '$1', '{F1}']) {
      assert.deepEqual(fillSlots('It is {F1}.', inputWith([valued(value), valued('other')])), {
        text: `It is ${value}.`,
      })
    }
  })

  const refused: Record<string, string[]> = {
    'a digit, also where it equals a figure': [
      'There are 12 clinics, {F1}.',
      'There are 1,234 people: {F2}.',
      'Ward GRA 2 is {F4}.',
      '{F1} clinics in frame 35640905',
      '{F1}5',
      '5{F1}',
      '{F1}0 clinics',
    ],
    'a digit of another script or shape': listed('١٢|१२|１２|⑫|½|m²|Ⅻ|𝟏𝟐|௧|〇|十二').map(
      (number) => `${number} is {F1}`,
    ),
    'a number word': listed(
      'zero|one|two|three|five|eleven|twelve|fifteen|twenty|thirty|forty-two|hundred|thousand|million|billion|dozen|dozens|first|' +
        'second|third|fourth|tenth|twelfth|twentieth|hundredth|half|halves|quarter|both|single|twice|thrice|couple|pair|double|' +
        'tripled|twofold|tenfold|hundreds|tens|twenties|nil|nought|crore|lakh|Twelve|TWELVE|twenty-first|ones|twelvé|twe\u0301lve|' +
        'twel-ve|ｔｗｅｌｖｅ|ﬁve|fıve|𝐭𝐰𝐞𝐥𝐯𝐞|deux|doce|zwölf|biyu|goma|meji|itoolu|moja|t w e l v e|t-w-o|XII|IV|V',
    ).map((word) => `There are ${word} of {F1} clinics.`),
    'a slot that does not exist': listed(
      '{F5}|{F0}|{F01}|{f1}|{ F1 }|{F1|F1}|{F-1}|{F1.5}|{{F1}}|{F999}|{L9}|{X1}|{}|{F١}',
    ).map((slot) => `There are {F1} clinics and ${slot}.`),
    'a sign, a unit or a word that would change a value': listed(
      '-{F1}|- {F1}|+{F1}|minus {F1}|negative {F1}|{F1}%|{F1} percent|{F1} per cent|{F1} million|{F1}k|{F1} k|{F1}{F2}|{F1} {F2}|' +
        '{F1}\n{F2}|{F1}.{F2}|{F1},{F2}|{F1}/{F2}|{F1}-{F2}|{F1}–{F2}|{F1} point {F2}|{F1}th|{F1} times|€{F1}|#{F1}|~{F1}|about {F1}|' +
        'nearly {F1}|more than {F1}|at least {F1}',
    ).map((slot) => `Clinics: ${slot} here.`),
    'the slot of another facet': [
      'Clinics: {F2}.',
      'There are {F2} clinics and {F1} in population total.',
      'The clinics number {F4}.',
      'The population highest is {F2}.',
      'The population total is {F3}.',
    ],
    'no text, or too much, or no slot': ['', ' \n ', 'There are clinics.', `{F1} ${'and so on '.repeat(700)}`],
    'markup, a link or a character outside plain text': [
      ...listed(
        '<b>{F1}</b>|<script>alert()</script> {F1}|&lt;b&gt; {F1}|&frac12; {F1}|&#x35; {F1}|[here](//a.b) {F1}|![x](y) {F1}|' +
          'https://example.com {F1}|see example.com {F1}|www.example {F1}|# Title\n{F1}|## Title\n{F1}|**{F1}**|_x_ {F1}|`{F1}`|---\nClinics: {F1}',
      ),
      '| a | {F1} |',
      ...listed('\u0000|\u0007|\u200b|\u202e|\u00ad|\u2028|\ud800|\t|клиники|fіve|😀').map(
        (text) => `Clinics ${text}: {F1}.`,
      ),
    ],
  }
  for (const [fault, templates] of Object.entries(refused)) {
    it(`is refused with ${fault}`, () => {
      for (const template of templates) assert.ok(isRefused(template), JSON.stringify(template))
    })
  }

  it('is refused with a value that would act on a page', () => {
    for (const value of [
      '<img src=x>',
      '</p>',
      'a\nb',
      'a\u202eb',
      '![x](y)',
      '[a](b)',
      'https://a.b',
      '&#60;',
      '',
      ' ',
      'a|b',
      'x'.repeat(301),
    ]) {
      assert.ok('faults' in fillSlots('It is {F1}.', inputWith([valued(value)])), JSON.stringify(value))
      assert.ok('text' in fillSlots('It is {F2}.', inputWith([valued(value), valued('< 5 km')])))
    }
  })

  it('never passes a digit of its own', () => {
    const piece = fc.oneof(
      fc.constantFrom(
        '{F1}',
        '{F2}',
        '{F9}',
        '{',
        '}',
        'clinics ',
        ' ',
        '. ',
        'five',
        '12',
        '-',
        ' of ',
        'V',
        '½',
        '\n',
      ),
      fc.string({ unit: 'binary', maxLength: 4 }),
    )
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
        const template = pieces.join('')
        const result = fillSlots(template, inputWith([valued('◆'), valued('◇')]))
        if ('text' in result) assert.doesNotMatch(result.text, /[\p{N}{}<>]|five/u)
      }),
      { numRuns: 3000 },
    )
  })

  it('is judged in little time, also if its text is made to be slow', () => {
    for (const text of [
      'a-'.repeat(2990),
      'a '.repeat(2990),
      '{F1} '.repeat(1190),
      '{F1}, '.repeat(990),
      "a'".repeat(2990),
      '& '.repeat(2990),
      '- '.repeat(2990),
      '\n'.repeat(5990),
      'and '.repeat(1490),
      'ⅷ'.repeat(5990),
      'I'.repeat(5990),
    ]) {
      const many = Array.from({ length: 40 }, (_, i) => ({ label: `Clinics, ${'a '.repeat(i)}`, value: String(i) }))
      // Measures the time of the processor, which other programs do not change.
      const from = process.cpuUsage()
      fillSlots(`{F1}${text}`, inputWith(many))
      const { user, system } = process.cpuUsage(from)
      assert.ok(user + system < 200_000, JSON.stringify(text.slice(0, 10)))
    }
  })
})
