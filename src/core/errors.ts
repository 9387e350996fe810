/** The errors that callers receive: one function for each code of the interface. */

type ErrorCode =
  | 'invalid_point'
  | 'invalid_bbox'
  | 'invalid'
  | 'invalid_body'
  | 'unauthorized'
  | 'invalid_key'
  | 'insufficient_scope'
  | 'not_found'
  | 'rate_limited'
  | 'internal'

/** `not_ready` is a code of the operators' port only; `insufficient_credits` and `key_cap` are codes of /ogc. */
type AnyCode = ErrorCode | 'not_ready' | 'insufficient_credits' | 'key_cap'

export class ApiError extends Error {
  readonly status: number
  readonly code: AnyCode
  readonly headers: Record<string, string>

  constructor(status: number, code: AnyCode, message: string, headers: Record<string, string> = {}) {
    super(message)
    this.status = status
    this.code = code
    this.headers = headers
  }
}

/** A message shows as much of what came. */
export const shortened = (text: string) => (text.length > 40 ? `${text.slice(0, 40)}…` : text)

export const invalid = (message: string, status = 400) => new ApiError(status, 'invalid', message)
export const invalidPoint = (message: string) => new ApiError(400, 'invalid_point', message)
export const invalidBox = (message: string) => new ApiError(400, 'invalid_bbox', message)
export const invalidBody = (message: string) => new ApiError(400, 'invalid_body', message)

const challenge = (more = '') => ({ 'WWW-Authenticate': `Bearer realm="frames"${more}` })
const UNKNOWN_KEY = 'This API key is not known, has expired or was revoked. Ask whoever minted it for another.'
export const unauthorized = (message: string) => new ApiError(401, 'unauthorized', message, challenge())
export const invalidKey = () => new ApiError(401, 'invalid_key', UNKNOWN_KEY, challenge(', error="invalid_token"'))
export function insufficientScope(capability: string, presets: readonly string[]): ApiError {
  const message = `This call needs ${capability}, which this key lacks. Presets that carry it: ${presets.join(', ')}.`
  const headers = challenge(`, error="insufficient_scope", scope="${capability}"`)
  return new ApiError(403, 'insufficient_scope', message, headers)
}

export const rateLimited = (bucket: string, size: { burst: number; perMinute: number }, seconds: number) =>
  new ApiError(
    429,
    'rate_limited',
    `The ${bucket} bucket is spent: it lets ${size.burst} calls at once and ${size.perMinute} a minute pass. The next passes in ${seconds} s.`,
    { 'Retry-After': String(seconds) },
  )

export const notFound = (message: string) => new ApiError(404, 'not_found', message)
export const methodNotAllowed = (method: string, allowed: string) =>
  new ApiError(405, 'invalid', `This path takes ${allowed}; ${method} was sent.`, { Allow: allowed })
export const internal = () => new ApiError(500, 'internal', 'Something went wrong on our side. Please try again.')
export const late = () =>
  new ApiError(500, 'internal', 'The database did not answer in time. Please try again, or ask for less.')
