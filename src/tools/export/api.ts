/**
 * Calls the API: waits as long as Retry-After says, repeats a failed call once unless that could charge twice, and
 * reports a refusal in the API's words.
 */
import { IDS_MAX } from '../../api/http/param-schemas.js'

const CALL_TIMEOUT_MS = 60_000
/** More would only make more calls wait: a key has five calls a second. */
const CALLS_AT_ONCE = 4

/** `unchanged`: the API answered 304 to the ETag. */
export type ApiAnswer<Data> = { unchanged: true } | { unchanged: false; data: Data; tag: string | undefined }
export type Api = (<Data>(path: string, tag?: string) => Promise<ApiAnswer<Data>>) & {
  /** The most ids that a call takes. */
  readonly idsAtOnce: number
  /** The most calls that run side by side. */
  readonly callsAtOnce: number
}

/** The API refused a call: `code` is its error code, undefined where the answer had none. */
export class RefusedCall extends Error {
  override name = 'RefusedCall'
  readonly code: string | undefined

  constructor(message: string, code: string | undefined) {
    super(message)
    this.code = code
  }
}

type RawAnswer = { status: number; headers: Headers; text: string }

export function apiAt(url: string, key: string, progress: (step: string) => void): Api {
  const request = async (path: string, tag: string | undefined): Promise<RawAnswer> => {
    const headers = { authorization: `Bearer ${key}`, ...(tag === undefined ? {} : { 'if-none-match': tag }) }
    const response = await fetch(url + path, {
      headers,
      redirect: 'manual',
      // The error of this signal says that the time ran out; that of abortAfter in src/core/deadline.ts does not.
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** A failure of the server or of the network may pass. */
  const withRetry = async (path: string, tag: string | undefined): Promise<RawAnswer> => {
    const first = await request(path, tag).catch((error: unknown) => networkReason(error))
    if (typeof first !== 'string' && first.status < 500) return first
    if (mayHaveCharged(path, first)) {
      const reason = typeof first === 'string' ? first : `status ${first.status}`
      throw new Error(`${url} did not answer a call that may have cost credits (${reason}): it was not sent again.`)
    }
    progress(`${typeof first === 'string' ? first : `status ${first.status}`}: trying once more`)
    try {
      return await request(path, tag)
    } catch (error) {
      throw new Error(`${url} cannot be reached: ${networkReason(error)}.`, { cause: error })
    }
  }

  /** A bucket that is empty for one call is empty for those beside it: all wait until then. */
  let opensAt = 0
  const answerTo = async <Data>(path: string, tag?: string): Promise<ApiAnswer<Data>> => {
    for (;;) {
      await sleep(opensAt - performance.now())
      const answer = await withRetry(path, tag)
      if (answer.status === 304) return { unchanged: true }
      if (answer.status === 200) {
        return { unchanged: false, data: dataOf(answer, url) as Data, tag: answer.headers.get('etag') ?? undefined }
      }
      if (answer.status !== 429) throw new RefusedCall(`${url} refused: ${refusalIn(answer)}`, codeIn(answer))
      const seconds = Math.max(1, Number(answer.headers.get('retry-after')) || 1)
      progress(`waiting ${seconds} s: ${refusalIn(answer)}`)
      opensAt = Math.max(opensAt, performance.now() + seconds * 1000)
    }
  }
  return Object.assign(answerTo, { idsAtOnce: IDS_MAX, callsAtOnce: CALLS_AT_ONCE })
}

/** The API charges nothing for its own errors. It may have charged for an answer that was lost on the way. */
const mayHaveCharged = (path: string, failure: RawAnswer | string): boolean =>
  path.startsWith('/v1/frames/data?') &&
  !path.includes('&price=true') &&
  (typeof failure === 'string' || codeIn(failure) === undefined)

async function sleep(ms: number): Promise<void> {
  if (ms > 0) await new Promise((done) => setTimeout(done, ms))
}

/** Asks for the data of a path. Without a tag, the API does not answer 304. */
export async function dataAt<Data>(api: Api, path: string): Promise<Data> {
  const answer = await api<Data>(path)
  if (answer.unchanged) throw new Error('The API answered 304 to a question without a tag.')
  return answer.data
}

/** Asks about several items, a few of them side by side, and answers in their order. After a failure it asks no more. */
export async function sideBySide<Item, Answer>(
  { callsAtOnce }: Api,
  items: readonly Item[],
  ask: (item: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = items.map((): Answer | undefined => undefined)
  const places = items.entries()
  let hasFailed = false
  const askNext = async () => {
    for (const [place, item] of places) {
      if (hasFailed) return
      answers[place] = await ask(item).catch((error: unknown) => {
        hasFailed = true
        throw error
      })
    }
  }
  await Promise.all(Array.from({ length: callsAtOnce }, askNext))
  return answers as Answer[]
}

export const piecesOf = <Item>(items: readonly Item[], size: number): Item[][] =>
  Array.from({ length: Math.ceil(items.length / size) }, (_, i) => items.slice(i * size, (i + 1) * size))

function dataOf({ text }: RawAnswer, url: string): unknown {
  const body = jsonOrUndefined(text) as { data?: unknown } | null | undefined
  if (body?.data === undefined)
    throw new Error(`${url} answered with something that is not the API's: is the address right?`)
  return body.data
}

function refusalIn(answer: RawAnswer): string {
  const error = errorIn(answer)
  return error?.message === undefined ? `status ${answer.status}` : `${error.message} (${error.code})`
}

const codeIn = (answer: RawAnswer): string | undefined => errorIn(answer)?.code

const errorIn = ({ text }: RawAnswer) =>
  (jsonOrUndefined(text) as { error?: { code?: string; message?: string } } | null | undefined)?.error

function jsonOrUndefined(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** The message of fetch is "fetch failed"; the reason is in its cause. */
function networkReason(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string }
  return cause?.code ?? cause?.message ?? message
}
