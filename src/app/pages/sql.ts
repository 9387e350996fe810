/**
 * Shows what answered a panel, or a call of the API: the statements, their plans, and the lines that get the same in a
 * program, as "frames sql" and "frames explain" print them. A script shows it in a drawer over the page.
 */
import type { Request as ExpressRequest, RequestHandler, Response } from 'express'
import { decode } from '../../api/http/query.js'
import type { ExplainedCall } from '../../api/inspect/call.js'
import { dryRun, type DryRunResult, type DryRunStep, type StatementStep } from '../../api/inspect/dry-run.js'
import { explainSteps, type Explanation } from '../../api/inspect/explanation.js'
import { filled, prepared } from '../../api/inspect/literals.js'
import {
  analystLogin,
  CALL_MAX,
  callText,
  curlLine,
  hostNote,
  type Login,
  psqlLine,
  readApiCall,
} from '../shell/api-call.js'
import { type Column, copyableText, table, textInput } from '../shell/components.js'
import {
  type AnalystSelect,
  callAddress,
  drawerPart,
  isForDrawer,
  isView,
  type NamedStatement,
  type OtherWays,
  pageAddress,
  panelAddress,
  type View,
  type ViewAddress,
  viewsOf,
  viewTabs,
} from '../shell/show-sql.js'
import { html, type Html } from '../shell/html.js'
import { personAuthority } from '../shell/person-authority.js'
import { noSuchPage, tookTooLong } from '../shell/refusals.js'
import { sendHtml, sendPage } from '../shell/send-page.js'
import { sessionOf } from '../shell/session.js'
import type { Visit } from '../shell/visit.js'
import type { Web } from '../shell/web.js'
import type { ApiCall } from '../../core/access/index.js'
import { isOverLimit, type ReadLimits, sqlText as textOfFile } from '../../core/db/index.js'
import { invalid } from '../../core/errors.js'
import type { ServedAt } from '../../core/origin.js'
import type { Services } from '../../services.js'

/** Longer statements than the API's own are stopped: the slowest take a tenth of this. */
const STATEMENT_MS = 5000

/** The views show this. `note` stands before the statements. */
type Inside = { subject: string; steps: readonly DryRunStep[]; ways: OtherWays; address: ViewAddress; note?: Html }

/**
 * Adds the views of its panels to a page. The page is drawn as ever, but not sent: so a panel shows the statements that
 * answer it now, and no address holds one.
 */
export function withPanels(web: Web, route: RequestHandler): RequestHandler {
  return async (req, res, next) => {
    const shown = addressField(req, 'show')
    if (!isView(shown)) return route(req, res, next)
    req.visit.isForPanel = true
    await route(req, res, next)
    if (res.headersSent) return
    req.visit.isForPanel = false
    const panel = req.visit.panels.find(({ of }) => of === addressField(req, 'of'))
    if (!panel) throw noSuchPage()
    const { of: _of, at: _at, subject, statements, ...ways } = panel
    const steps = statements.map(statementStep)
    await sendInside(web, res, shown, { subject, steps, ways, address: panelAddress(req, panel) })
  }
}

