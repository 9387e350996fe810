/** The answers of a call, with their headers: failures are described by the very errors that the code throws. */
import type { Capability } from '../access/capabilities.js'
import { presetsWith } from '../access/capabilities.js'
import {
  insufficientScope,
  internal,
  invalidKey,
  methodNotAllowed,
  rateLimited,
  unauthorized,
  type ApiError,
  type ErrorCode,
} from '../errors.js'
import { VARY } from '../http/request-context.js'
import { NO_KEY } from '../http/authenticate.js'
import { brokenHttp, expectationFailed, notAProxy } from '../server/broken-http.js'
import type { BucketSizes } from '../limits/buckets.js'
import { codes, errorSchema } from './record-schemas.js'
import { ref, type Members, type Schema } from './schema.js'

export type Response = Readonly<{ description: string; headers: Members; content?: Schema }>
export type Responses = Readonly<Record<string, Response | { $ref: string }>>

/** How long an answer may be kept. */
export const caching = {
  tenMinutes: 'private, max-age=600',
  untilChanged: 'private, no-cache',
  everyone: 'public, max-age=600',
  never: 'no-store',
} as const
export type Caching = (typeof caching)[keyof typeof caching]

const bucket = '"(key|organisation|insight|address)"'
const header = (description: string, schema: Schema, required = true): Schema => ({ description, required, schema })
const always = (description: string, value: string): Schema => header(description, { type: 'string', const: value })

export const headersAlways = (values: Readonly<Record<string, string>>): Members =>
  Object.fromEntries(Object.entries(values).map(([name, value]) => [name, always('Always the same.', value)]))

export const headers: Members = {
  'X-Request-Id': header('New for every answer; quote it when something is wrong.', {
    type: 'string',
    pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$',
  }),
  Vary: always('A body depends on the key, and one over 1 KiB comes compressed when `Accept-Encoding` allows.', VARY),
  'X-Content-Type-Options': always('The content type is what it says.', 'nosniff'),
  RateLimit: header(
    'Where the caller stands: calls left (`r`) in the bucket closest to exhaustion, and seconds (`t`) until it holds one more. Absent when nothing was metered.',
    { type: 'string', pattern: `^${bucket};r=[0-9]+;t=[0-9]+$` },
    false,
  ),
  'RateLimit-Policy': header(
    'The size of that bucket: calls at once (`q`) and seconds (`w`) in which it fills. Absent when nothing was metered.',
    { type: 'string', pattern: `^${bucket};q=[0-9]+;w=[0-9]+$` },
    false,
  ),
  'Retry-After': header('Seconds. A call sent then passes; one sent a second sooner would not.', {
    type: 'integer',
    minimum: 1,
  }),
  ETag: header(
    'Send it back as `If-None-Match`: 304 when nothing has changed. An answer that charged or left out a dataset has none, nor has one during which an import put new rows in place.',
    {
      type: 'string',
      pattern: '^"[0-9A-Za-z_-]{22}"$',
    },
  ),
}

const sharedHeader = (name: string): Schema => ({ $ref: `#/components/headers/${name}` })
const shared = (...names: string[]): Members => Object.fromEntries(names.map((name) => [name, sharedHeader(name)]))
const position = shared('RateLimit', 'RateLimit-Policy')

/** Of any answer that the application gives. */
function answerHeaders(kept: Caching, metered: boolean): Members {
  return {
    ...shared('X-Request-Id', 'Vary', 'X-Content-Type-Options'),
    ...(metered ? position : {}),
    'Cache-Control': always('How long the answer may be kept, and by whom.', kept),
  }
}

/** `tagged`: whether an ETag always comes, sometimes, or never. */
export function success(
  content: Schema,
  kept: Caching,
  { metered, tagged, more = {} }: { metered: boolean; tagged: 'always' | 'sometimes' | 'never'; more?: Members },
): Responses {
  const tag = tagged === 'sometimes' ? { ETag: { ...headers['ETag'], required: false } } : shared('ETag')
  const given = { ...answerHeaders(kept, metered), ...more, ...(tagged === 'never' ? {} : tag) }
  return {
    '200': { description: 'The answer.', headers: given, content },
    ...(tagged === 'never'
      ? {}
      : {
          '304': {
            description: 'Nothing has changed since the answer with this `ETag`.',
            headers: { ...answerHeaders(kept, metered), ...more, ...shared('ETag') },
          },
        }),
  }
}

/** A way to go wrong, and the call that does; none where the key or the server is at fault. */
export type Failure = { error: ApiError; call?: string }

