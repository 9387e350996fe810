import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import { operations, queryParameters, validatorOf, type Operation, type Parameter } from '../support/description.js'
import { sampleOfCases } from '../support/sample.js'
import { errorOf, request } from '../support/service.js'

const RUNS = sampleOfCases(10, 40)
const ajv = new Ajv2020({ strict: true })

/** The calls with parameters. */
const gets = operations.filter(({ method, operation }) => method === 'GET' && operation.security.length > 0)

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
function callWith(path: string, operation: Operation, name: string, encoded: string): string {
  const others = beside(operation, name).map(([key, value]) => `${key}=${encodeURIComponent(value)}`)
  return `${path}?${[...others, `${name}=${encoded}`].join('&')}`
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

/** People write numbers so. */
const isNumber = (text: string) => /^[+-]?\d+(\.\d+)?(e[+-]?\d+)?$/i.test(text)

/** Texts as they stand in a query string. What a schema does not allow among them is refused for each parameter. */
const SPELT =
  ` %20 %09 %00 a%00 9%00 %zz %C3%28 %FF %0A9 9%09 NaN Infinity -Infinity 0x10 0b1 1e400 -1e400 9%2C05 9;05 9%2005 %209.05
  9.05%20 9.05N 9° --9 +-9 9..05 .5 -.5 5. 5.e1 . e5 1e 1e3 1e5.5 1.0 1.5 1_000 -1 0 00 %2B1 abc null true TRUE yes %D9%A9
  %EF%BC%99 %E0%A5%AF %E2%88%929 [9] {} %E2%80%8B9 , 1,2 1,,2 1, ,1 1;2 lyr_ population LYR_population lyr_a, ,lyr_a
  lyr_a,,lyr_b lyr_%C3 1 0x1 0.1,0.2 1%00 %2010 %D9%A1`.split(/[ \n]+/)

function isAllowed({ name, schema }: Parameter, text: string): boolean {
  const { type, minimum, maximum } = schema as { type: string; minimum: number; maximum: number }
  if (type === 'boolean') return ['true', 'false'].includes(text)
  if (type === 'string') return ajv.validate(schema, text) && (name !== 'bbox' || isBox(text))
  if (type === 'integer') return /^\d+$/.test(text) && Number(text) >= minimum
  return isNumber(text) && Number(text) >= minimum && Number(text) <= maximum
}

/** Texts around the edge of what is allowed, and any others; those that are allowed after all are left out. */
function refused(parameter: Parameter): fc.Arbitrary<string> {
  const { minimum, maximum } = parameter.schema as { minimum?: number; maximum?: number }
  const below = fc.double({ min: -1e6, max: (minimum ?? 0) - 0.001, noNaN: true })
  const above = fc.double({ min: (maximum ?? 0) + 0.001, max: 1e6, noNaN: true })
  return fc
    .oneof(fc.string({ unit: 'binary', maxLength: 30 }), below.map(String), above.map(String))
    .filter((text) => !isAllowed(parameter, text))
}

/** Right in form, and wrong between its numbers: only a sentence can say that of a box. */
function isBox(text: string): boolean {
  const [west = 0, south = 0, east = 0, north = 0] = text.split(',').map(Number)
  return west >= -180 && west <= east && east <= 180 && south >= -90 && south <= north && north <= 90
}

const CODES: Record<string, string> = { lat: 'invalid_point', lon: 'invalid_point', bbox: 'invalid_bbox' }

function decoded(encoded: string): string {
  try {
    return decodeURIComponent(encoded)
  } catch {
    return '\0'
  }
}

describe('a parameter', () => {
  for (const { path, operation: get } of gets) {
    for (const parameter of queryParameters(get)) {
      const { name } = parameter
      it(`${name} of ${path}: what its schema allows is not refused`, async () => {
        await fc.assert(
          fc.asyncProperty(allowed(parameter), async (value) => {
            const { status, text } = await request('GET', callWith(path, get, name, encodeURIComponent(value)))
            if (name === 'bbox' && !isBox(value)) assert.equal(status, 400)
            else assert.ok([200, 404].includes(status), text.slice(0, 200))
          }),
          RUNS,
        )
      })

      const isRefused = async (encoded: string) => {
        const answer = await request('GET', callWith(path, get, name, encoded))
        assert.equal(answer.status, 400, `${encoded}: ${answer.text.slice(0, 200)}`)
        const { code, message } = errorOf(answer)
        assert.equal(code, CODES[name] ?? 'invalid')
        assert.match(message, new RegExp(`^${name}\\b`))
      }
      it(`${name} of ${path}: what its schema does not allow is refused, by name, and so is what comes twice`, async () => {
        const spelt = name === 'bbox' ? [...SPELT, ...SPELT.map((text) => `${text},0,1,1`)] : SPELT
        const wrong = spelt.filter((encoded) => !isAllowed(parameter, decoded(encoded)))
        assert.ok(wrong.length > 5)
        for (const encoded of [...wrong, `1&${name}=1`]) await isRefused(encoded)
        const others = refused(parameter).map(encodeURIComponent)
        await fc.assert(fc.asyncProperty(others, isRefused), RUNS)
      })
    }
  }
})

describe('the body of a question', () => {
  const isBody = validatorOf('components', 'schemas', 'InsightBody')
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
        const is = isBody(JSON.parse(sent))
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
