/** The API as any consumer has it: waits when it is told to, tries a failure once more, and says what it was refused for. */
const ANSWER_MS = 60_000

/** `unchanged` where the tag that was sent still stands. */
type Answered<Data> = { unchanged: true } | { unchanged: false; data: Data; tag: string | undefined }
export type Api = <Data>(path: string, tag?: string) => Promise<Answered<Data>>

type Said = { status: number; headers: Headers; text: string }

export function apiAt(url: string, key: string, progress: (step: string) => void): Api {
  const once = async (path: string, tag: string | undefined): Promise<Said> => {
    const headers = { authorization: `Bearer ${key}`, ...(tag === undefined ? {} : { 'if-none-match': tag }) }
    const response = await fetch(url + path, { headers, redirect: 'manual', signal: AbortSignal.timeout(ANSWER_MS) })
    return { status: response.status, headers: response.headers, text: await response.text() }
  }

  /** A failure of the server, or of the way to it, may pass: one more try is due. */
  const twice = async (path: string, tag: string | undefined): Promise<Said> => {
    const first = await once(path, tag).catch((error: unknown) => reasonOf(error))
    if (typeof first !== 'string' && first.status < 500) return first
    progress(`${typeof first === 'string' ? first : `status ${first.status}`}: trying once more`)
    try {
      return await once(path, tag)
    } catch (error) {
      throw new Error(`${url} cannot be reached: ${reasonOf(error)}.`, { cause: error })
    }
  }

  return async <Data>(path: string, tag?: string): Promise<Answered<Data>> => {
    for (;;) {
      const said = await twice(path, tag)
      if (said.status === 304) return { unchanged: true }
      if (said.status === 200) {
        return { unchanged: false, data: dataOf(said, url) as Data, tag: said.headers.get('etag') ?? undefined }
      }
      if (said.status !== 429) throw new Error(`${url} refused: ${messageOf(said)}`)
      const seconds = Math.max(1, Number(said.headers.get('retry-after')) || 1)
      progress(`waiting ${seconds} s: ${messageOf(said)}`)
      await new Promise((done) => setTimeout(done, seconds * 1000))
    }
  }
}

function dataOf({ text }: Said, url: string): unknown {
  const body = parsed(text) as { data?: unknown } | null | undefined
  if (body?.data === undefined)
    throw new Error(`${url} answered with something that is not the API's: is the address right?`)
  return body.data
}

function messageOf({ status, text }: Said): string {
  const error = (parsed(text) as { error?: { code?: string; message?: string } } | null | undefined)?.error
  return error?.message === undefined ? `status ${status}` : `${error.message} (${error.code})`
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** fetch says "fetch failed", and why in its cause. */
function reasonOf(error: unknown): string {
  const { cause, message } = error as { cause?: { code?: string; message?: string }; message: string }
  return cause?.code ?? cause?.message ?? message
}
