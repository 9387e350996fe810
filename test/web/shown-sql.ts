/** Reads the statements that a page shows, as a browser copies them, and runs them as a person pastes them. */
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import type { Target } from '../../src/db/connect.js'
import { decodeStatements } from '../../src/web/statement-code.js'
import { urlOf } from '../support/database.js'

const ENTITIES: Record<string, string> = { '&amp;': '&', '&lt;': '<', '&gt;': '>', '&quot;': '"', '&#39;': "'" }
export const unescaped = (markup: string) =>
  markup.replace(/&(?:amp|lt|gt|quot|#39);/g, (entity) => ENTITIES[entity] ?? '')

/** The texts whose buttons copy them, in the order of the page. `kind` is the beginning of their ids. */
export const shownTexts = (page: string, kind: 'sql' | 'prepared'): string[] =>
  Array.from(page.matchAll(new RegExp(`<pre id="${kind}-\\d+"[^>]*>([^<]*)</pre>`, 'g')), ([, text = '']) =>
    unescaped(text),
  )

export const shownText = (page: string, id: string): string =>
  unescaped(new RegExp(`<\\w+[^>]* id="${id}"[^>]*>([^<]*)<`).exec(page)?.[1] ?? '').trim()

/** A call of each kind, with values that are hard to quote. */
export const sampleCalls = (ids: readonly string[]): string[] => [
  'GET /v1/states',
  'GET /v1/frames?state=marembe&limit=2',
  `GET /v1/frames?state=O'Brien \\ "one" %0A -- two; $1 ſtate&limit=3`,
  'GET /v1/frames?bbox=0.2,0.1,0.22,0.12',
  'GET /v1/frames/at?lat=0.105&lon=0.205',
  'GET /v1/frames/admin?state=marembe',
  `GET /v1/frames/data?ids=${ids.slice(0, 3).join()}`,
  `POST /v1/frames/insight ${JSON.stringify({ frameIds: ids.slice(0, 3), question: `what's "</pre><b>" \\ -- */ $1?` })}`,
]

/** The files of the statements to which the panels of a page link. */
export const linkedStatements = (page: string): string[] =>
  Array.from(page.matchAll(/[?&;]statements=([\w-]+)/g), ([, code = '']) => decodeStatements(code)).flatMap(
    (statements) => statements.map(({ name }) => name),
  )

/** Runs a text with psql as the login of the target, or through the socket of the embedded database. */
export async function runPasted(target: Target, text: string): Promise<string> {
  if (typeof target === 'string') {
    const options = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-P', 'null=∅', '-F', '|']
    return execFileSync('psql', [...options, '-d', urlOf(target)], { input: text })
      .toString()
      .trimEnd()
  }
  const client = new pg.Client(target)
  await client.connect()
  const types = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
  try {
    const results = [await client.query<(string | null)[]>({ text, rowMode: 'array', types })].flat()
    return results.flatMap(({ rows }) => rows.map((row) => row.map((value) => value ?? '∅').join('|'))).join('\n')
  } finally {
    await client.end()
  }
}
