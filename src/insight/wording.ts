/** Asks the wording engine, which is the Anthropic Messages API, through its SDK. No other file calls it. */
import { isUtf8 } from 'node:buffer'
import Anthropic, { APIError } from '@anthropic-ai/sdk'
import { abortAfter } from '../deadline.js'

export type WordingSettings = { apiKey: string; baseUrl: string | undefined; model: string; deadlineMs?: number }
/** `repair` holds the refused text of the model, and what is wrong with it. */
export type Prompt = { system: string; user: string; repair?: { answer: string; faults: string } }
/** The API names the model that wrote the text. */
export type ModelAnswer = { text: string; model: string }
/** Every failure throws. */
export type AskModel = (prompt: Prompt, signal: AbortSignal) => Promise<ModelAnswer>

const CALL_MAX_MS = 12_000
/** A narrative takes a tenth of it. Models that think before they write spend the rest. */
const MAX_TOKENS = 4096
const MAX_BYTES = 256 * 1024
const FAULT = 'WordingFault'
const NOT_JSON = 'an answer that is not JSON'

/** The log may show its message: it holds neither the key nor the question nor the text. */
function wordingFault(message: string): Error {
  const error = new Error(message)
  error.name = FAULT
  return error
}

/** The reason that the log may show: other errors may hold the key or the question. */
export const loggableReason = (error: unknown): string =>
  error instanceof Error && error.name === FAULT ? error.message : 'the wording engine failed'

export function modelAsker(settings: WordingSettings): AskModel {
  const client = clientOf(settings)
  return async (prompt, outer) => {
    const { signal, release } = abortAfter(settings.deadlineMs ?? CALL_MAX_MS, outer)
    try {
      const body = {
        model: settings.model,
        max_tokens: MAX_TOKENS,
        system: prompt.system,
        messages: conversation(prompt),
      }
      return modelAnswer(await client.messages.create(body, { signal }))
    } catch (error) {
      if (signal.aborted) throw wordingFault('no answer in time')
      throw loggableFault(error)
    } finally {
      release()
    }
  }
}

/** Sets everything that the SDK would take from the environment: address, token, headers, log level and tracing. */
function clientOf({ apiKey, baseUrl }: WordingSettings): Anthropic {
  return new Anthropic({
    apiKey,
    // With undefined the SDK takes the address of the environment, with null its own.
    baseURL: baseUrl ?? null,
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: boundedFetch(apiKey),
  })
}

function conversation({ user, repair }: Prompt): { role: 'user' | 'assistant'; content: string }[] {
  const request = { role: 'user' as const, content: user }
  if (!repair) return [request]
  // The API refuses a turn without text.
  const answer = { role: 'assistant' as const, content: repair.answer.trim() || '(nothing)' }
  return [request, answer, { role: 'user', content: repair.faults }]
}

const SENT_HEADERS = ['accept', 'content-type', 'anthropic-version', 'user-agent']

/** Bounds the body and its time: the SDK buffers any body, and its own time limit ends with the headers. */
function boundedFetch(apiKey: string) {
  return async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const fromSdk = new Headers(init.headers)
    const headers = new Headers({ authorization: `Bearer ${apiKey}` })
    for (const name of SENT_HEADERS) headers.set(name, fromSdk.get(name) ?? '')
    const response = await fetch(url, { ...init, headers, redirect: 'error' })
    // The SDK would obey x-should-retry and retry-after: it gets the status of an error alone.
    if (!response.ok) {
      await response.body?.cancel()
      return new Response(null, { status: response.status })
    }
    if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) throw wordingFault(NOT_JSON)
    return new Response(utf8Text(await readBounded(response)), { headers: { 'content-type': 'application/json' } })
  }
}

function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw wordingFault('an answer that is not UTF-8')
  return bytes.toString()
}

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw wordingFault(`an answer over ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Checks the shape: the SDK returns any JSON that came, also a string or null. */
function modelAnswer(message: unknown): ModelAnswer {
  if (!isRecord(message)) throw wordingFault('an answer that is not a message')
  const { type, role, content, model, stop_reason: stopReason } = message
  if (type !== 'message' || role !== 'assistant' || !Array.isArray(content))
    throw wordingFault('an answer that is not a message')
  if (stopReason !== 'end_turn')
    throw wordingFault(`an answer stopped by ${STOPS.find((stop) => stop === stopReason) ?? 'other'}`)
  // The answer of the API shows the name of the model.
  if (typeof model !== 'string' || !/^[\w.:@/-]{1,100}$/.test(model))
    throw wordingFault('an answer that names no model')
  return { text: content.map(blockText).join(''), model }
}

const STOPS = ['max_tokens', 'refusal', 'tool_use', 'pause_turn', 'stop_sequence', 'model_context_window_exceeded']

/** Many models think without being told to. Their thoughts are not part of the answer. */
function blockText(block: unknown): string {
  if (isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string') return block['text']
  if (isRecord(block) && (block['type'] === 'thinking' || block['type'] === 'redacted_thinking')) return ''
  throw wordingFault('an answer with a block that is not text')
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null

/** Leaves out the error of the SDK: its message repeats the body, and its headers hold the key. */
function loggableFault(error: unknown): Error {
  if (error instanceof APIError && error.status !== undefined) return wordingFault(`the status ${error.status}`)
  for (const known of [error, error instanceof Error ? error.cause : undefined]) {
    if (known instanceof Error && known.name === FAULT) return known
  }
  return wordingFault(error instanceof SyntaxError ? NOT_JSON : 'no connection, or a broken one')
}
