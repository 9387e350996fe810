import assert from 'node:assert/strict'
import type { Catalogue } from '../../src/core/insight/reading/catalogue.js'
import { nameIndex } from '../../src/core/insight/reading/names.js'
import type { Reading } from '../../src/core/insight/reading/reading.js'
import { unknownWordsIn } from '../../src/core/insight/reading/unused.js'
import { wordsOf } from '../../src/core/insight/reading/words.js'

const NOTHING: Reading = { asks: [], unknown: [], unanswered: [], wants: 'figures' }
const none: Catalogue = {
  topics: [],
  names: nameIndex([], new Map()),
  stemOf: (word) => word.replace(/s$/, ''),
  units: new Map(),
  allUnits: new Map(),
  placeCues: new Map(),
  suggestions: new Map(),
}

/** Nothing accounts for any word of the question. */
const found = (question: string, catalogue = none) => {
  const unknown = wordsOf(question).map(({ text }) => text)
  return unknownWordsIn({ question, reading: { ...NOTHING, unknown }, catalogue })
}

describe('the unknown words of a question', () => {
  it('are folded, each once, without the signs around them', () => {
    const cases: [question: string, words: string[]][] = [
      ['Dwellings, DWELLINGS and "dwellings"?', ['dwellings']],
      ['Où sont les ÉCOLES (primaires)', ['sont', 'les', 'ecoles', 'primaires']],
      ["the governor's residence", ['governor', 'residence']],
      ['soil-salt / sand/gravel', ['soil', 'salt', 'sand', 'gravel']],
      ['больницы', ['больницы']],
    ]
    for (const [question, words] of cases) assert.deepEqual(found(question), words, question)
  })

  it('are none that the service, a dataset or the index has', () => {
    assert.deepEqual(found('how many dwellings in total'), ['dwellings'])
    const catalogue = {
      ...none,
      names: { ...none.names, stems: new Set(['dwelling']) },
      units: new Map(['marembe north'].map((phrase) => [phrase, []])),
    }
    assert.deepEqual(found('dwellings and zeppelins of Marembe', catalogue), ['zeppelins'])
  })

  it('have letters alone, from 3 to 30', () => {
    const long = 'w'.repeat(30)
    assert.deepEqual(found(`ab abc ${long} ${long}w`), ['abc', long])
    for (const text of ['2030', 'pm10', '3rd', '+234 803 555 0199', '08035550199', 'zeppelin-2', 'ü', '---'])
      assert.deepEqual(found(text), [], text)
  })

  it('are no part of an address, a key or a path', () => {
    for (const text of [
      'ada.obi@example.org',
      '<ada.obi@example.org>',
      'ada@localhost',
      'mailto:ada@example.org',
      'https://example.org/private/report',
      'www.example.org',
      'svc_sk_AbCdEfGhIjKl',
      'key:AbCdEf9hIjKl',
      'C:\\Users\\ada',
      'ada\u200bobi',
    ])
      assert.deepEqual(found(text), [], text)
  })
})
