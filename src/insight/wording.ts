/** The one place that talks to the wording engine: the Anthropic Messages API, through its SDK. */
import { isUtf8 } from 'node:buffer'
import Anthropic, { APIError } from '@anthropic-ai/sdk'

export type WordingSettings = { apiKey: string; baseUrl: string | undefined; model: string; deadlineMs?: number }
export type Prompt = { system: string; user: string; repair?: { answer: string; faults: string } }
/** Text and the model that the API reports; throws on any failure. */
export type AskModel = (prompt: Prompt, signal: AbortSignal) => Promise<{ text: string; model: string }>

const CALL_MS = 12_000
/** A narrative takes a tenth of it; models that think before they write spend the rest. */
const MAX_TOKENS = 4096
const MAX_BYTES = 256 * 1024
const FAULT = 'WordingFault'
const NOT_JSON = 'an answer that is not JSON'

/** An error whose message is ours: fit for a log, without the key, the question or the text. */
function fault(message: string): Error {
  const error = new Error(message)
  error.name = FAULT
  return error
}

/** What may be logged of an error; anything that is not ours may hold the key or the question. */
export const reasonOf = (error: unknown): string =>
  error instanceof Error && error.name === FAULT ? error.message : 'the wording engine failed'

export function modelAsker(settings: WordingSettings): AskModel {
  const client = clientOf(settings)
  return async (prompt, signal) => {
    const deadline = new AbortController()
    const stop = () => deadline.abort()
    // Not AbortSignal.any over AbortSignal.timeout: on Node 20 such a signal can be collected before it fires.
    const timer = setTimeout(stop, settings.deadlineMs ?? CALL_MS)
    signal.addEventListener('abort', stop, { once: true })
    if (signal.aborted) stop()
    try {
      const body = {
        model: settings.model,
        max_tokens: MAX_TOKENS,
        system: prompt.system,
        messages: messagesOf(prompt),
      }
      return answerOf(await client.messages.create(body, { signal: deadline.signal }))
    } catch (error) {
      if (deadline.signal.aborted) throw fault('no answer in time')
      throw safe(error)
    } finally {
      clearTimeout(timer)
      signal.removeEventListener('abort', stop)
    }
  }
}

/** Nothing from the environment: the SDK would take a base URL, a token, headers, a log level and tracing from it. */
function clientOf({ apiKey, baseUrl }: WordingSettings): Anthropic {
  return new Anthropic({
    apiKey,
    // Undefined would mean the environment's; null means the SDK's own.
    baseURL: baseUrl ?? null,
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: boundedFetch(apiKey),
  })
}

function messagesOf({ user, repair }: Prompt): { role: 'user' | 'assistant'; content: string }[] {
  const asked = { role: 'user' as const, content: user }
  if (!repair) return [asked]
  // The API refuses a turn without text.
  const answer = { role: 'assistant' as const, content: repair.answer.trim() || '(nothing)' }
  return [asked, answer, { role: 'user', content: repair.faults }]
}

const SENT_HEADERS = ['accept', 'content-type', 'anthropic-version', 'user-agent']

/** The SDK buffers any body, and its time limit ends with the headers: here a body is bounded, and under the signal. */
function boundedFetch(apiKey: string) {
  return async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const given = new Headers(init.headers)
    const headers = new Headers({ authorization: `Bearer ${apiKey}` })
    for (const name of SENT_HEADERS) headers.set(name, given.get(name) ?? '')
    const response = await fetch(url, { ...init, headers, redirect: 'error' })
    // Nothing but the status is used of an error; x-should-retry and retry-after would be obeyed.
    if (!response.ok) {
      await response.body?.cancel()
      return new Response(null, { status: response.status })
    }
    if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) throw fault(NOT_JSON)
    return new Response(textFrom(await readBounded(response)), { headers: { 'content-type': 'application/json' } })
  }
}

function textFrom(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw fault('an answer that is not UTF-8')
  return bytes.toString()
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw fault(`an answer over ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Checked, because the SDK returns whatever came: a string, null or any other JSON. */
function answerOf(message: unknown): { text: string; model: string } {
  if (!isRecord(message)) throw fault('an answer that is not a message')
  const { type, role, content, model, stop_reason: stopReason } = message
  if (type !== 'message' || role !== 'assistant' || !Array.isArray(content))
    throw fault('an answer that is not a message')
  if (stopReason !== 'end_turn')
    throw fault(`an answer stopped by ${STOPS.find((stop) => stop === stopReason) ?? 'other'}`)
  // The model's name goes into our answer.
  if (typeof model !== 'string' || !/^[\w.:@/-]{1,100}$/.test(model)) throw fault('an answer that names no model')
  return { text: content.map(textOf).join(''), model }
}

const STOPS = ['max_tokens', 'refusal', 'tool_use', 'pause_turn', 'stop_sequence', 'model_context_window_exceeded']

/** Many models think unasked; what they thought is not part of the answer. */
function textOf(block: unknown): string {
  if (isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string') return block['text']
  if (isRecord(block) && (block['type'] === 'thinking' || block['type'] === 'redacted_thinking')) return ''
  throw fault('an answer with a block that is not text')
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Never the error itself, nor as a cause: its message repeats the body, its headers hold the key. */
function safe(error: unknown): Error {
  if (error instanceof APIError && error.status !== undefined) return fault(`the status ${error.status}`)
  for (const known of [error, error instanceof Error ? error.cause : undefined]) {
    if (known instanceof Error && known.name === FAULT) return known
  }
  return fault(error instanceof SyntaxError ? NOT_JSON : 'no connection, or a broken one')
}
