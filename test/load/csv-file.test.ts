/** The reader of CSV, held against another one. */
import assert from 'node:assert/strict'
import { parse } from 'csv-parse/sync'
import { openCsv } from '../../src/core/text-file/index.js'
import { randomNumbers } from '../support/random-numbers.js'
import { sample } from '../support/sample.js'

const CELLS = ['', 'a', 'b c', '5"', '"x,y"', '"p""q"', '""', '"u\nv"', '"\r\n"', '""""', '"""a"', ' z', '007']
const BETWEEN = [',', ',', ',', '\n', '\r\n']

describe('a CSV file', function () {
  this.timeout(60_000)
  it('is read as csv-parse reads it, in pieces of any size: quotes, line breaks in cells, empty lines', async () => {
    const random = randomNumbers(4180)
    const oneOf = (all: readonly string[]) => all[Math.floor(random() * all.length)] ?? ''
    for (let turn = 0; turn < sample(1000, 100_000); turn += 1) {
      const parts = Array.from({ length: Math.floor(random() * 30) }, () => oneOf(CELLS) + oneOf(BETWEEN))
      const text = `${turn % 2 === 0 ? '\uFEFF' : ''}h,k,l\n${parts.join('')}${turn % 3 === 0 ? 'end' : ''}`
      const bytes = Buffer.from(text)
      const cut = Math.floor(random() * bytes.length)
      const { head, rows } = await openCsv(pieces(bytes.subarray(0, cut), bytes.subarray(cut)))
      const read = [head]
      for await (const row of rows) read.push(row)
      const options = { bom: true, relax_column_count: true, relax_quotes: true, skip_empty_lines: true }
      const expected = parse(text, { ...options, record_delimiter: ['\r\n', '\n'] })
      assert.deepEqual(
        read.map(({ cells }) => cells),
        expected,
        JSON.stringify(text),
      )
      const lines = text.split('\n')
      for (const { line, cells } of read)
        assert.ok(lines[line - 1]?.includes(cells[0]?.split(/["\r\n]/)[0] ?? ''), text)
    }
  })
})

async function* pieces(...all: Buffer[]): AsyncGenerator<Buffer> {
  yield* all.filter(({ length }) => length > 0)
}
