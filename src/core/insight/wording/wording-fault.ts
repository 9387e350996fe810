/** Every failure of a call to the wording engine is a WordingFault. */

/** A failed call says that the engine is down, that it works, or neither. */
export type EngineSign = 'down' | 'up' | 'none'

type FaultDetails = {
  sign?: EngineSign
  /** Another attempt may succeed; `afterMs` is what the engine asks for. */
  retry?: { afterMs: number | undefined }
}

/** The log may show the message: it holds neither the key nor the question nor the text. */
export class WordingFault extends Error {
  readonly sign: EngineSign
  readonly retry: FaultDetails['retry']
  constructor(message: string, { sign = 'down', retry }: FaultDetails = {}) {
    super(message)
    this.name = 'WordingFault'
    this.sign = sign
    this.retry = retry
  }
}

/** No answer came before the deadline of the call. */
export const LATE = 'no answer in time'
export const isLate = (error: unknown): boolean => error instanceof WordingFault && error.message === LATE

export const NOT_JSON = 'an answer that is not JSON'

/** Gives the reason that the log may show: other errors may hold the key or the question. */
export const loggableReason = (error: unknown): string =>
  error instanceof WordingFault ? error.message : 'the wording engine failed'

/** These statuses may lie in one prompt. An account without credit gets 400 too, so they do not say "up". */
const FAULTS_OF_PROMPT = [400, 413, 422]
const RETRIED_STATUSES = [429, 529]

export function statusFault(status: number, retryAfter: string | null): WordingFault {
  return new WordingFault(`the status ${status}`, {
    sign: FAULTS_OF_PROMPT.includes(status) ? 'none' : 'down',
    ...(RETRIED_STATUSES.includes(status) ? { retry: { afterMs: retryAfterMs(retryAfter, Date.now()) } } : {}),
  })
}

/** Reads Retry-After: seconds or an HTTP date (RFC 9110, 10.2.3). `now` is in milliseconds since 1970. */
function retryAfterMs(header: string | null, now: number): number | undefined {
  if (header === null) return undefined
  if (/^\d{1,9}$/.test(header)) return Number(header) * 1000
  const date = Date.parse(header)
  return Number.isNaN(date) ? undefined : Math.max(0, date - now)
}

/** Leaves out the error of the SDK: its message repeats the body, and its headers hold the key. */
export function wordingFaultOf(error: unknown): WordingFault {
  const causes = errorChain(error)
  const known = causes.find((each) => each instanceof WordingFault)
  if (known) return known
  if (error instanceof SyntaxError) return new WordingFault(NOT_JSON)
  const message = 'no connection, or a broken one'
  return causes.some(isReset) ? new WordingFault(message, { retry: { afterMs: undefined } }) : new WordingFault(message)
}

function errorChain(error: unknown): Error[] {
  const causes: Error[] = []
  for (let each = error; each instanceof Error && causes.length < 5; each = each.cause) causes.push(each)
  return causes
}

/** Undici reports a connection that the server closed as UND_ERR_SOCKET, and one that it reset as ECONNRESET. */
const RESETS = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET']
const isReset = (error: Error) => 'code' in error && RESETS.some((code) => code === error.code)
