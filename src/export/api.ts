/**
 * Calls the API: waits as long as Retry-After says, repeats a failed call once, and reports a refusal in the API's
 * words.
 */
const CALL_TIMEOUT_MS = 60_000

/** `unchanged`: the API answered 304 to the ETag. */
type ApiAnswer<Data> = { unchanged: true } | { unchanged: false; data: Data; tag: string | undefined }
export type Api = <Data>(path: string, tag?: string) => Promise<ApiAnswer<Data>>

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

  return async <Data>(path: string, tag?: string): Promise<ApiAnswer<Data>> => {
    for (;;) {
      const answer = await withRetry(path, tag)
      if (answer.status === 304) return { unchanged: true }
      if (answer.status === 200) {
        return { unchanged: false, data: dataOf(answer, url) as Data, tag: answer.headers.get('etag') ?? undefined }
      }
      if (answer.status !== 429) throw new Error(`${url} refused: ${refusalIn(answer)}`)
      const seconds = Math.max(1, Number(answer.headers.get('retry-after')) || 1)
      progress(`waiting ${seconds} s: ${refusalIn(answer)}`)
      await new Promise((done) => setTimeout(done, seconds * 1000))
    }
  }
}

function dataOf({ text }: RawAnswer, url: string): unknown {
  const body = jsonOrUndefined(text) as { data?: unknown } | null | undefined
  if (body?.data === undefined)
    throw new Error(`${url} answered with something that is not the API's: is the address right?`)
  return body.data
}

function refusalIn({ status, text }: RawAnswer): string {
  const error = (jsonOrUndefined(text) as { error?: { code?: string; message?: string } } | null | undefined)?.error
  return error?.message === undefined ? `status ${status}` : `${error.message} (${error.code})`
}

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
