/**
 * Calls the API: waits as long as Retry-After says, repeats a failed call once, and reports a refusal in the API's
 * words.
 */
import { IDS_MAX } from '../http/param-schemas.js'

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
class Refusal extends Error {
  override name = 'Refusal'
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
      // The error of this signal says that the time ran out; that of abortAfter in src/deadline.ts does not.
      signal: AbortSignal.timeout(CALL_TIMEOUT_MS),
    })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** A failure of the server or of the network may pass. */
  const withRetry = async (path: string, tag: string | undefined): Promise<RawAnswer> => {
    const first = await request(path, tag).catch((error: unknown) => networkReason(error))
    if (typeof first !== 'string' && first.status < 500) return first
    progress(`${typeof first === 'string' ? first : `status ${first.status}`}: trying once more`)
    try {
      return await request(path, tag)
    } catch (error) {
      throw new Error(`${url} cannot be reached: ${networkReason(error)}.`, { cause: error })
    }
  }

  const answerTo = async <Data>(path: string, tag?: string): Promise<ApiAnswer<Data>> => {
    for (;;) {
      const answer = await withRetry(path, tag)
      if (answer.status === 304) return { unchanged: true }
      if (answer.status === 200) {
        return { unchanged: false, data: dataOf(answer, url) as Data, tag: answer.headers.get('etag') ?? undefined }
      }
      if (answer.status !== 429) throw new Refusal(`${url} refused: ${refusalIn(answer)}`, codeIn(answer))
      const seconds = Math.max(1, Number(answer.headers.get('retry-after')) || 1)
      progress(`waiting ${seconds} s: ${refusalIn(answer)}`)
      await new Promise((done) => setTimeout(done, seconds * 1000))
    }
  }
  return Object.assign(answerTo, { idsAtOnce: IDS_MAX, callsAtOnce: CALLS_AT_ONCE })
}

/** Asks for the data of a path. Without a tag, the API does not answer 304. */
export async function dataAt<Data>(api: Api, path: string): Promise<Data> {
  const answer = await api<Data>(path)
  if (answer.unchanged) throw new Error('The API answered 304 to a question without a tag.')
  return answer.data
}

/** Asks about groups of items, a few groups side by side, and answers in the order of the items. */
export async function inGroups<Item, Answer>(
  { callsAtOnce }: Api,
  groups: readonly Item[],
  ask: (group: Item) => Promise<Answer>,
): Promise<Answer[]> {
  const answers = groups.map((): Answer | undefined => undefined)
  const places = groups.entries()
  const askNext = async () => {
    for (const [place, group] of places) answers[place] = await ask(group)
  }
  await Promise.all(Array.from({ length: callsAtOnce }, askNext))
  return answers as Answer[]
}

export const groupsOf = <Item>(items: readonly Item[], size: number): Item[][] =>
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
