/** GET /app/tiles/base/{z}/{x}/{y}: waters, roads and places of the file that the operator gave, as the file has them. */
import { promisify } from 'node:util'
import { gunzip as gunzipOf } from 'node:zlib'
import type { RequestHandler } from 'express'
import { codingFor } from '../../api/http/coding.js'
import { matches, tagOf } from '../../api/http/etag.js'
import { notFound } from '../../core/errors.js'
import { html, type Html } from '../shell/html.js'
import { tileNumber } from './address.js'
import type { Basemap, TileFile } from '../basemap/tile-file.js'
import { sendCoded, TILE_TYPE } from './route.js'

const gunzip = promisify(gunzipOf)

export function baseTileRoute({ basemap }: { basemap: Promise<Basemap> }): RequestHandler {
  return async (req, res) => {
    const { file } = await basemap
    if (!file) throw notFound('This service has no base map.')
    const number = tileNumber(req.params, 'the base map', [file.minzoom, file.maxzoom])
    const coding = codingFor(req.headers['accept-encoding'], ['gzip', 'identity'])
    const tag = tagOf(JSON.stringify([file.version, number, coding]))
    // The address says the version of the file.
    res.set({ ETag: tag, 'Cache-Control': 'private, max-age=86400', Vary: 'Accept-Encoding' })
    if (matches(req.get('If-None-Match'), tag)) return void res.status(304).end()
    const tile = await file.tile(number)
    if (!tile) return void res.status(204).end()
    if (!file.isGzip) return await sendCoded(res, TILE_TYPE, tile)
    const body = coding === 'gzip' ? tile : await gunzip(tile)
    if (coding === 'gzip') res.set('Content-Encoding', coding)
    res.set({ 'Content-Type': TILE_TYPE, 'Content-Length': String(body.length) }).end(body)
  }
}

/** The page carries this text to its script, which tells MapLibre where the file has tiles. */
export const baseSource = ({ minzoom, maxzoom, bounds, version }: TileFile): string =>
  JSON.stringify({ minzoom, maxzoom, bounds, version })

const CREDIT_MOST = 300
/** OpenStreetMap asks for it, whatever a file says. */
const CREDIT_USUAL = '<a href="https://www.openstreetmap.org/copyright">© OpenStreetMap</a>'
const NAMED_LETTERS: Readonly<Record<string, string>> = { copy: '©', amp: '&', lt: '<', gt: '>', quot: '"', nbsp: ' ' }

/** The file has HTML, of which texts and links stay. */
export function baseCredit({ metadata }: TileFile): Html {
  const { attribution } = metadata
  const text = typeof attribution === 'string' && attribution !== '' ? attribution : CREDIT_USUAL
  const parts = text.slice(0, CREDIT_MOST).split(/(<a\b[^>]*>.*?<\/a>)/is)
  return html`${parts.map((part) => {
    const [, href] = /^<a\b[^>]*\bhref=["']?(https?:\/\/[^\s"'>]+)/i.exec(part) ?? []
    return href === undefined ? plainText(part) : html`<a href="${plainText(href)}">${plainText(part)}</a>`
  })}`
}

const plainText = (markup: string): string =>
  markup
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(\w+);/g, (letter, name: string) => NAMED_LETTERS[name] ?? letter)
    .replaceAll('&#169;', '©')
