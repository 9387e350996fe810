/** The JSON body of a question: read within bounds, and checked against its schema. */
import { Ajv, type ErrorObject } from 'ajv'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { ApiError, invalidBody } from '../errors.js'
import { isFrameId } from '../frame-id.js'
import { numberAt, objectAt } from '../openapi.js'
import { parseStrictly } from './strict-json.js'

const schema = ['components', 'schemas', 'InsightBody']
const FRAMES_MAX = numberAt(...schema, 'properties', 'frameIds', 'maxItems')
const QUESTION_MAX = numberAt(...schema, 'properties', 'question', 'maxLength')
const fields = objectAt(...schema, 'properties')
const BYTES_MAX = 64 * 1024
/** A message names at most so many unknown fields. */
const UNKNOWN_NAMED = 10

type InsightBody = { frameIds: string[]; question?: string; format?: 'report' | 'figures' }

const validate = new Ajv().compile<InsightBody>(objectAt(...schema))

const typed: RequestHandler = (req, _res, next) => {
  const came = req.get('Content-Type')
  if (!req.is('application/json'))
    throw invalidBody(`Content-Type: application/json is accepted, ${came ? `"${came.slice(0, 60)}"` : 'none'} came.`)
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([^\s";]*)/i.exec(came ?? '') ?? []
  if (charset.toLowerCase() !== 'utf-8')
    throw invalidBody(`Content-Type: the charset utf-8 is accepted, "${charset.slice(0, 40)}" came.`)
  next()
}

const parsed: RequestHandler = (req, _res, next) => {
  const { body } = req as { body?: unknown }
  req.body = parseStrictly(Buffer.isBuffer(body) ? body : Buffer.alloc(0))
  next()
}

/** Of the reader of bodies alone: what went wrong before it is passed on. */
const broken: ErrorRequestHandler = (error: { type?: string; status?: number }, _req, _res, next) => {
  const isOfBody = !(error instanceof ApiError) && error.status !== undefined && error.status < 500
  if (!isOfBody) return next(error)
  next(invalidBody(BROKEN[error.type ?? ''] ?? 'This body cannot be read: JSON in UTF-8 is accepted.'))
}

/** For a route, after the checks that need no body. */
export const jsonBody = [typed, express.raw({ limit: BYTES_MAX, type: () => true }), broken, parsed]

const BROKEN: Record<string, string> = {
  'entity.too.large': 'The body is over 64 KiB.',
}

/** Repeated ids count once; ids that no index can hold are simply unknown. */
export function insightBody(body: unknown): {
  frameIds: string[]
  question: string | undefined
  format: 'plain' | 'report' | 'figures'
} {
  const asked = withIdsOnce(body)
  if (!validate(asked)) throw invalidBody(sentence(validate.errors?.[0], asked))
  const { frameIds, question, format } = asked
  return { frameIds: frameIds.filter(isFrameId), question: question?.trim(), format: format ?? 'plain' }
}

function withIdsOnce(body: unknown): unknown {
  const ids = (Object(body) as { frameIds?: unknown }).frameIds
  return Array.isArray(ids) ? { ...(body as object), frameIds: [...new Set(ids)] } : body
}

function sentence(error: ErrorObject | undefined, body: unknown): string {
  const field = error?.instancePath.split('/')[1]
  const isObject = Object(body) === body && !Array.isArray(body)
  const unknown = isObject ? Object.keys(body as object).filter((name) => !Object.hasOwn(fields, name)) : []
  // A misspelt field is also a missing one: its name is what helps.
  if (unknown.length > 0) {
    const names = unknown.slice(0, UNKNOWN_NAMED).map((name) => `"${name.slice(0, 40)}"`)
    const others = unknown.length > names.length ? ` and ${unknown.length - names.length} others` : ''
    return `${names.join(', ')}${others} ${unknown.length === 1 ? 'is not a field' : 'are not fields'}: frameIds, question and format are.`
  }
  if (field === undefined) {
    return isObject
      ? `frameIds: missing; an array of up to ${FRAMES_MAX} frame ids is needed.`
      : 'An object with frameIds, question and format is accepted.'
  }
  if (field === 'frameIds') {
    if (error?.keyword === 'maxItems') {
      return `frameIds: ${(body as { frameIds: unknown[] }).frameIds.length} given, at most ${FRAMES_MAX}.`
    }
    return `frameIds: an array of 1 to ${FRAMES_MAX} strings of digits is accepted.`
  }
  if (field === 'format') return 'format: "report" and "figures" are accepted, or leave it out.'
  const question = (body as { question?: unknown }).question
  if (typeof question !== 'string') return 'question: a text is accepted.'
  if (error?.keyword === 'maxLength') {
    return `question: ${Array.from(question).length} characters given, at most ${QUESTION_MAX.toLocaleString('en-US')}.`
  }
  if (question.includes('\0')) return 'question: a NUL character is not accepted.'
  return 'question: it is blank; ask something, or leave it out for a profile.'
}
