/** The files that pages load. Their address holds a hash of all of them, so that browsers keep them for good. */
import { hash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { RequestHandler } from 'express'
import { projectFolder } from '../../core/db/index.js'
import { publicFile } from '../../api/http/public-file.js'

const SOURCES = new URL('src/app/browser/', projectFolder)

/** Pages name the ones that they need. */
const scripts = [
  'ahead.js',
  'copy.js',
  'drawer.js',
  'passkey.js',
  'print.js',
  'reload.js',
  'table.js',
  'try.js',
  'typed.js',
]

const modulesOfMap = [
  'map-areas.js',
  'map-base.js',
  'map-box.js',
  'map-browser.js',
  'map-brush.js',
  'map-card.js',
  'map-cells.js',
  'map-labels.js',
  'map-marks.js',
  'map-note.js',
  'map-parts.js',
  'map-picture.js',
  'map-shape.js',
  'map-sheet.js',
  'map-style.js',
  'map-values.js',
  'map-view.js',
]

/** They run in this order. */
export const mapScripts = ['map-ahead.js', 'map.js', 'spend.js']

/** Pages read these, too, in other folders. */
const SHARED = { 'classes.js': '../map/', 'place-name.js': '../../core/' }

/** The scripts import these. Fetched one after the other as imports are found, they would take twice as long. */
export const mapModules = ['maplibre-gl.mjs', ...Object.keys(SHARED), ...modulesOfMap]

/** MapLibre starts it once the map is there, from the address beside its own. */
export const mapWorker = 'maplibre-gl-worker.mjs'

/** A person who signs in comes to the map. */
export const mapFiles = [...mapModules, ...mapScripts, 'map.css', mapWorker]

type Asset = { name: string; type: string; content: Buffer }

/** All files of a page lie side by side for the browser. */
const asset = (name: string, type: string, url: URL): Asset => ({
  name,
  type,
  content: Buffer.from(readFileSync(url, 'utf8').replaceAll(/ from '\.\.\/(?:map|\.\.\/core)\//g, " from './")),
})
const style = (name: string) => asset(name, 'text/css; charset=utf-8', new URL(name, SOURCES))
const script = (name: string, url = new URL(`../browser/${name}`, import.meta.url)) =>
  asset(name, 'text/javascript; charset=utf-8', url)
const ofMapLibre = (name: string) => script(name, new URL(import.meta.resolve(`maplibre-gl/dist/${name}`)))

const assets: readonly Asset[] = [
  style('app.css'),
  style('map.css'),
  asset('icon.svg', 'image/svg+xml', new URL('icon.svg', SOURCES)),
  ...[...scripts, ...modulesOfMap, ...mapScripts].map((name) => script(name)),
  ...Object.entries(SHARED).map(([name, folder]) => script(name, new URL(folder + name, import.meta.url))),
  ...['maplibre-gl.mjs', mapWorker].map(ofMapLibre),
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
