/** Reads the JSON body of a question, within bounds, and checks it against its schema in openapi.yaml. */
import express, { type Request, type Response } from 'express'
import { Ajv, type ErrorObject } from 'ajv'
import { invalidBody } from '../../core/errors.js'
import { isFrameId } from '../../core/frame-id.js'
import type { InsightRequest } from '../../core/insight/answer.js'
import type { Place } from '../../core/insight/figures/frame-set.js'
import { numberAt, objectAt } from '../../core/openapi.js'

const BODY_SCHEMA = ['components', 'schemas', 'InsightBody']
export const FRAME_IDS_MAX = numberAt(...BODY_SCHEMA, 'properties', 'frameIds', 'maxItems')
export const QUESTION_MAX = numberAt(...BODY_SCHEMA, 'properties', 'question', 'maxLength')
const fields = objectAt(...BODY_SCHEMA, 'properties')
const BYTES_MAX = 64 * 1024
/** A message that named thousands of unknown fields would help nobody. */
const UNKNOWN_NAMED_MAX = 10

type InsightBody = { frameIds: string[]; question?: string; format?: 'report' | 'figures' }

const isInsightBody = new Ajv().compile<InsightBody>(objectAt(...BODY_SCHEMA))

const readBytes = express.raw({ limit: BYTES_MAX, type: () => true })

/** Reads the body once the checks that need none have passed. */
export async function jsonBody(req: Request, res: Response): Promise<unknown> {
  checkContentType(req)
  const bytes = await new Promise<unknown>((resolve, reject) => {
    readBytes(req, res, (error?: unknown) => (error === undefined ? resolve(req.body) : reject(readFault(error))))
  })
  return parseStrictly(Buffer.isBuffer(bytes) ? bytes : Buffer.alloc(0))
}

function checkContentType(req: Request): void {
  const contentType = req.get('Content-Type')
  if (!req.is('application/json')) {
    const came = contentType ? `"${contentType.slice(0, 60)}"` : 'none'
    throw invalidBody(`Content-Type: application/json is accepted, ${came} came.`)
  }
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(contentType ?? '') ?? []
  if (!/^utf-?8$/i.test(charset))
    throw invalidBody(`Content-Type: the charset utf-8 is accepted, "${charset.slice(0, 40)}" came.`)
}

/** Translates the errors of express.raw that are the client's. */
function readFault(error: unknown): unknown {
  const { type, status } = error as { type?: string; status?: number }
  if (status === undefined || status >= 500) return error
  const isTooLarge = type === 'entity.too.large'
  return invalidBody(isTooLarge ? 'The body is over 64 KiB.' : 'This body cannot be read: JSON in UTF-8 is accepted.')
}

/** Repeated ids count once. Ids that no index can hold are dropped: they are unknown like others. */
export function insightBody(body: unknown): {
  frameIds: string[]
  question: string | undefined
  format: 'plain' | 'report' | 'figures'
} {
  const distinct = withDistinctIds(body)
  if (!isInsightBody(distinct)) throw invalidBody(messageFor(isInsightBody.errors?.[0], distinct))
  const { frameIds, question, format } = distinct
  return { frameIds: frameIds.filter(isFrameId), question: question?.trim(), format: format ?? 'plain' }
}

/** A question about a place has no ids; its other fields are those of the call. */
export function questionBody(body: object, place: Place): InsightRequest {
  const { question, format } = insightBody({ ...body, frameIds: ['0'] })
  return { place, question, format }
}

function withDistinctIds(body: unknown): unknown {
  const ids = (Object(body) as { frameIds?: unknown }).frameIds
  return Array.isArray(ids) ? { ...(body as object), frameIds: [...new Set(ids)] } : body
}

function messageFor(error: ErrorObject | undefined, body: unknown): string {
  const isObject = Object(body) === body && !Array.isArray(body)
  if (!isObject) return 'An object with frameIds, question and format is accepted.'
  const unknown = Object.keys(body as object).filter((name) => !Object.hasOwn(fields, name))
  // A misspelt field is unknown and missing at once: its name helps more.
  if (unknown.length > 0) return unknownFieldsMessage(unknown)
  const { frameIds, question } = body as { frameIds?: unknown; question?: unknown }
  switch (error?.instancePath.split('/')[1]) {
    case undefined:
      return `frameIds: missing; an array of up to ${FRAME_IDS_MAX} frame ids is needed.`
    case 'frameIds':
      return error?.keyword === 'maxItems'
        ? `frameIds: ${(frameIds as unknown[]).length} given, at most ${FRAME_IDS_MAX}.`
        : `frameIds: an array of 1 to ${FRAME_IDS_MAX} strings of digits is accepted.`
    case 'format':
      return 'format: "report" and "figures" are accepted, or leave it out.'
    default:
      return questionMessage(question, error?.keyword)
  }
}

function unknownFieldsMessage(unknown: readonly string[]): string {
  const names = unknown.slice(0, UNKNOWN_NAMED_MAX).map((name) => `"${name.slice(0, 40)}"`)
  const others = unknown.length > names.length ? ` and ${unknown.length - names.length} others` : ''
  const areNoFields = unknown.length === 1 ? 'is not a field' : 'are not fields'
  return `${names.join(', ')}${others} ${areNoFields}: frameIds, question and format are.`
}

function questionMessage(question: unknown, keyword: string | undefined): string {
  if (typeof question !== 'string') return 'question: a text is accepted.'
  if (keyword === 'maxLength') {
    return `question: ${Array.from(question).length} characters given, at most ${QUESTION_MAX.toLocaleString('en-US')}.`
  }
  if (question.includes('\0')) return 'question: a NUL character is not accepted.'
  return 'question: it is blank; ask something, or leave it out for a profile.'
}

const BODY_DEPTH_MAX = 32
/**
 * Matches each string whole, so that a bracket inside one does not count, and each character that opens, closes or
 * separates.
 */
const JSON_TOKEN = /"(?:[^"\\]|\\.)*"|[{}[\],:]/gs

/** TextDecoder drops a byte order mark, as section 8.1 allows. */
function parseStrictly(bytes: Buffer): unknown {
  const text = decodeUtf8(bytes)
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw invalidBody('The body is not JSON.')
  }
  refuseRepeatedKeys(text)
  return value
}

function decodeUtf8(bytes: Buffer): string {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw invalidBody('The body is not UTF-8.')
  }
}

/** JSON.parse silently keeps the last of two values under one key. The text is known to be JSON here. */
function refuseRepeatedKeys(text: string): void {
  /** Holds the keys of each open object, and undefined for each open list. */
  const open: (Set<string> | undefined)[] = []
  let last = ''
  for (const [token] of text.matchAll(JSON_TOKEN)) {
    if (token === '{' || token === '[') open.push(token === '{' ? new Set() : undefined)
    else if (token === '}' || token === ']') open.pop()
    else if (token === ':') addKey(open.at(-1), JSON.parse(last) as string)
    if (open.length > BODY_DEPTH_MAX) throw invalidBody(`The body is nested deeper than ${BODY_DEPTH_MAX} levels.`)
    last = token
  }
}

function addKey(keys: Set<string> | undefined, key: string): void {
  if (keys?.has(key)) throw invalidBody(`"${key.slice(0, 40)}" is given twice; each key is accepted once.`)
  keys?.add(key)
}
