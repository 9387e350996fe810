/** GET /v1/docs: the description for people, with a console. These routes serve every file that the page needs. */
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'
import { pageStyle } from './docs/page-style.js'

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
