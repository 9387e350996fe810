/** The curl lines of a page: pasted into a shell where the suite needs servers anyway, else sent as they would be. */
import { execFile } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/db/statement.js'
import { onPostgres } from '../support/database.js'
import { ask } from '../support/service.js'

const run = promisify(execFile)
const BASE = 'http://127.0.0.1:3000'

export const page = (name: string) => readFileSync(new URL(name, projectFolder), 'utf8')

export const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((block) => block[1] ?? '')

/** Returns the text under a heading, up to the next one of its level. */
export function section(text: string, heading: string): string {
  const [, found = ''] = text.split(`\n${heading}\n`)
  const level = heading.split(' ')[0] ?? ''
  return found.split(`\n${level} `)[0] ?? ''
}

export const curlsOf = (text: string) =>
  blocks(text, 'sh').flatMap((block) => block.split('\n').filter((line) => /^curl |; do curl /.test(line)))

/** The path of a line, without what it asks. */
export const pathOf = (line: string) => /127\.0\.0\.1:3000([^'?]+)/.exec(line)?.[1] ?? ''

/** Returns the text that the line prints: one answer after another. */
export async function pasted(line: string, url: string, keys: Record<string, string>): Promise<string> {
  if (onPostgres) {
    const env = { PATH: process.env['PATH'], ...keys }
    return (await run('sh', ['-c', line.replaceAll(BASE, url).replaceAll('curl ', 'curl -s ')], { env })).stdout
  }
  const [, rounds = '1'] = /^for n in ([\d ]+);/.exec(line) ?? []
  let said = ''
  for (const _round of rounds.split(' ')) said += (await sent(line, url, keys)).text
  return said
}

async function sent(line: string, url: string, keys: Record<string, string>) {
  const headers = Object.fromEntries(
    [...line.matchAll(/-H ["']([\w-]+): ([^"']+)["']/g)].map(([, name = '', value = '']) => [
      name,
      value.replace(/\$(\w+)/, (_all, key: string) => keys[key] ?? ''),
    ]),
  )
  const [, body] = /-d '([^']+)'/.exec(line) ?? []
  const [, path = ''] = /127\.0\.0\.1:3000([^']+)'/.exec(line) ?? []
  return await ask(url + path, { headers, ...(body === undefined ? {} : { method: 'POST', body }) })
}
