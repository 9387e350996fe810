/** Checks a question against its schema in openapi.yaml. */
import { Ajv, type ErrorObject } from 'ajv'
import { invalidBody } from '../errors.js'
import { numberAt, objectAt } from '../openapi.js'
import type { Place } from '../place.js'
import type { InsightRequest } from './answer.js'

const BODY_SCHEMA = ['components', 'schemas', 'InsightBody']
export const FRAME_IDS_MAX = numberAt(...BODY_SCHEMA, 'properties', 'frameIds', 'maxItems')
export const QUESTION_MAX = numberAt(...BODY_SCHEMA, 'properties', 'question', 'maxLength')
const fields = objectAt(...BODY_SCHEMA, 'properties')
/** A message that named thousands of unknown fields would help nobody. */
const UNKNOWN_NAMED_MAX = 10

type InsightBody = { frameIds: string[]; question?: string; format?: 'report' | 'figures' }

const isInsightBody = new Ajv().compile<InsightBody>(objectAt(...BODY_SCHEMA))

/** Repeated ids count once. Ids that no index can hold are unknown like others. */
export function insightBody(body: unknown): InsightRequest {
  const distinct = withDistinctIds(body)
  if (!isInsightBody(distinct)) throw invalidBody(messageFor(isInsightBody.errors?.[0], distinct))
  const { frameIds, question, format } = distinct
  return { place: { frames: frameIds }, question: question?.trim(), format: format ?? 'plain' }
}

/** A question about a place has no ids; its other fields are those of the call. */
export const questionBody = (body: object, place: Place): InsightRequest =>
  'frames' in place
    ? insightBody({ ...body, frameIds: place.frames })
    : { ...insightBody({ ...body, frameIds: ['0'] }), place }

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
