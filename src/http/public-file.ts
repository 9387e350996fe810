/** Something that is the same for everybody: any cache may keep it for ten minutes, and it is compressed once, not for each call. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { matches, tagOf } from './etag.js'

const inBrotli = promisify(brotliCompress)
const inGzip = promisify(gzip)
const COMPRESSED_FROM = 1024

type Coding = 'identity' | 'gzip' | 'br'
type Content = { tag: string; bodies: Record<Coding, () => Promise<Buffer>> }

/** `read` is called when it is first asked for. */
export function publicFile(type: string, read: () => Buffer, headers: Record<string, string> = {}): RequestHandler {
  const content = once((): Content => {
    const body = read()
    const plain = async () => body
    const small = body.length < COMPRESSED_FROM || type.startsWith('image/')
    // The eleventh level of brotli takes seconds for a megabyte; the ninth, a quarter of one.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    return {
      tag: tagOf(body),
      bodies: {
        identity: plain,
        gzip: small ? plain : once(() => inGzip(body)),
        br: small ? plain : once(() => inBrotli(body, { params })),
      },
    }
  })
  return async (req, res) => {
    const { tag, bodies } = content()
    res.set({ ETag: tag, 'Cache-Control': 'public, max-age=600', ...headers })
    if (matches(req.get('If-None-Match'), tag)) return void res.status(304).end()
    const coding = (req.acceptsEncodings('br', 'gzip', 'identity') || 'identity') as Coding
    const body = await bodies[coding]()
    if (body !== (await bodies.identity())) res.set('Content-Encoding', coding)
    res.set('Content-Type', type).send(body)
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
