/** Asks the wording engine, which is the Anthropic Messages API, through its SDK. No other file calls it. */
import { isUtf8 } from 'node:buffer'
import { setTimeout as sleep } from 'node:timers/promises'
import type Anthropic from '@anthropic-ai/sdk'
import { abortAfter, deadlineIn, msLeft } from '../../deadline.js'
import { LATE, wordingFaultOf, NOT_JSON, statusFault, WordingFault } from './wording-fault.js'

export type WordingSettings = {
  apiKey: string
  baseUrl: string | undefined
  model: string
  deadlineMs?: number
  onRetry?: () => void
  /** Waits before a retry. Tests pass one that does not wait. */
  pause?: (ms: number, signal: AbortSignal) => Promise<unknown>
}
export type Prompt = {
  system: string
  /** The same for many questions, before that of the user: the API keeps it and the system text for some minutes. */
  stable?: string
  user: string
  /** The model answers without thinking first, and at little effort. */
  isQuick?: true
  /** The model answers in JSON of this schema (structured output). */
  schema?: Record<string, unknown>
}
/** The API names the model that wrote the text. */
type ModelAnswer = { text: string; model: string }
/** Every failure throws. */
export type AskModel = (prompt: Prompt, signal: AbortSignal) => Promise<ModelAnswer>

const CALL_MAX_MS = 12_000
/** A choice of sentences takes a hundredth of it. Models that think before they write spend the rest. */
const MAX_TOKENS = 4096
const MAX_BYTES = 256 * 1024

export function modelAsker(settings: WordingSettings): AskModel {
  const opening = openClient(settings)
  // Each call awaits it, and gets its fault.
  opening.catch(() => {})
  const { pause = (ms, signal) => sleep(ms, undefined, { signal }), onRetry = () => {} } = settings
  return async (prompt, outer) => {
    const deadline = deadlineIn(settings.deadlineMs ?? CALL_MAX_MS)
    const { signal, release } = abortAfter(deadline.ms, outer)
    const askOnce = async () => {
      const client = await opening
      return modelAnswer(await client.messages.create(bodyOf(settings.model, prompt), { signal }))
    }
    try {
      return await askOnce().catch(async (error: unknown) => {
        const waitMs = retryDelayMs(wordingFaultOf(error), msLeft(deadline), Math.random())
        if (waitMs === undefined || signal.aborted) throw error
        await pause(waitMs, signal)
        onRetry()
        return await askOnce()
      })
    } catch (error) {
      if (signal.aborted) throw new WordingFault(LATE)
      throw wordingFaultOf(error)
    } finally {
      release()
    }
  }
}

const RETRY_WAIT_MS = 500
const JITTER_MS = 500

/**
 * Returns how long to wait before the one retry, or undefined where there is none: the fault would come again, or the
 * wait takes more than half of the time that is left, which the model needs for its answer. `random` is from 0 to 1.
 */
function retryDelayMs({ retry }: WordingFault, leftMs: number, random: number): number | undefined {
  if (!retry) return undefined
  const waitMs = (retry.afterMs ?? RETRY_WAIT_MS) + random * JITTER_MS
  return waitMs <= leftMs / 2 ? waitMs : undefined
}

const bodyOf = (model: string, { system, stable, user, schema, isQuick }: Prompt) => ({
  model,
  max_tokens: MAX_TOKENS,
  system,
  messages: [{ role: 'user' as const, content: stable === undefined ? user : [keptText(stable), textOf(user)] }],
  ...(isQuick && { thinking: { type: 'between_tools' as const } }),
  ...(schema && {
    output_config: { format: { type: 'json_schema' as const, schema }, ...(isQuick && { effort: 'low' as const }) },
  }),
})

const textOf = (text: string) => ({ type: 'text' as const, text })
const keptText = (text: string) => ({ ...textOf(text), cache_control: { type: 'ephemeral' as const } })

/**
 * Sets everything that the SDK would take from the environment: address, token, headers, log level and tracing. The SDK
 * loads here: a service without an engine for words starts sooner without it.
 */
async function openClient({ apiKey, baseUrl }: WordingSettings): Promise<Anthropic> {
  const { default: Sdk } = await import('@anthropic-ai/sdk')
  return new Sdk({
    apiKey,
    // With undefined the SDK takes the address of the environment, with null its own.
    baseURL: baseUrl ?? null,
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: false,
    fetch: engineFetch(apiKey),
  })
}

const SENT_HEADERS = ['accept', 'content-type', 'anthropic-version', 'user-agent']

/** Bounds the body and its time: the SDK buffers any body, and its own time limit ends with the headers. */
function engineFetch(apiKey: string) {
  return async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const fromSdk = new Headers(init.headers)
    const headers = new Headers({ authorization: `Bearer ${apiKey}` })
    for (const name of SENT_HEADERS) headers.set(name, fromSdk.get(name) ?? '')
    const response = await fetch(url, { ...init, headers, redirect: 'error' })
    // The SDK sees no answer that is an error: it would obey x-should-retry and any retry-after.
    if (!response.ok) {
      await response.body?.cancel()
      throw statusFault(response.status, response.headers.get('retry-after'))
    }
    if (!/^application\/json\b/i.test(response.headers.get('content-type') ?? '')) throw new WordingFault(NOT_JSON)
    return new Response(utf8Text(await readEngineBody(response)), { headers: { 'content-type': 'application/json' } })
  }
}

function utf8Text(bytes: Buffer): string {
  if (!isUtf8(bytes)) throw new WordingFault('an answer that is not UTF-8')
  return bytes.toString()
}

async function readEngineBody(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > MAX_BYTES) throw new WordingFault(`an answer over ${MAX_BYTES} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Checks the shape: the SDK returns any JSON that came, also a string or null. */
function modelAnswer(message: unknown): ModelAnswer {
  if (!isRecord(message)) throw new WordingFault('an answer that is not a message')
  const { type, role, content, model, stop_reason: stopReason } = message
  if (type !== 'message' || role !== 'assistant' || !Array.isArray(content))
    throw new WordingFault('an answer that is not a message')
  if (stopReason !== 'end_turn')
    throw new WordingFault(`an answer stopped by ${STOPS.find((stop) => stop === stopReason) ?? 'other'}`, WORKS)
  // The answer of the API shows the name of the model.
  if (typeof model !== 'string' || !/^[\w.:@/-]{1,100}$/.test(model))
    throw new WordingFault('an answer that names no model')
  return { text: content.map(blockText).join(''), model }
}

/** The engine works where the model answers, also if the answer is of no use. */
const WORKS = { sign: 'up' } as const
const STOPS = ['max_tokens', 'refusal', 'tool_use', 'pause_turn', 'stop_sequence', 'model_context_window_exceeded']

/** Many models think without being told to. Their thoughts are not part of the answer. */
function blockText(block: unknown): string {
  if (isRecord(block) && block['type'] === 'text' && typeof block['text'] === 'string') return block['text']
  if (isRecord(block) && (block['type'] === 'thinking' || block['type'] === 'redacted_thinking')) return ''
  throw new WordingFault('an answer with a block that is not text', WORKS)
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === 'object' && value !== null
