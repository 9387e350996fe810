/**
 * Fault: PGlite 0.5.8 cannot resume a COPY FROM STDIN whose data comes in later messages. Steps: `\copy` of psql into
 *   any table. The session answers nothing more; it should take the rows.
 * Link: electric-sql/pglite#1028.
 * Gain: the client gets an error that says what works, instead of no answer.
 * Delete it when PGlite takes a COPY and its data in separate calls.
 */
import type { Buffer } from 'node:buffer'
import { message } from './messages.js'

const COPY_IN = /^(\s|--[^\n]*\n)*copy\b[\s\S]*\bfrom\s+stdin\b/i
const REFUSAL =
  "do $$begin raise feature_not_supported using message = 'the embedded database cannot COPY FROM STDIN', " +
  "hint = 'Use INSERT here, or a PostgreSQL server.'; end$$"

export const isCopyIn = (text: string): boolean => COPY_IN.test(text)

/** A statement that fails in place of the COPY: a simple query, or one to prepare under `name`. */
export const copyRefusal = (type: string, name: string): Buffer =>
  message(type, type === 'Q' ? `${REFUSAL}\0` : `${name}${REFUSAL}\0\0\0`)
