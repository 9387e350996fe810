/** GET /v1/docs: the description for people, with a console. All that the page needs is served here and nowhere else. */
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'
import { pageStyle } from './docs/page-style.js'

const PAGE = '/v1/docs'

/** The page runs no script but ours, asks no other host, and is shown in no other page. */
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

export const docs: RequestHandler = publicFile('text/html; charset=utf-8', () => Buffer.from(page), PAGE_HEADERS)

const types = { css: 'text/css; charset=utf-8', js: 'text/javascript; charset=utf-8', png: 'image/png' }

type Served = [name: string, call: RequestHandler]

function served(name: string, read: () => Buffer): Served {
  const type = types[name.split('.').at(-1) as keyof typeof types]
  return [name, publicFile(type, read)]
}

/** Under the last part of its address. */
const file = (url: string): Served => served(url.slice(url.lastIndexOf('/') + 1), () => readFileSync(new URL(url)))

export const docsFiles: readonly Served[] = [
  served('page.css', () => Buffer.from(pageStyle)),
  file(import.meta.resolve('./docs/console.js')),
  file(import.meta.resolve('swagger-ui-dist/swagger-ui-bundle.js')),
  file(import.meta.resolve('swagger-ui-dist/swagger-ui.css')),
  file(import.meta.resolve('swagger-ui-dist/favicon-32x32.png')),
]
