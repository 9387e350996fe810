/** Draws the lines of curl, psql and Python that get in a program what a panel shows. */
import type { AnalystSelect, OtherWays } from '../shell/answered.js'
import { curlLine } from '../shell/api-call.js'
import { copyableText } from '../shell/components.js'
import { html, type Html } from '../shell/html.js'
import { analystLogin, hostNote, psqlLine } from '../shell/psql-line.js'
import { pythonOfCalls, pythonOfSelect } from '../shell/python-lines.js'
import type { View } from '../shell/show-sql.js'
import { coloured } from '../shell/syntax.js'
import type { Visit } from '../shell/visit.js'

const KEY_NOTE = html`<p class="quiet">FRAMES_KEY holds the secret of a key.</p>`

export function programLines(visit: Visit, view: Exclude<View, 'sql' | 'plan'>, { calls, analyst }: OtherWays): Html {
  if (view === 'psql') return analyst ? psqlPart(visit, analyst) : html``
  if (view === 'python') {
    return calls
      ? html`${copyableText('python-lines', coloured(pythonOfCalls(calls, visit.place), 'python'), 'Lines of Python')}
          <p class="quiet">The client is in <code>clients/python</code>. FRAMES_KEY holds the secret of a key.</p>`
      : analystPython(visit, analyst)
  }
  if (!calls) return html`<p>${analyst.reason}</p>`
  const line = (place: number, text: string) =>
    copyableText(
      place === 0 ? 'curl-line' : `curl-line-${place + 1}`,
      coloured(text, 'shell'),
      `Line ${place + 1} of curl`,
    )
  return html`${calls.map((call, place) => line(place, curlLine(call, visit.place)))} ${KEY_NOTE}
  ${analyst && html`<p class="quiet">${analyst.reason}</p>`}`
}

const psqlPart = (visit: Visit, { reason, select }: AnalystSelect): Html =>
  html`<p>${reason}</p>
    ${copyableText('psql-line', coloured(psqlLine(analystLogin(visit), select), 'shell'), 'Line of psql')}
    <p class="quiet">${hostNote(visit)}</p>`

const analystPython = (visit: Visit, { reason, select }: AnalystSelect): Html =>
  html`<p>${reason}</p>
    ${copyableText('python-lines', coloured(pythonOfSelect(analystLogin(visit), select), 'python'), 'Lines of Python')}
    <p class="quiet">${hostNote(visit)}</p>`
