import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { PRESETS, presetsWith } from '../../src/core/access/capabilities.js'
import { readConfig } from '../../src/server/config.js'
import { projectFolder } from '../../src/core/db/statement.js'
import {
  insufficientScope,
  internal,
  invalidKey,
  methodNotAllowed,
  rateLimited,
  unauthorized,
  type ApiError,
} from '../../src/core/errors.js'
import { NO_KEY } from '../../src/api/http/authenticate.js'
import { VARY } from '../../src/api/http/request-context.js'
import { describeInterface } from '../../src/api/http/described.js'
import { numberAt, objectAt, parseDescription, textAt } from '../../src/core/openapi.js'
import { BROKEN_HTTP, description, type Document } from '../support/description.js'

const sizes = readConfig({}).buckets
const described = describeInterface(sizes) as Document & { info: { description: string } }

describe('a mistake in openapi.yaml', () => {
  const mistakes: [text: string, message: RegExp][] = [
    ['openapi: 3.1.0\ninfo: {}\ninfo: {}\n', /^openapi\.yaml, line 3, column 1: duplicated mapping key$/],
    ['tags: []\npaths: *calls\n', /^openapi\.yaml, line 2, column 9: unidentified alias "calls"$/],
    ['- a list\n', /^openapi\.yaml, line 1, column 1: the file does not hold an object$/],
  ]
  for (const [text, message] of mistakes) {
    it(`is named with its place: ${JSON.stringify(text)}`, () => {
      assert.throws(() => parseDescription(text), { message })
    })
  }

  it('is named with its place where a part is missing that a check reads', () => {
    const place = ['paths', '/v1/frames', 'get', 'parameters', 'radius', 'schema', 'maximum']
    const message = 'openapi.yaml: paths > /v1/frames > get > parameters > radius is missing'
    assert.throws(() => numberAt(...place), { message })
  })

  it('is named with its place where such a part has another type', () => {
    const message = 'openapi.yaml: info > title is not a number'
    assert.throws(() => numberAt('info', 'title'), { message })
    assert.throws(() => textAt('info'), { message: 'openapi.yaml: info is not a text' })
  })
})

describe('the bucket sizes in the description', () => {
  it('are those of the service, and no name of one is left', () => {
    assert.match(described.info.description, /key \(60 calls at once, 300 a minute\)/)
    assert.match(described.info.description, /client's address \(300 calls at once, 60 a minute\)/)
    assert.doesNotMatch(JSON.stringify(described), /\{\w+\.\w+\}|undefined/)
  })

  it('leave out the bucket of addresses where there is none', () => {
    const { address: _address, ...rest } = sizes
    const without = describeInterface(rest) as typeof described
    assert.doesNotMatch(without.info.description, /address/)
    assert.doesNotMatch(JSON.stringify(without), /address bucket|address\.|undefined/)
    assert.match(without.info.description, /A refused call spends nothing\.\n\n`RateLimit`/)
  })
})

describe('the description says what the code says', () => {
  it('in the paths: it has each route of src/api/app.ts', () => {
    const source = readFileSync(new URL('src/api/app.ts', projectFolder), 'utf8')
    const routes = [...source.matchAll(/'(\/v1\/[^']+)'/g)].map(([, path]) => path)
    assert.deepEqual(new Set(Object.keys(description.paths)), new Set(routes))
  })

  const shared: Record<string, ApiError[]> = {
    Unauthorized: [unauthorized(NO_KEY), invalidKey()],
    Forbidden: [insufficientScope('frame.read', presetsWith('frame.read'))],
    ForbiddenToAsk: [insufficientScope('ask.query', presetsWith('ask.query'))],
    OnlyGetAndHead: [methodNotAllowed('DELETE', 'GET, HEAD')],
    OnlyGet: [methodNotAllowed('DELETE', 'GET')],
    OnlyPost: [methodNotAllowed('DELETE', 'POST')],
    RateLimited: [rateLimited('key', sizes.key, 1), rateLimited('address', sizes.address ?? sizes.key, 1)],
    Internal: [internal()],
  }

  for (const [name, errors] of Object.entries(shared)) {
    it(`in the examples of ${name}`, () => {
      const content = described.components.responses[name]?.content?.['application/json']
      const examples = Object.values(content?.examples ?? {})
      assert.deepEqual(
        examples.map(({ value }) => value),
        errors.map(({ code, message }) => ({ error: { code, message } })),
      )
    })
  }

  it('in the statuses of broken HTTP', () => {
    const { description: text = '' } = described.components.responses['BrokenHttp'] as { description?: string }
    assert.deepEqual(
      text.match(/\d{3}/g),
      BROKEN_HTTP.map(({ status }) => String(status)),
    )
  })

  it('in the presets of keys', () => {
    const text = textAt('components', 'securitySchemes', 'key', 'description')
    const presets = Object.entries(PRESETS).map(([name, capabilities]) => `\`${name}\` (${capabilities.join(', ')})`)
    assert.ok(text.endsWith(` Presets: ${presets.join('; ')}.`), text)
  })

  it('in the header Vary, with CORS_ORIGINS and without', () =>
    assert.deepEqual(objectAt('components', 'headers', 'Vary', 'schema', 'enum'), [VARY, `${VARY}, Origin`]))

  it('in the list of codes: those that calls declare, each explained', () => {
    const codesOf = (value: unknown): string[] => {
      if (typeof value !== 'object' || value === null) return []
      const { code } = value as { code?: { enum?: string[] } }
      return [...(code?.enum ?? []), ...Object.values(value).flatMap(codesOf)]
    }
    const declared = new Set(codesOf([described.paths, described.components.responses]))
    const { enum: listed = [] } = described.components.schemas['ErrorCode'] as { enum?: string[] }
    assert.deepEqual(new Set(listed), declared)
    const explained = [...described.info.description.matchAll(/^- `(\w+)`: (.*)\.$/gm)]
    assert.deepEqual(
      explained.map(([, code]) => code),
      listed,
    )
    const text = textAt('components', 'schemas', 'ErrorCode', 'description')
    for (const [, code = '', meaning = ''] of explained) assert.ok(text.includes(`\`${code}\`, ${meaning}`), code)
  })

  it('in HEAD: it takes the parameters of GET, and answers with its statuses', () => {
    for (const [path, { get, head }] of Object.entries(description.paths)) {
      if (!head) continue
      assert.deepEqual(head.parameters, get?.parameters, path)
      assert.deepEqual(Object.keys(head.responses), Object.keys(get?.responses ?? {}), path)
      const headersOf = (responses: Document['components']['responses'], status: string) => {
        const { $ref, headers } = responses[status] ?? {}
        const shown =
          $ref === undefined ? headers : described.components.responses[$ref.split('/').at(-1) ?? '']?.headers
        return Object.keys(shown ?? {})
      }
      for (const status of Object.keys(head.responses)) {
        assert.deepEqual(
          headersOf(head.responses, status),
          headersOf(get?.responses ?? {}, status),
          `${path} ${status}`,
        )
      }
    }
  })
})