const statementStep = ({ name, args, makes }: NamedStatement): ShownStep => ({
  name: name.replace(/^.*\//, ''),
  file: `sql/${name}.sql`,
  text: textOfFile(name),
  args,
  ...(makes !== undefined && { makes }),
})

type ShownStep = StatementStep & Pick<NamedStatement, 'makes'>

/** The page shows this call where its address has none, so that nobody meets an empty field. */
const FIRST_CALL = 'GET /v1/states'

/** GET /app/sql: the same for a call of the API, which runs dry, under the organisation of the session. */
export function sqlRoute(services: Services, web: Web, calls: readonly ApiCall[]): RequestHandler {
  return async (req, res) => {
    const sent = addressField(req, 'show') ?? 'sql'
    const asked: View = isView(sent) ? sent : 'sql'
    const text = addressField(req, 'call') ?? FIRST_CALL
    const read = readApiCall(text, calls, req.visit.place)
    if ('fault' in read) {
      res.status(400)
      const faults = { call: read.fault }
      return sendPage(res, { title: 'A call of the API', faults, body: callForm(req, text, asked, read.fault) })
    }
    const { call } = read
    const ways: OtherWays = { calls: [call] }
    const view = viewsOf(ways).includes(asked) ? asked : 'sql'
    const address = callAddress(req.visit.place.app, call)
    const { bucketSizes: buckets, wording } = services
    // The session gives the organisation; nothing in the address does.
    const authority = personAuthority(sessionOf(req))
    const options = { buckets, wording, limits: readLimits(req) }
    const run = await dryRun(options, web.inspection, call, () => async () => authority).catch(throwTooLong)
    const note = outcomePart(req, run)
    await sendInside(web, res, view, { subject: callText(call), steps: run.steps, ways, address, note })
  }
}

const readLimits = ({ context: { deadline } }: ExpressRequest): ReadLimits => ({ statementMs: STATEMENT_MS, deadline })

const throwTooLong = (error: unknown): never => {
  throw isOverLimit(error) ? tookTooLong() : error
}

const outcomePart = (req: ExpressRequest, { status, refusal, steps }: DryRunResult): Html =>
  refusal === undefined || steps.length > 0
    ? html`<p class="quiet">
        Asked as ${sessionOf(req).orgName}: ${refusal ?? status}. Nothing is charged or written.
      </p>`
    : html`<p class="notice bad" id="refusal">The API refuses this call: ${refusal}</p>`

async function sendInside(web: Web, res: Response, view: View, inside: Inside): Promise<void> {
  const { req } = res
  const { subject, ways, address, note } = inside
  const body = html`${viewTabs(address, viewsOf(ways), view)} ${note} ${await panelView(web, req, view, inside)}`
  if (isForDrawer(req)) {
    sendHtml(res, drawerPart(address(view), subject, body))
    return
  }
  const isCall = req.path === '/sql'
  sendPage(res, {
    title: subject,
    ...(!isCall && { actions: html`<a class="button" href="${pageAddress(req)}">Back to the page</a>` }),
    body: html`${body} ${isCall && callForm(req, subject, view)}`,
  })
}

async function panelView(web: Web, req: ExpressRequest, view: View, { steps, ways }: Inside): Promise<Html> {
  if (view === 'sql') return html`${steps.map((step, place) => stepBlock(step, place + 1))}`
  if (view !== 'plan') return programLines(req.visit, view, ways)
  const statements = steps.flatMap((step) => ('name' in step ? [step] : []))
  const plans = await explainSteps(web.inspection, statements, readLimits(req)).catch(throwTooLong)
  return html`${plans.map(planBlock)}`
}

const callForm = (req: ExpressRequest, text: string, view: View, fault?: string): Html =>
  html`<form class="form sheet" method="get" action="${req.visit.place.app}/sql">
    ${textInput({
      name: 'call',
      label: 'Another call of the API',
      value: text.slice(0, CALL_MAX),
      maxLength: CALL_MAX,
      required: true,
      hint: 'Such as GET /v1/states, or POST /v1/frames/insight with its body behind a blank.',
      fault,
    })}
    <input type="hidden" name="show" value="${view}" />
    <div class="row"><button>Show it</button></div>
  </form>`

/** Several values, or one that is no text in UTF-8, are none. */
function addressField({ context: { asked } }: ExpressRequest, name: string): string | undefined {
  const values = asked.get(name) ?? []
  const [value] = values
  if (value === undefined) return undefined
  const text = values.length === 1 ? decode(value.replaceAll('+', ' ')) : undefined
  if (text === undefined) throw invalid(`Its part "${name}" cannot be read.`)
  return text
}

/** A statement, or the note about one that a dry run leaves out. */
const stepBlock = (step: DryRunStep, place: number): Html =>
  'name' in step ? sqlBlock(step, place) : html`<section class="panel note"><p>${step.note}</p></section>`

/** `place` keeps the ids of a page apart. */
const sqlBlock = (step: StatementStep, place: number): Html =>
  html`<section class="panel statement">
    ${heading(step)}
    ${sqlText(`sql-${place}`, filled(step.text, step.args), `Statement ${place}, ${step.name} with its values`)}
    <details>
      <summary>As the API sends it: PREPARE and EXECUTE</summary>
      ${sqlText(
        `prepared-${place}`,
        prepared(step.name, step.text, step.args),
        `Statement ${place}, ${step.name}, prepared`,
      )}
    </details>
  </section>`

const sqlText = (id: string, text: string, label: string): Html => copyableText(id, coloured(`${text};`, 'sql'), label)

const heading = ({ name, file, text, makes }: ShownStep): Html =>
  html`<div>
    <h2>${name} <code class="file">${file}</code></h2>
    ${makes !== undefined && html`<p><strong>For: ${makes}</strong></p>`}
    <p>${headerSentence(text)}</p>
  </div>`

/** The first line of the header says what the statement answers. */
const headerSentence = (text: string): string => {
  const [, sentence = ''] = /^-- \w+: (.*)/.exec(text) ?? []
  return sentence.charAt(0).toUpperCase() + sentence.slice(1)
}

const planBlock = ({ step, planText, measured, sentences }: Explanation, place: number): Html =>
  html`<section class="panel statement">
    ${heading(step)} ${measured && table(`Cost of ${step.name}`, costColumns, costsOf(measured))}
    ${sqlText(`sql-${place + 1}`, filled(step.text, step.args), `Statement ${place + 1}, ${step.name}`)}
    <ul>
      ${sentences.map((sentence) => html`<li>${sentence}</li>`)}
    </ul>
    ${
      planText !== undefined &&
      html`<pre tabindex="0" role="region" aria-label="Plan ${place + 1}, of ${step.name}">${planText}</pre>`
    }
  </section>`

type Cost = { title: string; measured: string; allowed: string }

const costColumns: readonly Column<Cost>[] = [
  { heading: 'Cost', cell: ({ title }) => title },
  { heading: 'Measured', cell: ({ measured }) => measured, align: 'number' },
  { heading: 'At most, by its header', cell: ({ allowed }) => allowed, align: 'number' },
]

function costsOf({ facts, allowance }: NonNullable<Explanation['measured']>): Cost[] {
  const most = (limit: number | undefined) => (limit === undefined ? 'no limit' : count(limit))
  return [
    { title: 'Rows out', measured: count(facts.rows), allowed: '' },
    { title: 'Rows read', measured: count(facts.rowsRead), allowed: most(allowance?.rowsRead) },
    { title: 'Buffers of 8 kB', measured: count(facts.buffers), allowed: most(allowance?.buffers) },
    ...(facts.buffersFromOutside === 0
      ? []
      : [{ title: "... from outside PostgreSQL's memory", measured: count(facts.buffersFromOutside), allowed: '' }]),
    { title: 'Planning', measured: `${facts.planningMs.toFixed(3)} ms`, allowed: '' },
    { title: 'Execution', measured: `${facts.executionMs.toFixed(3)} ms`, allowed: '' },
  ]
}

const count = (number: number) => Math.floor(number).toLocaleString('en-US')

function programLines(visit: Visit, view: Exclude<View, 'sql' | 'plan'>, { calls, analyst }: OtherWays): Html {
  if (view === 'psql') return analyst ? analystPart(visit, analyst, psqlLines(visit, analyst)) : html``
  if (view === 'python') {
    if (!calls) return analystPart(visit, analyst, pythonLines(pythonOfSelect(analystLogin(visit), analyst.select)))
    return html`${pythonLines(pythonOfCalls(calls, visit.place))}
      <p class="quiet">The client is in <code>clients/python</code>. FRAMES_KEY holds the secret of a key.</p>`
  }
  if (!calls) return html`<p>${analyst.reason}</p>`
  const lines = calls.map((call, place) => {
    const id = place === 0 ? 'curl-line' : `curl-line-${place + 1}`
    return copyableText(id, coloured(curlLine(call, visit.place), 'shell'), `Line ${place + 1} of curl`)
  })
  return html`${lines}
    <p class="quiet">FRAMES_KEY holds the secret of a key.</p>
    ${analyst && html`<p class="quiet">${analyst.reason}</p>`}`
}

const analystPart = (visit: Visit, { reason }: AnalystSelect, lines: Html): Html =>
  html`<p>${reason}</p>
    ${lines}
    <p class="quiet">${hostNote(visit)}</p>`

const psqlLines = (visit: Visit, { select }: AnalystSelect): Html =>
  copyableText('psql-line', coloured(psqlLine(analystLogin(visit), select), 'shell'), 'Line of psql')

const pythonLines = (text: string): Html => copyableText('python-lines', coloured(text, 'python'), 'Lines of Python')

function pythonOfCalls(calls: readonly ExplainedCall[], { origin, basePath }: ServedAt): string {
  return [
    'import os',
    'from frames_client import Client',
    '',
    `client = Client(${pythonText(origin + basePath)}, os.environ['FRAMES_KEY'])`,
    ...calls.map((call) => `print(${expression(call)})`),
  ].join('\n')
}

const pythonOfSelect = ({ database, user }: Login, select: string): string =>
  [
    'import pandas',
    '',
    `rows = pandas.read_sql(${pythonText(select)}, 'postgresql://${user}@HOST/${database}')`,
    'print(rows)',
  ].join('\n')

function expression({ path, body }: ExplainedCall): string {
  const { pathname, searchParams } = new URL(path, 'http://localhost')
  const given = body === undefined ? [...searchParams] : Object.entries(JSON.parse(body) as Record<string, unknown>)
  const named = given.map(([name, value]) => `, ${name}=${pythonValue(value)}`).join('')
  return `client.${body === undefined ? `get(${pythonText(pathname)}` : "tool('ask'"}${named})`
}

const pythonValue = (value: unknown): string =>
  Array.isArray(value) ? `[${value.map((each) => pythonText(String(each))).join(', ')}]` : pythonText(String(value))

/** JSON's escapes are Python's, too. */
const pythonText = (value: string): string =>
  value.includes("'") || /[\\\p{C}]/u.test(value) ? JSON.stringify(value) : `'${value}'`

type Language = 'sql' | 'shell' | 'python'

const STRINGS = String.raw`'(?:[^'\\]|''|\\.)*'|"(?:[^"\\]|\\.)*"`

/** Each piece is a comment, a text, a number or a word; the rest stands as it is. */
const PIECES: Readonly<Record<Language, RegExp>> = {
  sql: new RegExp(
    String.raw`(?<comment>--[^\n]*|/\*[^]*?\*/)|(?<text>${STRINGS})|(?<number>\b\d[\d.]*\b)|(?<word>[a-z_]\w*)`,
    'gi',
  ),
  shell: new RegExp(
    String.raw`(?<comment>(?:^|(?<=\s))#[^\n]*)|(?<text>${STRINGS})|(?<word>(?<=^|\s)(?:curl|psql|-{1,2}[\w-]+))`,
    'gm',
  ),
  python: new RegExp(
    String.raw`(?<comment>#[^\n]*)|(?<text>${STRINGS})|(?<number>\b\d[\d.]*\b)|(?<word>[a-z_]\w*)`,
    'gi',
  ),
}

const words = (text: string): ReadonlySet<string> => new Set(text.split(/\s+/))

const KEYWORDS_OF: Readonly<Record<Language, ReadonlySet<string> | undefined>> = {
  sql: words(
    `all and any array as asc between by case cast coalesce collate create cross cube deallocate delete desc distinct
    else end except execute exists false filter first for from full group grouping having in inner insert intersect
    into is join last lateral left like limit materialized natural not null nulls of offset on only or order ordinality
    outer over partition prepare range recursive right rollup row rows select sets set some then true union unnest
    update using values when where window with within`,
  ),
  shell: undefined,
  python: words('and as def else for from if import in is None not or return True False with print'),
}

function coloured(text: string, language: Language): Html {
  const parts: (Html | string)[] = []
  let from = 0
  for (const found of text.matchAll(PIECES[language])) {
    const [piece] = found
    const kind = Object.entries(found.groups ?? {}).find(([, value]) => value !== undefined)?.[0] ?? ''
    const keywords = KEYWORDS_OF[language]
    if (kind === 'word' && keywords && !keywords.has(language === 'sql' ? piece.toLowerCase() : piece)) continue
    parts.push(text.slice(from, found.index), html`<span class="code-${kind}">${piece}</span>`)
    from = found.index + piece.length
  }
  return html`${[...parts, text.slice(from)]}`
}
