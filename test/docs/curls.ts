/** The examples of a page: its curl lines as they would be sent, and its lines of `frames` as they would be run. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { frames, wordsOf } from '../support/cli.js'
import { ask } from '../support/service.js'

const BASE = 'http://127.0.0.1:3000'
const COMMAND = 'npm run -s frames -- '

export const page = (name: string) => readFileSync(new URL(name, projectFolder), 'utf8')

export const blocks = (text: string, language: string) =>
  [...text.matchAll(new RegExp(`\`\`\`${language}\n([\\s\\S]*?)\`\`\``, 'g'))].map((block) => block[1] ?? '')

/** Returns the text under a heading, up to the next one of its level. */
export function section(text: string, heading: string): string {
  const [, found = ''] = text.split(`\n${heading}\n`)
  const level = heading.split(' ')[0] ?? ''
  return found.split(`\n${level} `)[0] ?? ''
}

/** The anchors of a page's headings, with their #. */
export const anchorsOf = (text: string) =>
  Array.from(
    text.matchAll(/^#+ (.*)$/gm),
    ([, heading = '']) =>
      `#${heading
        .toLowerCase()
        .replaceAll(/[^\w\- ]/g, '')
        .replaceAll(' ', '-')}`,
  )

/** The lines of the page's shell blocks. */
export const shellLines = (text: string) =>
  blocks(text, 'sh')
    .flatMap((block) => block.split('\n'))
    .filter(Boolean)

export const curlsOf = (text: string) => shellLines(text).filter((line) => line.startsWith('curl '))

/** The path of a line, without what it asks. */
export const pathOf = (line: string) => /127\.0\.0\.1:3000([^'?]+)/.exec(line)?.[1] ?? ''

/** Returns the text that the line prints. */
export async function pasted(line: string, url: string, keys: Record<string, string>): Promise<string> {
  const sent = { url: '', headers: {} as Record<string, string>, body: undefined as string | undefined }
  const words = wordsOf(line.replaceAll(/\$(\w+)/g, (_all, key: string) => keys[key] ?? '')).values()
  assert.equal(words.next().value, 'curl')
  for (const word of words) {
    if (word === '-H') {
      const [name = '', value = ''] = String(words.next().value).split(': ')
      sent.headers[name] = value
    } else if (word === '-d') sent.body = words.next().value
    else sent.url = word.replace(BASE, url)
  }
  const { body, headers } = sent
  return (await ask(sent.url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) })).text
}

/** Runs a line of `frames`, and returns what it prints. `change` may put other files or addresses into its words. */
export async function printed(
  line: string,
  env: Record<string, string>,
  change = (word: string) => word,
): Promise<string> {
  assert.ok(line.startsWith(COMMAND), line)
  const ran = await frames(wordsOf(line.slice(COMMAND.length)).map(change), env)
  assert.equal(ran.status, 0, ran.err)
  return ran.out
}
