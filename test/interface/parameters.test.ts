import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { description, validatorOf, type Operation, type Parameter } from '../support/description.js'
import { sampleOfCases } from '../support/sample.js'
import { errorOf, request } from '../support/service.js'

const RUNS = sampleOfCases(10, 40)
const ajv = new Ajv2020({ strict: true })

/** The calls with parameters. */
const gets = Object.entries(description.paths).flatMap(([path, { get }]) =>
  get && get.security.length > 0 ? [{ path, get }] : [],
)
const queryParameters = ({ parameters = [] }: Operation) => parameters.filter(({ in: place }) => place === 'query')

/** The other parameters of the first example that has this one. */
function beside(operation: Operation, name: string): [string, string][] {
  const parameters = queryParameters(operation)
  const example = Object.keys(parameters.find((each) => each.name === name)?.examples ?? {})[0]
  const named = parameters.filter((each) => each.name !== name && example !== undefined && each.examples?.[example])
  const needed = parameters.filter((each) => each.name !== name && each.required)
  const others =
    example === undefined ? [...needed, ...parameters.filter(({ name: other }) => other === 'state')] : named
  return others.map((each) => {
    const [shown] = Object.values(each.examples ?? {})
    return [each.name, String((each.examples?.[example ?? ''] ?? shown)?.value)]
  })
}

/** The call with this parameter as it is sent. */
function callWith(path: string, operation: Operation, name: string, value: string): string {
  const pairs = [...beside(operation, name), [name, value] as const]
  return `${path}?${pairs.map(([key, each]) => `${key}=${encodeURIComponent(each)}`).join('&')}`
}

/** Values that the schema allows, as they stand in a query string. */
function allowed({ schema }: Parameter): fc.Arbitrary<string> {
  const { type, minimum, maximum, pattern } = schema as {
    type: string
    minimum: number
    maximum: number
    pattern: string
  }
  if (type === 'boolean') return fc.constantFrom('true', 'false')
  if (type === 'integer') return fc.integer({ min: minimum, max: maximum }).map(String)
  if (type === 'number') return fc.double({ min: minimum, max: maximum, noNaN: true }).map(String)
  const texts = fc.stringMatching(new RegExp(pattern), { maxLength: 400 })
  const lists = [99, 100, 101].map((count) => Array(count).fill('1').join(','))
  const edges = lists.filter((list) => ajv.validate(schema, list))
  return edges.length > 0 ? fc.oneof({ weight: 4, arbitrary: texts }, fc.constantFrom(...edges)) : texts
}

/** Texts around the edge of what is allowed, and any others; those that are allowed after all are left out. */
function refused({ schema }: Parameter): fc.Arbitrary<string> {
  const { type, minimum, maximum } = schema as { type: string; minimum: number; maximum: number }
  const texts = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 30 }),
    fc.constantFrom('', ' ', '\t', '\0', 'a\0', 'NaN', 'Infinity', '0x10', '1,2', '1,,2', '-1', '1.5', '٣', '1e400'),
  )
  if (type === 'boolean') return texts.filter((text) => text !== 'true' && text !== 'false')
  if (type === 'string') return texts.filter((text) => !ajv.validate(schema, text))
  const outside = [
    fc.double({ min: maximum + 0.001, max: 1e6, noNaN: true }),
    fc.double({ min: -1e6, max: minimum - 0.001, noNaN: true }),
  ]
  // The cap of `limit` is one that never refuses.
  const beyond = type === 'integer' ? outside.slice(1) : outside
  return fc
    .oneof(
      beyond[0] ?? texts,
      beyond.at(-1) ?? texts,
      texts.filter((text) => !isNumber(text)),
    )
    .map(String)
}

/** People write numbers so. */
const isNumber = (text: string) => /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)

/** Right in form, and wrong between its numbers: only a sentence can say that of a box. */
function isBox(text: string): boolean {
  const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number)
  return west >= -180 && west <= east && east <= 180 && south >= -90 && south <= north && north <= 90
}

describe('a parameter', () => {
  for (const { path, get } of gets) {
    for (const parameter of queryParameters(get)) {
      const { name } = parameter
      it(`${name} of ${path}: what its schema allows is not refused`, async () => {
        await fc.assert(
          fc.asyncProperty(allowed(parameter), async (value) => {
            const { status, text } = await request('GET', callWith(path, get, name, value))
            if (name === 'bbox' && !isBox(value)) assert.equal(status, 400)
            else assert.ok([200, 404].includes(status), text.slice(0, 200))
          }),
          RUNS,
        )
      })

      it(`${name} of ${path}: what its schema does not allow is refused, by name`, async () => {
        await fc.assert(
          fc.asyncProperty(refused(parameter), async (value) => {
            const answer = await request('GET', callWith(path, get, name, value))
            assert.equal(answer.status, 400, answer.text.slice(0, 200))
            assert.match(errorOf(answer).message, new RegExp(`^${name}\\b`))
          }),
          RUNS,
        )
      })
    }
  }
})

describe('the body of a question', () => {
  const isAllowed = validatorOf('components', 'schemas', 'InsightBody')
  const id = fc.stringMatching(/^[0-9]+$/, { maxLength: 25 })
  const good = fc.record(
    {
      frameIds: fc.uniqueArray(id, { minLength: 1, maxLength: 60 }),
      question: fc.string({ unit: 'binary', maxLength: 1010 }),
      format: fc.constant('report'),
    },
    { requiredKeys: ['frameIds'] },
  )
  const spoilt = fc.oneof(
    fc.jsonValue(),
    fc
      .tuple(good, fc.constantFrom('frameIds', 'question', 'format', 'tone', '__proto__'), fc.jsonValue())
      .map(([body, field, value]) => ({ ...body, [field]: value })),
    good.map(({ frameIds: _ids, ...rest }) => rest),
  )

  it('is refused exactly where its schema does not allow it', async () => {
    let right = 0
    await fc.assert(
      fc.asyncProperty(fc.oneof(good, spoilt), async (given) => {
        const sent = JSON.stringify(given)
        const is = isAllowed(JSON.parse(sent))
        if (is) right += 1
        const answer = await request('POST', '/v1/frames/insight', { 'content-type': 'application/json' }, sent)
        assert.equal(answer.status, is ? 200 : 400, `${sent.slice(0, 300)} ${answer.text.slice(0, 200)}`)
        if (!is) assert.equal(errorOf(answer).code, 'invalid_body')
      }),
      sampleOfCases(60, 150),
    )
    assert.ok(right > 10, String(right))
  })
})
