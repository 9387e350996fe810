/** The files that pages load. Their address holds a hash of all of them, so that browsers keep them for good. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { projectFolder } from '../../core/db/statement.js'
import { publicFile } from '../../api/http/public-file.js'

const CSS = 'text/css; charset=utf-8'
const JAVASCRIPT = 'text/javascript; charset=utf-8'

type Asset = { name: string; type: string; content: Buffer }

const asset = (name: string, type: string, url: URL): Asset => ({ name, type, content: readFileSync(url) })

const assets: readonly Asset[] = [
  asset('app.css', CSS, new URL('src/app/browser/app.css', projectFolder)),
  asset('icon.svg', 'image/svg+xml', new URL('src/app/browser/icon.svg', projectFolder)),
  asset('ahead.js', JAVASCRIPT, new URL('../browser/ahead.js', import.meta.url)),
  asset('copy.js', JAVASCRIPT, new URL('../browser/copy.js', import.meta.url)),
  asset('drawer.js', JAVASCRIPT, new URL('../browser/drawer.js', import.meta.url)),
  asset('try.js', JAVASCRIPT, new URL('../browser/try.js', import.meta.url)),
  asset('spend.js', JAVASCRIPT, new URL('../browser/spend.js', import.meta.url)),
  asset('reload.js', JAVASCRIPT, new URL('../browser/reload.js', import.meta.url)),
  asset('passkey.js', JAVASCRIPT, new URL('../browser/passkey.js', import.meta.url)),
  asset('map.css', CSS, new URL('src/app/browser/map.css', projectFolder)),
  asset('map.js', JAVASCRIPT, new URL('../browser/map.js', import.meta.url)),
  asset('map-ahead.js', JAVASCRIPT, new URL('../browser/map-ahead.js', import.meta.url)),
  asset('map-beside.js', JAVASCRIPT, new URL('../browser/map.js', import.meta.url)),
  asset('map-box.js', JAVASCRIPT, new URL('../browser/map-box.js', import.meta.url)),
  asset('map-browser.js', JAVASCRIPT, new URL('../browser/map-browser.js', import.meta.url)),
  asset('map-labels.js', JAVASCRIPT, new URL('../browser/map-labels.js', import.meta.url)),
  asset('map-card.js', JAVASCRIPT, new URL('../browser/map-card.js', import.meta.url)),
  asset('map-loading.js', JAVASCRIPT, new URL('../browser/map.js', import.meta.url)),
  asset('map-marks.js', JAVASCRIPT, new URL('../browser/map-marks.js', import.meta.url)),
  asset('map-note.js', JAVASCRIPT, new URL('../browser/map-note.js', import.meta.url)),
  asset('map-parts.js', JAVASCRIPT, new URL('../browser/map-parts.js', import.meta.url)),
  asset('map-picture.js', JAVASCRIPT, new URL('../browser/map-picture.js', import.meta.url)),
  asset('map-shape.js', JAVASCRIPT, new URL('../browser/map-shape.js', import.meta.url)),
  asset('map-style.js', JAVASCRIPT, new URL('../browser/map-style.js', import.meta.url)),
  asset('map-view.js', JAVASCRIPT, new URL('../browser/map-view.js', import.meta.url)),
  // MapLibre starts its worker from the address beside its own.
  asset('maplibre-gl.mjs', JAVASCRIPT, new URL(import.meta.resolve('maplibre-gl/dist/maplibre-gl.mjs'))),
  asset('maplibre-gl-worker.mjs', JAVASCRIPT, new URL(import.meta.resolve('maplibre-gl/dist/maplibre-gl-worker.mjs'))),
]

const version = hash('sha256', Buffer.concat(assets.map(({ content }) => content))).slice(0, 12)

/** Returns the path of a file below the app. */
export const assetPath = (name: string) => `/assets/${version}/${name}`

/**
 * During a rolling restart a page of the new process may ask the old one for its files. The old process answers with
 * the files that it has, which the browser must not keep under the new address.
 */
export const assetRoutes: readonly [path: string, route: RequestHandler][] = assets.flatMap(
  ({ name, type, content }): [string, RequestHandler][] => [
    [`/assets/${version}/${name}`, assetRoute(type, content, 'public, max-age=31536000, immutable')],
    [`/assets/:version/${name}`, assetRoute(type, content, 'no-cache')],
  ],
)

function assetRoute(type: string, content: Buffer, kept: string): RequestHandler {
  return publicFile(type, () => content, { 'Cache-Control': kept, Vary: 'Accept-Encoding' })
}
