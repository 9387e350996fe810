/** The JSON body of a question: read within bounds, and checked against its schema. */
import { Ajv, type ErrorObject } from 'ajv'
import express, { type ErrorRequestHandler, type RequestHandler } from 'express'
import { ApiError, invalidBody } from '../errors.js'
import { mayBeFrame } from './params.js'

const FRAMES_MAX = 50
const BYTES_MAX = 64 * 1024

const insightSchema = {
  type: 'object',
  additionalProperties: false,
  required: ['frameIds'],
  properties: {
    frameIds: { type: 'array', minItems: 1, items: { type: 'string', pattern: '^[0-9]+$' } },
    question: { type: 'string', maxLength: 1000, pattern: '\\S' },
    format: { type: 'string', const: 'report' },
  },
} as const

type InsightBody = { frameIds: string[]; question?: string; format?: 'report' }

const validate = new Ajv().compile<InsightBody>(insightSchema)

const typed: RequestHandler = (req, _res, next) => {
  if (req.is('application/json')) return next()
  const came = req.get('Content-Type')
  throw invalidBody(`Content-Type: application/json is accepted, ${came ? `"${came.slice(0, 60)}"` : 'none'} came.`)
}
/** Of the reader of bodies alone: what went wrong before it is passed on. */
const broken: ErrorRequestHandler = (error: { type?: string; status?: number }, _req, _res, next) => {
  const isOfBody = !(error instanceof ApiError) && error.status !== undefined && error.status < 500
  if (!isOfBody) return next(error)
  next(invalidBody(BROKEN[error.type ?? ''] ?? 'This body cannot be read: JSON in UTF-8 is accepted.'))
}

/** For a route, after the checks that need no body. */
export const jsonBody = [typed, express.json({ limit: BYTES_MAX, strict: false }), broken]

const BROKEN: Record<string, string> = {
  'entity.too.large': 'The body is over 64 KiB.',
  'entity.parse.failed': 'The body is not JSON.',
}

/** Repeated ids count once; ids that no index can hold are simply unknown. */
export function insightBody(body: unknown): {
  frameIds: string[]
  question: string | undefined
  format: 'plain' | 'report'
} {
  if (!validate(body)) throw invalidBody(sentence(validate.errors?.[0], body))
  const frameIds = [...new Set(body.frameIds)]
  if (frameIds.length > FRAMES_MAX) throw invalidBody(`frameIds: ${frameIds.length} given, at most ${FRAMES_MAX}.`)
  if (body.question?.includes('\0')) throw invalidBody('question: a NUL character is not accepted.')
  return { frameIds: frameIds.filter(mayBeFrame), question: body.question?.trim(), format: body.format ?? 'plain' }
}

function sentence(error: ErrorObject | undefined, body: unknown): string {
  const field = error?.instancePath.split('/')[1]
  if (error?.keyword === 'additionalProperties') {
    const name = (error.params as { additionalProperty: string }).additionalProperty.slice(0, 40)
    return `"${name}" is not a field: frameIds, question and format are.`
  }
  if (field === undefined) {
    return Object(body) === body && !Array.isArray(body)
      ? 'frameIds: missing; an array of up to 50 frame ids is needed.'
      : 'An object with frameIds, question and format is accepted.'
  }
  if (field === 'frameIds') return 'frameIds: an array of 1 to 50 strings of digits is accepted.'
  if (field === 'format') return 'format: "report" is accepted, or leave it out.'
  const question = (body as { question?: unknown }).question
  if (typeof question !== 'string') return 'question: a text is accepted.'
  if (question.trim() === '') return 'question: it is blank; ask something, or leave it out for a profile.'
  return `question: ${Array.from(question).length} characters given, at most 1,000.`
}
