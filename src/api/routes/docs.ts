/** GET /v1/docs: the description for people, with a console. These routes serve every file that the page needs. */
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'

const PAGE = '/v1/docs'

/** The page runs no other script, asks no other host, and no other page can embed it. */
const PAGE_HEADERS = {
  'Content-Security-Policy':
    "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
  'Referrer-Policy': 'no-referrer',
} as const

const page = `<!doctype html>
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

export const docsRoute: RequestHandler = publicFile('text/html; charset=utf-8', () => Buffer.from(page), PAGE_HEADERS)

const contentTypes = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', png: 'image/png' }

type NamedRoute = [name: string, route: RequestHandler]

function contentRoute(name: string, read: () => Buffer): NamedRoute {
  const type = contentTypes[name.split('.').at(-1) as keyof typeof contentTypes]
  return [name, publicFile(type, read)]
}

/** The name is the last part of the file's URL. */
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
