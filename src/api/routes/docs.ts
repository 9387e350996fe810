/** GET /v1/docs: the description for people, with a console. These routes serve every file that the page needs. */
import { readdirSync, readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'
import type { BucketSize, BucketSizes } from '../../core/limits/buckets.js'
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
    <link rel="stylesheet" href="${PAGE}/page.css">
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

type NamedRoute = [name: string, route: RequestHandler]

function contentRoute(name: string, read: () => Buffer): NamedRoute {
  const type = contentTypes[name.split('.').at(-1) as keyof typeof contentTypes]
  return [name, publicFile(type, read)]
}

const fileRoute = (url: string): NamedRoute =>
  contentRoute(url.slice(url.lastIndexOf('/') + 1), () => readFileSync(new URL(url)))

export const docsFiles: readonly NamedRoute[] = [
  contentRoute('page.css', () => Buffer.from(pageStyle)),
  fileRoute(import.meta.resolve('./docs/console.js')),
  fileRoute(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  fileRoute(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  fileRoute(import.meta.resolve('swagger-ui-dist/favicon-32x32.png')),
]

/**
 * The page's own stylesheet, after Swagger UI's: the calls on the first screen, small screens, and texts that can be
 * read.
 */
const pageStyle = `
html { box-sizing: border-box; background: #fafafa; }
*, *::before, *::after { box-sizing: inherit; }
body { margin: 0; }
@media (prefers-color-scheme: dark) { html { background: #1c2022; color-scheme: dark; } }

/* The title, Authorize and the calls fit one screen. */
.swagger-ui .wrapper { padding: 0 16px; }
.swagger-ui .information-container.wrapper { padding-right: 160px; }
.swagger-ui .info { margin: 14px 0 0; }
.swagger-ui .info .title { font-size: 24px; }
.swagger-ui .info hgroup.main { margin: 0; }
.swagger-ui .info__summary { margin: 6px 0 0; }
html .swagger-ui .scheme-container { position: absolute; top: 10px; right: 0; padding: 0; background: none; box-shadow: none; }
html.dark-mode .swagger-ui .scheme-container { background: none; box-shadow: none; }
.swagger-ui .opblock-tag { padding: 6px 10px 4px 0; margin: 0; font-size: 17px; }
.swagger-ui .opblock-tag small { font-size: 13px; }
.swagger-ui .opblock { margin: 0 0 6px; }
.swagger-ui .opblock .opblock-summary { padding: 2px 5px; }
.swagger-ui .opblock .opblock-summary-method { padding: 5px 0; }
.swagger-ui details.prose { margin: 10px 0 4px; }
.swagger-ui details.prose summary { cursor: pointer; font: 14px sans-serif; }
.swagger-ui details.prose p, .swagger-ui details.prose li { font-size: 14px; }
.swagger-ui details.prose h2 { font-size: 18px; margin: 18px 0 8px; }
.swagger-ui .response-col_links { display: none; }
.swagger-ui .btn { transition: none; }

/* Small screens: long names break, and what cannot break scrolls inside itself. */
.swagger-ui pre, .swagger-ui .highlight-code { max-width: 100%; overflow-x: auto; }
.swagger-ui .opblock-body, .swagger-ui .responses-inner, .swagger-ui .table-container { max-width: 100%; overflow-x: auto; }
.swagger-ui .markdown pre, .swagger-ui .renderedMarkdown pre { white-space: pre-wrap; overflow-wrap: anywhere; }
.swagger-ui .markdown code, .swagger-ui .renderedMarkdown code { overflow-wrap: anywhere; }
@media (max-width: 640px) {
  .swagger-ui .information-container.wrapper { padding-right: 16px; }
  .swagger-ui .info .title { font-size: 20px; }
  html .swagger-ui .scheme-container { position: static; padding: 8px 0 0; }
  .swagger-ui .scheme-container .schemes { justify-content: flex-start; }
  .swagger-ui .opblock-tag small { display: none; }
}

/* Swagger UI's light colours leave white on light green and light blue at a contrast of 2; 4.5 is needed to be read. */
html:not(.dark-mode) .swagger-ui .info .title small { background: #5b6270; }
html:not(.dark-mode) .swagger-ui .info .title small.version-stamp { background: #4a6a00; }
html:not(.dark-mode) .swagger-ui .btn.authorize { color: #13693f; border-color: #13693f; }
html:not(.dark-mode) .swagger-ui .btn.authorize svg { fill: #13693f; }
html:not(.dark-mode) .swagger-ui .opblock-get .opblock-summary-method { background: #1d5fae; }
html:not(.dark-mode) .swagger-ui .opblock-post .opblock-summary-method { background: #17784b; }
html:not(.dark-mode) .swagger-ui .parameter__in { color: #5b6270; }
html:not(.dark-mode) .swagger-ui .parameter__name.required span, html:not(.dark-mode) .swagger-ui .parameter__name.required::after { color: #b3261e; }
html:not(.dark-mode) .swagger-ui .btn.execute { background: #1d5fae; border-color: #1d5fae; }
html:not(.dark-mode) .swagger-ui .btn.cancel { color: #b3261e; border-color: #b3261e; }
html.dark-mode .swagger-ui .opblock .opblock-section-header .btn.try-out__btn.cancel { color: #ff8a80; border-color: #ff8a80; }
html.dark-mode .swagger-ui .examples-select__section-label { color: #e4e6e6; }
.swagger-ui .download-contents { background: #4a5060; }
`

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
