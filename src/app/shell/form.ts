/** Checks a request before its page, and reads the body of a form. */
import express, { type ErrorRequestHandler, type Request as ExpressRequest, type RequestHandler } from 'express'
import { ApiError } from '../../core/errors.js'
import { badForm, badAddress, primaryAway } from './refusals.js'
import type { Web } from './web.js'

const TYPE = 'application/x-www-form-urlencoded'
const FORM_BYTES_MAX = 20_000

const parse: RequestHandler = (req, _res, next) => {
  if (typeof req.body !== 'string' && !req.is(TYPE) && req.get('Content-Length') !== '0')
    throw badForm(`Content-Type: ${TYPE} is accepted.`, 415)
  req.visit.form = new URLSearchParams(typeof req.body === 'string' ? req.body : '')
  // PostgreSQL stores no NUL.
  if ([...req.visit.form.values()].some((value) => value.includes('\0')))
    throw badForm('A NUL character is not accepted.')
  next()
}

const translateReadError: ErrorRequestHandler = (error: { type?: string; status?: number }, _req, _res, next) => {
  if (error instanceof ApiError || error.status === undefined || error.status >= 500) return next(error)
  next(error.type === 'entity.too.large' ? badForm('It is over 20 kB.', 413) : badForm('Its text cannot be read.'))
}

/** These handlers run after the checks that need no body. */
export const readForm = [express.text({ limit: FORM_BYTES_MAX, type: TYPE }), translateReadError, parse]

/** Returns the one value of a field, without blanks around it; a blank text where the field did not come. */
export function textField({ visit: { form } }: ExpressRequest, name: string): string {
  const values = form?.getAll(name) ?? []
  if (values.length > 1) throw badForm(`The field "${name}" came ${values.length} times.`)
  return values[0]?.trim() ?? ''
}

/** All values of a field that may come several times, such as boxes that are ticked. */
export const textFields = ({ visit: { form } }: ExpressRequest, name: string): string[] =>
  (form?.getAll(name) ?? []).map((value) => value.trim())

export const knownParameters =
  (...names: readonly string[]): RequestHandler =>
  ({ context: { asked } }, _res, next) => {
    const unknown = [...asked.keys()].find((name) => !names.includes(name))
    if (unknown === undefined) return next()
    const accepted = names.length === 0 ? 'none is' : `${names.join(', ')} ${names.length === 1 ? 'is' : 'are'}`
    throw badAddress(`${unknown.slice(0, 20)}: this page has no such parameter; ${accepted} accepted.`)
  }

export function needPrimary({ isPrimaryAway }: Web): RequestHandler {
  return (req, _res, next) => {
    if (isPrimaryAway()) throw primaryAway()
    req.visit.mayHaveChanged = true
    next()
  }
}
