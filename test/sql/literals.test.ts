import assert from 'node:assert/strict'
import fc from 'fast-check'
import pg from 'pg'
import { sqlText } from '../../src/core/db/statement.js'
import * as statements from '../../src/core/db/statements.js'
import { filled, literal } from '../../src/api/inspect/literals.js'
import { sampleOfCases } from '../support/sample.js'
import { service } from '../support/service.js'

/** Leaves each value the text that PostgreSQL sends. */
const asText = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig

describe('a value in the text of a statement', () => {
  let raw: pg.Client
  before(async () => {
    const { target } = service().database
    raw = new pg.Client(typeof target === 'string' ? { connectionString: target } : target)
    await raw.connect()
  })
  after(() => raw.end())

  const rowsOf = async (text: string, values?: readonly unknown[]): Promise<(string | null)[][]> =>
    (await raw.query<(string | null)[]>({ text, values: values as unknown[], rowMode: 'array', types: asText })).rows

  it('changes nothing of a file but its parameters, so that undoing them gives the file', () => {
    for (const statement of Object.values(statements)) {
      const { name, text } = statement
      assert.equal(text, sqlText(name))
      const count = Math.max(0, ...[...text.matchAll(/\$(\d+)/g)].map(([, number]) => Number(number)))
      const args = Array.from({ length: count }, (_, i) => `value ${i + 1} is 'quoted' \\ $1 -- \n`)
      const pasted = filled(text, args)
      const undone = args.reduce((rest, value, i) => rest.replaceAll(literal(value), `$${i + 1}`), pasted)
      assert.equal(undone, text)
      assert.equal(pasted.split('\n').length, text.split('\n').length, `${name}: a value spans lines`)
    }
  })

  it('writes any value so that PostgreSQL reads that very value', async () => {
    const text = fc.string({ unit: 'binary', maxLength: 40 }).map((any) => any.replaceAll('\0', ''))
    const hard = fc.constantFrom(
      "'",
      '\\',
      "\\'",
      "''",
      '--',
      '/*',
      '$1',
      '$$',
      ';',
      '\n',
      '\r\n',
      '\u2028',
      'null',
      '{}',
      '{a,"b"}',
      '',
      ' ',
      'ſ',
      '😀',
      '%s',
      ':x',
    )
    const anyText = fc.oneof(
      text,
      fc.array(fc.oneof(hard, text), { maxLength: 5 }).map((parts) => parts.join('')),
    )
    const number = fc.oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }),
      fc.constantFrom(1e-320, 5e-324, -0, 1.7976931348623157e308, 0.1),
    )
    const id = fc.oneof(fc.bigInt({ min: -(2n ** 63n), max: 2n ** 63n - 1n }).map(String))
    const values = fc.tuple(
      fc.option(anyText),
      fc.array(anyText, { maxLength: 4 }),
      number,
      fc.array(number, { maxLength: 4 }),
      id,
      fc.option(fc.array(id, { maxLength: 4 })),
    )
    const statement = `-- any: $1 stays here.
--   $1 a  text
--   $2 b  text[]
--   $3 c  float8
--   $4 d  float8[]
--   $5 e  bigint
--   $6 f  bigint[]
select $1::text as a, '$2 ''it' as "$3", $2::text[] as b, coalesce($3, 0::float8) as c, $4::float8[] as d, coalesce($5, 0::bigint) as e, $6::bigint[] as f`
    const property = fc.asyncProperty(values, async (args) => {
      assert.deepEqual(await rowsOf(filled(statement, args)), await rowsOf(statement, args))
    })
    await fc.assert(property, sampleOfCases(60, 500))
  })
})
