/** Reads the statements that a page shows, as a browser copies them, and runs them as a person pastes them. */
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { queues, type Target } from '../../src/core/db/connect.js'
import { endsWithTests } from '../support/children.js'
import { urlOf } from '../support/database.js'
import { unescaped } from './pages.js'

/** The texts whose buttons copy them, in the order of the page. `kind` is the beginning of their ids. */
export const shownTexts = (page: string, kind: 'sql' | 'prepared'): string[] =>
  Array.from(page.matchAll(new RegExp(`<pre id="${kind}-\\d+"[^>]*>([^]*?)</pre>`, 'g')), ([, text = '']) =>
    plain(text),
  )

/** Colours are spans, which nobody copies. */
const plain = (markup: string) => unescaped(markup.replace(/<\/?span[^>]*>/g, ''))

export const shownText = (page: string, id: string): string =>
  plain(new RegExp(`<(\\w+)[^>]* id="${id}"[^>]*>([^]*?)</\\1>`).exec(page)?.[2] ?? '').trim()

/** The links of a page to a view of what answered its panels. */
export const linksTo = (page: string, view: string): string[] =>
  Array.from(
    page.matchAll(new RegExp(`<a href="([^"]*[?&;]show=${view}[^"]*)"\\s+data-drawer`, 'g')),
    ([, link = '']) => unescaped(link),
  )

/** A call of each kind, with values that are hard to quote. */
export const sampleCalls = (ids: readonly string[]): string[] => [
  'GET /v1/states',
  'GET /v1/frames?state=marembe&limit=2',
  `GET /v1/frames?state=O'Brien \\ "one" %0A -- two; $1 ſtate&limit=3`,
  'GET /v1/frames?bbox=0.2,0.1,0.22,0.12',
  'GET /v1/frames/at?lat=0.105&lon=0.205',
  'GET /v1/frames/admin?state=marembe',
  `GET /v1/frames/data?ids=${ids.slice(0, 3).join()}`,
  "GET /ogc/collections/frames/items?limit=2&filter=km2 > 1.2 and state <> 'O''Brien <b> -- $1'",
  `POST /v1/frames/insight ${JSON.stringify({ frameIds: ids.slice(0, 3), question: `what's "</pre><b>" \\ -- */ $1?` })}`,
]

const MARK = '-- the text before this line has run --'

/** Runs texts in one psql, each as in a session of its own: starting psql takes longer than most texts do. */
export function psqlAs(target: Target): { run: (text: string) => Promise<string>; end: () => void } {
  assert.ok(typeof target === 'string')
  const options = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-P', 'null=∅', '-F', '|']
  const psql = spawn('psql', [...options, '-d', urlOf(target)])
  endsWithTests(psql)
  let out = ''
  let err = ''
  let look = () => {}
  psql.stdout.setEncoding('utf8').on('data', (text: string) => {
    out += text
    look()
  })
  psql.stderr.setEncoding('utf8').on('data', (text: string) => (err += text))
  psql.once('close', () => look())
  const inTurn = queues()
  return {
    run: (text) =>
      inTurn(psql, async () => {
        out = ''
        psql.stdin.write(`${text}\n;\ndiscard all;\n\\echo '${MARK}'\n`)
        await new Promise<void>((done) => {
          look = () => {
            if (out.endsWith(`${MARK}\n`) || psql.exitCode !== null) done()
          }
          look()
        })
        assert.ok(out.endsWith(`${MARK}\n`), err)
        return out.slice(0, -MARK.length - 1).trimEnd()
      }),
    end: () => psql.stdin.end(),
  }
}
