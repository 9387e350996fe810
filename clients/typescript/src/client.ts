/** Client of the Spatial Frame Index API. `npm run client` generates ./types.ts from the description of the tools. */
import type { ErrorCode, Tools } from './types.js'

export type * from './types.js'

/** `index_changed`: an import put another index in place during a walk. `unexpected`: the answer is not the API's. */
export class FramesError extends Error {
  readonly code: ErrorCode | 'unreachable' | 'unexpected' | 'index_changed'
  readonly status: number | undefined
  readonly requestId: string | undefined
  constructor(code: FramesError['code'], message: string, answer?: Answer) {
    super(message)
    this.code = code
    this.status = answer?.status
    this.requestId = answer?.headers.get('x-request-id') ?? undefined
  }
}

type Answer = {
  status: number
  headers: Headers
  body: { data?: unknown; error?: { code: ErrorCode; message: string } }
}
type Parameters = Record<string, string | number | boolean | undefined>
export type Frame = Tools['frames']['answer']['frames'][number]
type Request = { method: 'GET' | 'POST'; body?: string }
type Page = { frames?: Frame[]; features?: Frame[]; truncated?: boolean; next?: string }
/** One way of choosing frames: a unit, a box of `[west, south, east, north]`, a shape, or at most 100 ids. */
export type Place =
  | { state: string; lga?: string; ward?: string }
  | { bbox: readonly [number, number, number, number] }
  | { shape: string | object }
  | { ids: readonly string[] }

type Enriching = { idempotencyKey?: string }
type Bill = Pick<Tools['records']['answer'], 'charged' | 'leftOut'>
type Price = Bill & { rows: number; found: number; price: NonNullable<Tools['records']['answer']['price']> }
/** The columns that were asked for come as texts, or as null. */
type Enriched<Row> = Bill & { rows: (Row & Record<string, string | null>)[] }

const pause = (seconds: number) => new Promise((done) => setTimeout(done, seconds * 1000))

/** `maxWait`: seconds that one call may wait in all where a bucket is empty. `timeout`: those that an answer may take. */
export class Client {
  readonly #url: string
  readonly #key: string
  readonly #limits: { maxWait: number; timeout: number }
  constructor(url: string, key: string, limits: { maxWait?: number; timeout?: number } = {}) {
    this.#url = url.replace(/\/+$/, '')
    this.#key = key
    this.#limits = { maxWait: 300, timeout: 60, ...limits }
  }

  /** Calls a tool. */
  async tool<Name extends keyof Tools>(
    name: Name,
    given: Tools[Name]['given'],
    idempotencyKey?: string,
  ): Promise<Tools[Name]['answer']> {
    return (await this.#post(name, given, idempotencyKey)).body.data as Tools[Name]['answer']
  }

  /** Reads a path of the API, such as `/tools/key` or `/v1/states`. */
  get = async (path: string, given: Parameters = {}): Promise<unknown> => (await this.#get(path, given)).body.data

  /**
   * Adds columns to rows that have a point, a frame or a unit: `frame,lga,lyr_population.pop_demest26`. They come in their
   * order, with a `reason` where one has no place. With `price` it says what that would cost.
   */
  async enrich(rows: readonly object[], columns: string, how: Enriching & { price: true }): Promise<Price>
  async enrich<Row extends object>(rows: readonly Row[], columns: string, how?: Enriching): Promise<Enriched<Row>>
  async enrich(rows: readonly object[], columns: string, how: Enriching & { price?: boolean } = {}): Promise<unknown> {
    const { price, idempotencyKey } = how
    const query = new URLSearchParams(textsOf({ columns, price })).toString()
    const request: Request = { method: 'POST', body: JSON.stringify(rows) }
    return (await this.#call(`/tools/enrich?${query}`, request, idempotencyKey)).body.data
  }

  /** The frames of a place, each once, page after page. All are of one index, or the walk ends with `index_changed`. */
  async *frames(place: Place): AsyncGenerator<Frame> {
    let [generation, after]: (string | undefined)[] = []
    do {
      const answer = await this.#page(place, after)
      const now = answer.headers.get('x-index-generation') ?? ''
      if (now !== (generation ??= now)) throw new FramesError('index_changed', 'The index changed during the walk.')
      const page = answer.body.data as Page | Frame[]
      if (Array.isArray(page)) return yield* page
      // A box has no pages, and a shape has.
      if (page.truncated && page.next === undefined && 'bbox' in place) return yield* this.frames(shapeOf(place.bbox))
      yield* page.features ?? page.frames ?? []
      after = page.next
    } while (after !== undefined)
  }

  async #page(place: Place, after: string | undefined): Promise<Answer> {
    if (!('shape' in place)) return await this.#get('/v1/frames', { ...textsOf(place), after })
    return await this.#post('frames', { ...place, after, geometry: true, limit: 200 })
  }

  async #post(name: string, given: object, idempotencyKey?: string): Promise<Answer> {
    return await this.#call(`/tools/${name}`, { method: 'POST', body: JSON.stringify(given) }, idempotencyKey)
  }

  async #get(path: string, given: Parameters): Promise<Answer> {
    const query = new URLSearchParams(textsOf(given)).toString()
    return await this.#call(query === '' ? path : `${path}?${query}`, { method: 'GET' })
  }

  /** Waits where a bucket is empty, and sends the call once more after a failure: under its key, it is charged once. */
  async #call(path: string, request: Request, idempotencyKey: string = crypto.randomUUID()): Promise<Answer> {
    const headers = {
      Authorization: `Bearer ${this.#key}`,
      'Idempotency-Key': idempotencyKey,
      'Content-Type': 'application/json',
    }
    for (let [waited, failures] = [0, 0]; ;) {
      const answer = await this.#send(path, { ...request, headers }).catch((error: unknown) =>
        String((error as Error).cause ?? error),
      )
      if (typeof answer !== 'string' && answer.status === 200 && answer.body.data !== undefined) return answer
      const wait = typeof answer === 'string' ? 0 : Math.max(1, Number(answer.headers.get('retry-after')) || 1)
      if (typeof answer !== 'string' && answer.status === 429 && (waited += wait) <= this.#limits.maxWait)
        await pause(wait)
      else if ((typeof answer === 'string' || answer.status >= 500) && (failures += 1) === 1) await pause(0.5)
      else if (typeof answer === 'string')
        throw new FramesError('unreachable', `${this.#url} does not answer: ${answer}`)
      else if (answer.body.error) throw new FramesError(answer.body.error.code, answer.body.error.message, answer)
      else throw new FramesError('unexpected', `The answer, of status ${answer.status}, is not the API's.`, answer)
    }
  }

  async #send(path: string, request: RequestInit): Promise<Answer> {
    const signal = AbortSignal.timeout(this.#limits.timeout * 1000)
    const response = await fetch(this.#url + path, { ...request, redirect: 'manual', signal })
    const text = await response.text()
    return { status: response.status, headers: response.headers, body: parsed(text) }
  }
}

function parsed(text: string): Answer['body'] {
  try {
    return Object(JSON.parse(text)) as Answer['body']
  } catch {
    return {}
  }
}

const textsOf = (given: object): Record<string, string> =>
  Object.fromEntries(
    Object.entries(given).flatMap(([name, value]) => (value === undefined ? [] : [[name, String(value)]])),
  )

const shapeOf = ([west, south, east, north]: readonly number[]) => ({
  shape: `POLYGON((${west} ${south},${east} ${south},${east} ${north},${west} ${north},${west} ${south}))`,
})
