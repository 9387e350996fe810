/**
 * Links a panel to the statements that answered it, to their plans, and to the same call as a line of curl. The pages
 * behind the links are in pages/sql.ts.
 */
import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { Request as ExpressRequest } from 'express'
import { sqlText } from '../../core/db/statement.js'
import type { Call } from '../../api/inspect/call.js'
import type { StatementStep } from '../../api/inspect/dry-run.js'
import { callText, curlLine } from './api-call.js'
import { copyable } from './components.js'
import { html, type Html } from './html.js'
import { analystLogin, hostNote, psqlLine } from './psql-line.js'
import { sessionOf } from './session.js'
import type { Session } from './statements.js'
import { sqlBlock } from './statement-blocks.js'
import { decodeStatements, encodeStatements, type NamedStatement } from './statement-code.js'

/** A statement over schema analyst, and why no call of the API gives the same. */
export type AnalystSelect = { reason: string; select: string }

/** Says how a program gets the same. The type leaves no panel without a line for a shell. */
export type OtherWays =
  | { calls: readonly [Call, ...Call[]]; analyst?: AnalystSelect }
  | { calls?: undefined; analyst: AnalystSelect }

/** A panel shows the answer to one of the API's calls, or the rows of statements that the page itself ran. */
export type Answered = { call: Call } | ({ statements: readonly NamedStatement[] } & OtherWays)

/** Proxies refuse addresses of more than 8,000 characters. */
const STATEMENTS_MAX = 7000

export function showSql(req: ExpressRequest, answered: Answered): Html {
  const { app } = req.visit.place
  if ('call' in answered) {
    const query = `call=${encodeURIComponent(callText(answered.call))}`
    return html`<div class="show-sql">${links(app, query)} ${curlPart(req, [answered.call])}</div>`
  }
  const { statements, calls, analyst } = answered
  return html`<div class="show-sql">
    ${statementLinks(req, statements)} ${calls && curlPart(req, calls)} ${analyst && psqlPart(req, analyst)}
  </div>`
}

function statementLinks(req: ExpressRequest, statements: readonly NamedStatement[]): Html {
  const code = encodeStatements(statements)
  const query = `statements=${code}&proof=${proofOf(sessionOf(req), code)}`
  if (query.length <= STATEMENTS_MAX) return links(req.visit.place.app, query)
  return html`<details>
    <summary>Show the SQL</summary>
    ${statements.map((statement, i) => sqlBlock(statementStep(statement), i + 1))}
    <p class="quiet">The values are too many for an address, so the page of plans cannot take them.</p>
  </details>`
}

const links = (app: string, query: string): Html =>
  html`<a href="${app}/sql?${query}">Show the SQL</a> <a href="${app}/plan?${query}">Show the plan</a>`

const curlPart = (req: ExpressRequest, calls: readonly Call[]): Html =>
  html`<details>
    <summary>curl</summary>
    ${calls.map((call) => line('curl', curlLine(call, req.visit.place)))}
  </details>`

const psqlPart = (req: ExpressRequest, { reason, select }: AnalystSelect): Html =>
  html`<details>
      <summary>psql</summary>
      ${line('psql', psqlLine(analystLogin(req.visit), select))}
      <p class="quiet">${hostNote(req.visit)}</p>
    </details>
    <p class="quiet">${reason}</p>`

/** A page may have several lines: the id of each is made from its text. */
const line = (kind: string, text: string): Html => copyable(`${kind}-${hash('sha256', text).slice(0, 8)}`, text)

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
const proofOf = ({ tokenHash, orgId }: Session, code: string): string =>
  createHmac('sha256', tokenHash).update(`statements of a panel\n${orgId}\n${code}`).digest('base64url')

/** Returns the statements of an address; undefined where the proof is that of another session or another text. */
export function provenStatements(session: Session, code: string, proof: string): StatementStep[] | undefined {
  const expected = Buffer.from(proofOf(session, code))
  const came = Buffer.from(proof)
  if (came.length !== expected.length || !timingSafeEqual(came, expected)) return undefined
  return decodeStatements(code).map(statementStep)
}
