/**
 * GET /app/sql and GET /app/plan: the statements that one of the API's calls runs, and their plans, as "frames sql" and
 * "frames explain" print them. The call runs dry, in read-only transactions, under the organisation of the session.
 */
import type { Request as ExpressRequest, RequestHandler } from 'express'
import type { ApiCall } from '../../core/access/capabilities.js'
import { isOverLimit, type ReadLimits } from '../../core/db/read-only.js'
import { invalid } from '../../core/errors.js'
import { decode } from '../../api/http/query.js'
import type { Call } from '../../api/inspect/call.js'
import { dryRun, type DryRunResult, type DryRunStep } from '../../api/inspect/dry-run.js'
import { explainSteps } from '../../api/inspect/explanation.js'
import type { Services } from '../../services.js'
import { CALL_MAX, callText, curlLine, readApiCall } from '../shell/api-call.js'
import { copyable, textInput } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import type { Page } from '../shell/layout.js'
import { personAuthority } from '../shell/person-authority.js'
import { tookTooLong } from '../shell/refusals.js'
import { sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import { provenStatements } from '../shell/show-sql.js'
import { planBlock, stepBlock } from '../shell/statement-blocks.js'
import type { Web } from '../shell/web.js'

/** Longer statements than the API's own are stopped: the slowest take a tenth of this. */
const STATEMENT_MS = 5000

type Inspected = { req: ExpressRequest; services: Services; web: Web; calls: readonly ApiCall[]; limits: ReadLimits }
/** The statements of a page, and the parts that stand before them. */
type Found = { call?: Call; fault?: string; before?: Html; steps: readonly DryRunStep[]; status?: number }

/** Draws the statements, after they were found. */
type Draw = (inspected: Inspected, steps: readonly DryRunStep[]) => Promise<Html>

const drawSql: Draw = async (_inspected, steps) => html`${steps.map((step, place) => stepBlock(step, place + 1))}`

const drawPlans: Draw = async ({ web, limits }, steps) => {
  const statements = steps.flatMap((step) => ('name' in step ? [step] : []))
  return html`${(await explainSteps(web.inspection, statements, limits)).map(planBlock)}`
}

export const sqlRoute = (services: Services, web: Web, calls: readonly ApiCall[]): RequestHandler =>
  pageRoute({ services, web, calls }, 'SQL of a call', drawSql)

export const planRoute = (services: Services, web: Web, calls: readonly ApiCall[]): RequestHandler =>
  pageRoute({ services, web, calls }, 'Plan of a call', drawPlans)

function pageRoute(around: Pick<Inspected, 'services' | 'web' | 'calls'>, title: string, draw: Draw): RequestHandler {
  return async (req, res) => {
    const limits = { statementMs: STATEMENT_MS, deadline: req.context.deadline }
    const inspected = { ...around, req, limits }
    try {
      const found = await findSteps(inspected)
      const body = found.steps.length === 0 ? undefined : await draw(inspected, found.steps)
      res.status(found.status ?? 200)
      sendPage(res, inspectionPage(req, title, found, body))
    } catch (error) {
      throw isOverLimit(error) ? tookTooLong() : error
    }
  }
}

async function findSteps(inspected: Inspected): Promise<Found> {
  const { req, calls } = inspected
  const statements = addressField(req, 'statements')
  if (statements !== undefined) {
    const proven = provenStatements(sessionOf(req), statements, addressField(req, 'proof') ?? '')
    if (!proven) throw invalid('It was made for another session. Open the panel again, and follow its link.')
    return { steps: proven }
  }
  const text = addressField(req, 'call')
  if (text === undefined) return { steps: [] }
  const read = readApiCall(text, calls, req.visit.place)
  if ('fault' in read) return { fault: read.fault, steps: [], status: 400 }
  const { call } = read
  const result = await runDry(inspected, call)
  return { call, before: outcomePart(req, result), steps: result.steps }
}

/** The session gives the organisation; nothing in the address does. */
async function runDry({ req, services, web, limits }: Inspected, call: Call): Promise<DryRunResult> {
  const { bucketSizes: buckets, wording } = services
  const authority = personAuthority(sessionOf(req))
  return await dryRun({ buckets, wording, limits }, web.inspection, call, () => async () => authority)
}

const outcomePart = (req: ExpressRequest, { status, refusal, steps }: DryRunResult): Html =>
  refusal === undefined || steps.length > 0
    ? html`<p class="quiet">
        Asked as ${sessionOf(req).orgName}: ${refusal ?? status}. Nothing is charged or written.
      </p>`
    : html`<p class="notice bad" id="refusal">The API refuses this call: ${refusal}</p>`

function inspectionPage(req: ExpressRequest, title: string, found: Found, statements: Html | undefined): Page {
  const { app } = req.visit.place
  const { call, fault, before } = found
  const sent = fault === undefined ? call && callText(call) : addressField(req, 'call')
  return {
    title,
    body: html`<form class="form sheet" method="get" action="${app}/sql">
        ${textInput({
          name: 'call',
          label: 'A call of the API',
          value: sent?.slice(0, CALL_MAX),
          maxLength: CALL_MAX,
          required: true,
          hint: 'Such as GET /v1/states, or POST /v1/frames/insight with its body behind a blank.',
          fault,
        })}
        <div class="actions">
          <button class="primary">Show the SQL</button>
          <button formaction="${app}/plan">Show the plan</button>
        </div>
      </form>
      ${
        call &&
        html`<section>
          <h2>curl</h2>
          ${copyable('curl-line', curlLine(call, req.visit.place))}
          <p class="quiet">FRAMES_KEY holds the secret of a key.</p>
        </section>`
      }
      ${before} ${statements}`,
  }
}

/** Several values, or one that is no text in UTF-8, are none. */
function addressField({ context: { asked } }: ExpressRequest, name: string): string | undefined {
  const values = asked.get(name) ?? []
  const [value] = values
  if (value === undefined) return undefined
  const text = values.length === 1 ? decode(value.replaceAll('+', ' ')) : undefined
  if (text === undefined) throw invalid(`Its part "${name}" cannot be read.`)
  return text
}
