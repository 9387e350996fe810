/**
 * Links a panel to the statements that answered it, to their plans, and to the same call as a line of curl. The pages
 * behind the links are in pages/sql.ts.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Request as ExpressRequest } from 'express'
import { sqlText } from '../db/statement.js'
import type { Call } from '../inspect/call.js'
import type { StatementStep } from '../inspect/dry-run.js'
import { callText, curlLine } from './api-call.js'
import { copyable } from './components.js'
import { html, type Html } from './html.js'
import { sessionOf } from './session.js'
import type { Session } from './statements.js'
import { sqlBlock } from './statement-blocks.js'
import { placeOfRequest } from './web.js'

/** A panel names a statement by its file in sql/, such as "totals_of_unit" or "web/datasets_to_choose". */
type NamedStatement = { name: string; args: readonly unknown[] }

/** A panel shows the answer to one of the API's calls, or the rows of statements that the page itself ran. */
export type Answered = { call: Call } | { statements: readonly NamedStatement[] }

/** Proxies refuse longer addresses. */
const STATEMENTS_MAX = 6000

export function showSql(req: ExpressRequest, answered: Answered): Html {
  const place = placeOfRequest(req)
  if ('call' in answered) {
    const text = callText(answered.call)
    return html`<div class="show-sql">
      ${links(place.app, `call=${encodeURIComponent(text)}`)}
      <details>
        <summary>curl</summary>
        ${copyable(`curl-${hash('sha256', text).slice(0, 8)}`, curlLine(answered.call, place))}
      </details>
    </div>`
  }
  const text = JSON.stringify(answered.statements)
  const query = `statements=${encodeURIComponent(text)}&proof=${proofOf(sessionOf(req), text)}`
  if (query.length <= STATEMENTS_MAX) return html`<div class="show-sql">${links(place.app, query)}</div>`
  return html`<details class="show-sql">
    <summary>Show the SQL</summary>
    ${answered.statements.map((statement, i) => sqlBlock(statementStep(statement), i + 1))}
  </details>`
}

const links = (app: string, query: string): Html =>
  html`<a href="${app}/sql?${query}">Show the SQL</a> <a href="${app}/plan?${query}">Show the plan</a>`

const statementStep = ({ name, args }: NamedStatement): StatementStep => ({
  name: name.replace(/^.*\//, ''),
  file: `sql/${name}.sql`,
  text: sqlText(name),
  args,
})

/**
 * A panel puts its own statements into the address of their page. The proof shows that the service wrote them for this
 * session: no person can have a statement run about another organisation, nor one that no panel shows.
 */
const proofOf = ({ tokenHash, orgId }: Session, text: string): string =>
  createHmac('sha256', tokenHash).update(`statements of a panel\n${orgId}\n${text}`).digest('base64url')

/** Returns the statements of an address; undefined where the proof is that of another session or another text. */
export function provenStatements(session: Session, text: string, proof: string): StatementStep[] | undefined {
  const expected = Buffer.from(proofOf(session, text))
  const came = Buffer.from(proof)
  if (came.length !== expected.length || !timingSafeEqual(came, expected)) return undefined
  return (JSON.parse(text) as NamedStatement[]).map(statementStep)
}
