/** GET /v1/docs: the description for people, with a console. These routes serve every file that the page needs. */
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'
import type { BucketSize, BucketSizes } from '../../core/limits/index.js'
import { descriptionFile } from '../../core/openapi.js'
import type { Services } from '../../services.js'

const PAGE = '/v1/docs'

/** The page runs no other script, asks no other host, and no other page can embed it. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

const docsPage = `<!doctype html>
<html lang="en">
  <head>
    <meta charset="utf-8">
    <meta name="viewport" content="width=device-width, initial-scale=1">
    <title>Spatial Frame Index API</title>
    <link rel="icon" type="image/png" href="${PAGE}/favicon-32x32.png">
    <link rel="stylesheet" href="${PAGE}/swagger-ui.css">
    <link rel="stylesheet" href="${PAGE}/index.css">
  </head>
  <body>
    <div id="swagger-ui"></div>
    <script src="${PAGE}/swagger-ui-bundle.js"></script>
    <script type="module" src="${PAGE}/console.js"></script>
  </body>
</html>
`

export const docsRoute: RequestHandler = publicFile(
  'text/html; charset=utf-8',
  () => Buffer.from(docsPage),
  PAGE_HEADERS,
)

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', png: 'image/png' }

export const docsFiles = [
  import.meta.resolve('./docs/console.js'),
  import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js'),
  import.meta.resolve('swagger-ui-dist/swagger-ui.css'),
  import.meta.resolve('swagger-ui-dist/index.css'),
  import.meta.resolve('swagger-ui-dist/favicon-32x32.png'),
].map((url): [name: string, route: RequestHandler] => {
  const type = contentTypes[url.split('.').at(-1) as keyof typeof contentTypes]
  return [url.slice(url.lastIndexOf('/') + 1), publicFile(type, () => readFileSync(new URL(url)))]
})

export const openapiRoute = ({ bucketSizes }: Services): RequestHandler =>
  publicFile('application/json; charset=utf-8', () => Buffer.from(JSON.stringify(describeInterface(bucketSizes))))

/** The description of a service with these bucket sizes: the file says {key.burst} where the service says 60. */
export const describeInterface = (sizes: BucketSizes): object => withSizes(descriptionFile, sizes) as object

const SIZE = /\{(key|organisation|insight|address)\.(burst|perMinute)\}/g

function withSizes(value: unknown, sizes: BucketSizes): unknown {
  if (typeof value === 'string') return textWithSizes(value, sizes)
  if (Array.isArray(value)) return value.map((element) => withSizes(element, sizes))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, withSizes(member, sizes)] as const)
  // An example whose summary is left out goes with it.
  return Object.fromEntries(members.filter(([, member]) => (member as { summary?: string } | null)?.summary !== ''))
}

/** Leaves out the paragraphs on the bucket of addresses where there is none. */
function textWithSizes(text: string, sizes: BucketSizes): string {
  const paragraphs = text.split('\n\n').filter((paragraph) => sizes.address ?? !paragraph.includes('{address.'))
  const valueOf = (_all: string, bucket: keyof BucketSizes, part: keyof BucketSize) => String(sizes[bucket]?.[part])
  return paragraphs.join('\n\n').replaceAll(SIZE, valueOf)
}

/** The path is relative to the compiled file. */
const FOLDER = new URL('../../../../docs/', import.meta.url)
/** The list has these first. A reader in haste may leave out the others, which are for operators. */
const FOR_CALLERS = ['agents.md', 'calling.md', 'clients.md', 'errors.md', 'files.md', 'trust.md']

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

The pages write \`http://127.0.0.1:3000\` for the address of this service. Agents call it at \`/mcp\`, by the Model Context Protocol, and programs call the same tools at \`/tools\`. Whole datasets come as files from \`/files\`.

## For callers

${FOR_CALLERS.map(lineOf).join('\n')}
- [OpenAPI 3.1](v1/openapi.json): every call with its parameters, answers and errors
- [OpenAPI 3.1 of the tools](tools/openapi.json): the tools of agents by plain HTTP
- [OpenAPI 3.1 of the files](files/openapi.json): whole datasets as files

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