/** Failures of one status, as one response. */
function failing(failures: readonly Failure[], extra: Members): Response {
  const found = [...new Set(failures.map(({ error }) => error.code as ErrorCode))]
  const examples = failures.map(({ error: { code, message }, call }, i) => [
    found.length === failures.length ? code : `${code}_${i + 1}`,
    { summary: call ?? message, value: { error: { code, message } } },
  ])
  return {
    description: found.map((code) => `\`${code}\`: ${codes[code]}.`).join('\n\n'),
    headers: { ...extra, ...headersOf(failures) },
    content: { 'application/json': { schema: errorSchema(found), examples: Object.fromEntries(examples) } },
  }
}

const brought: Record<string, string> = {
  'WWW-Authenticate': 'What kind of credential is wanted, and what was wrong with the one that came (RFC 6750).',
  Allow: 'The methods that this path takes.',
}

/** The headers that errors bring themselves; needed where all of them do. */
function headersOf(given: readonly Failure[]): Members {
  const names = [...new Set(given.flatMap(({ error }) => Object.keys(error.headers)))]
  return Object.fromEntries(
    names.map((name) => {
      const values = [...new Set(given.flatMap(({ error }) => error.headers[name] ?? []))]
      const all = given.every(({ error }) => error.headers[name] !== undefined)
      const own = header(brought[name] ?? '', { type: 'string', enum: values }, all)
      return [name, headers[name] ? sharedHeader(name) : own]
    }),
  )
}

export function failuresByStatus(all: readonly Failure[], metered: boolean): Responses {
  const statuses = [...new Set(all.map(({ error }) => error.status))]
  return Object.fromEntries(
    statuses.map((status) => [
      String(status),
      failing(
        all.filter(({ error }) => error.status === status),
        answerHeaders(caching.never, metered),
      ),
    ]),
  )
}

/** Of an answer to HEAD. */
export function bodiless({ content: _content, ...rest }: Response): Response {
  return rest
}

export function sharedResponses(sizes: BucketSizes): Record<string, Response> {
  const { BrokenHttp, ...answers } = responsesOf(sizes)
  const toHead = Object.entries(answers).map(([name, answer]) => [`${name}ToHead`, bodiless(answer)])
  return { ...answers, BrokenHttp, ...(Object.fromEntries(toHead) as Record<string, Response>) }
}

const responsesOf = (sizes: BucketSizes) => ({
  Unauthorized: failing(
    [{ error: unauthorized(NO_KEY) }, { error: invalidKey() }],
    answerHeaders(caching.never, false),
  ),
  RateLimited: failing(
    [
      { error: rateLimited('key', sizes.key, 1) },
      ...(sizes.address ? [{ error: rateLimited('address', sizes.address, 1) }] : []),
    ],
    {
      ...answerHeaders(caching.never, true),
      RateLimit: { ...headers['RateLimit'], required: true },
      'RateLimit-Policy': { ...headers['RateLimit-Policy'], required: true },
    },
  ),
  Internal: failing([{ error: internal() }], answerHeaders(caching.never, true)),
  BrokenHttp: {
    ...failing(
      BROKEN_HTTP.map((error) => ({ error })),
      {
        ...shared('X-Request-Id', 'X-Content-Type-Options'),
        'Cache-Control': always('How long the answer may be kept, and by whom.', caching.never),
      },
    ),
    content: { 'application/json': { schema: { allOf: [ref('Error'), errorSchema(['invalid'])] } } },
    description: `The HTTP itself is broken, whatever the call: ${BROKEN_HTTP.map(({ status }) => status).join(', ')}, each with the code \`invalid\`. The connection is closed.`,
  },
})

/** What is answered before any call is known. */
export const BROKEN_HTTP: readonly ApiError[] = [
  brokenHttp(undefined),
  notAProxy(),
  brokenHttp('ERR_HTTP_REQUEST_TIMEOUT'),
  expectationFailed(),
  brokenHttp('HPE_HEADER_OVERFLOW'),
]

const response = (name: string) => ({ $ref: `#/components/responses/${name}` })

/** What can go wrong with any call. */
export function commonFailures(capability: Capability | undefined, allowed: string): Responses {
  return {
    ...(capability && {
      '401': response('Unauthorized'),
      ...failuresByStatus([{ error: insufficientScope(capability, presetsWith(capability)) }], true),
    }),
    ...failuresByStatus([{ error: methodNotAllowed('DELETE', allowed) }], false),
    ...(capability && { '429': response('RateLimited'), '500': response('Internal') }),
    default: response('BrokenHttp'),
  }
}
