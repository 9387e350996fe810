/** GET /llms.txt and /docs/NAME.md: the pages of docs/ as Markdown, and a list of them, without a key. */
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'

/** The path is relative to the compiled file. */
const FOLDER = new URL('../../../../docs/', import.meta.url)
/** The list has these first. A reader in haste may leave out the others, which are for operators. */
const FOR_CALLERS = ['agents.md', 'calling.md', 'errors.md', 'trust.md']

export function pageRoutes(): [path: string, route: RequestHandler][] {
  const names = readdirSync(FOLDER).filter((name) => name.endsWith('.md'))
  return [
    ['/llms.txt', publicFile('text/plain; charset=utf-8', () => Buffer.from(pageList(names)))],
    ...names.map((name): [string, RequestHandler] => [
      `/docs/${name}`,
      publicFile('text/markdown; charset=utf-8', () => Buffer.from(linkedWithin(pageText(name)))),
    ]),
  ]
}

const pageText = (name: string) => readFileSync(new URL(name, FOLDER), 'utf8')

/** Pictures and files outside docs/ are not served: the page goes without a picture, and a link becomes its text. */
const linkedWithin = (text: string) =>
  text.replaceAll(/^!\[.*\]\(.*\)\n\n/gm, '').replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]*\)/g, '$1')

/** The form of llmstxt.org. The links are relative: they work behind a proxy that serves the API under a path. */
function pageList(names: readonly string[]): string {
  const others = names.filter((name) => !FOR_CALLERS.includes(name)).sort((a, b) => a.localeCompare(b))
  return `# Spatial Frame Index API

> A national grid of frames, cells of about a kilometre. Calls find the frames of a point, a box or a unit, read what datasets record on them, and answer questions about them with figures and their sources. Every call needs a key.

The pages write \`http://127.0.0.1:3000\` for the address of this service. Agents call it at \`/mcp\`, by the Model Context Protocol.

## For callers

${FOR_CALLERS.map(lineOf).join('\n')}
- [OpenAPI 3.1](v1/openapi.json): every call with its parameters, answers and errors

## Optional

${others.map(lineOf).join('\n')}
`
}

function lineOf(name: string): string {
  const text = pageText(name)
  const [, title = name] = /^# (.*)$/m.exec(text) ?? []
  const sections = [...text.matchAll(/^## (.*)$/gm)].map(([, section]) => section)
  return `- [${title}](docs/${name})${sections.length > 0 ? `: ${sections.join(', ')}` : ''}`
}
