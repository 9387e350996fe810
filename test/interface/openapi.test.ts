import assert from 'node:assert/strict'
import { presetsWith } from '../../src/core/access/capabilities.js'
import { readConfig } from '../../src/server/config.js'
import {
  insufficientScope,
  internal,
  late,
  invalidKey,
  methodNotAllowed,
  rateLimited,
  unauthorized,
  type ApiError,
} from '../../src/core/errors.js'
import { NO_KEY } from '../../src/api/http/authenticate.js'
import { describeInterface } from '../../src/api/routes/docs.js'
import { textAt } from '../../src/core/openapi.js'
import { type Document } from '../support/description.js'

const sizes = readConfig({}).buckets
const described = describeInterface(sizes) as Document & { info: { description: string } }

describe('the bucket sizes in the description', () => {
  it('are those of the service, and no name of one is left', () => {
    assert.match(described.info.description, /key \(60 calls at once, 300 a minute\)/)
    assert.match(described.info.description, /client's address \(300 calls at once, 60 a minute\)/)
    assert.doesNotMatch(JSON.stringify(described), /\{\w+\.\w+\}|undefined/)
  })
})

describe('the description says what the code says', () => {
  const shared: Record<string, ApiError[]> = {
    Unauthorized: [unauthorized(NO_KEY), invalidKey()],
    Forbidden: [insufficientScope('frame.read', presetsWith('frame.read'))],
    ForbiddenToAsk: [insufficientScope('ask.query', presetsWith('ask.query'))],
    OnlyGetAndHead: [methodNotAllowed('DELETE', 'GET, HEAD')],
    OnlyGet: [methodNotAllowed('DELETE', 'GET')],
    OnlyPost: [methodNotAllowed('DELETE', 'POST')],
    RateLimited: [rateLimited('key', sizes.key, 1), rateLimited('address', sizes.address ?? sizes.key, 1)],
    Internal: [internal(), late()],
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
})
