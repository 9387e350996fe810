import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { csvCell } from '../../src/core/csv.js'

describe('a cell of a CSV file', () => {
  const read = (cell: string): string => parse(`a,${cell},b\r\n`)[0]?.[1] ?? ''

  it('is never a formula, whatever the text', () => {
    const begins = ['=1+1', '+1+1', '-1-1', '@SUM(A1)', '\t=1', '\r=1', '\n=1', '＝1', '-2+3+cmd|" /C calc"!A0']
    for (const text of begins) assert.equal(read(csvCell(text)), `'${text}`)
    const dangerous = fc
      .tuple(fc.constantFrom('=', '+', '-', '@', '\t', '\r', '\n'), fc.string())
      .map((parts) => parts.join(''))
    fc.assert(
      fc.property(fc.oneof(fc.string({ unit: 'binary' }), dangerous), (text) => {
        assert.doesNotMatch(read(csvCell(text)), /^[=@\t\r\n]|^[+-](?![\d.]+(e[+-]?\d+)?$)/i)
      }),
    )
  })

  it('holds the text that it was made of', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary' }), (text) => {
        const cell = read(csvCell(text))
        assert.ok(cell === text || cell === `'${text}`, JSON.stringify({ text, cell }))
      }),
    )
  })

  it('keeps numbers, instants and blanks as they are, and every text where the guard is off', () => {
    for (const text of ['-1.5', '+3', '-1e5', '-.5']) assert.equal(csvCell(text), text)
    assert.equal(csvCell('=1,1', { guards: false }), '"=1,1"')
    assert.equal(csvCell(-3), '-3')
    assert.equal(csvCell(new Date(0)), '1970-01-01T00:00:00.000Z')
    assert.equal(csvCell(null), '')
  })
})
