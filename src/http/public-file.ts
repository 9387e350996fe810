/** Something that is the same for everybody: any cache may keep it for ten minutes, and it is compressed once, not for each call. */
import { promisify } from 'node:util'
import { brotliCompress, constants, gzip } from 'node:zlib'
import type { RequestHandler } from 'express'
import { codingFor, COMPRESSED_FROM, type Coding } from './coding.js'
import { matches, tagOf } from './etag.js'

const inBrotli = promisify(brotliCompress)
const inGzip = promisify(gzip)

type Content = { tags: Record<Coding, string>; bodies: Record<Coding, () => Promise<Buffer>>; isSmall: boolean }

/** `read` is called when it is first asked for. */
export function publicFile(type: string, read: () => Buffer, headers: Record<string, string> = {}): RequestHandler {
  const content = once((): Content => {
    const body = read()
    const tag = tagOf(body)
    // The eleventh level of brotli takes seconds for a megabyte; the ninth, a quarter of one.
    const params = { [constants.BROTLI_PARAM_QUALITY]: 9 }
    return {
      tags: { identity: tag, gzip: tagOf(`${tag} gzip`), br: tagOf(`${tag} br`) },
      bodies: {
        identity: async () => body,
        gzip: once(() => inGzip(body)),
        br: once(() => inBrotli(body, { params })),
      },
      isSmall: body.length < COMPRESSED_FROM || type.startsWith('image/'),
    }
  })
  return async (req, res) => {
    const { tags, bodies, isSmall } = content()
    const coding = isSmall ? 'identity' : codingFor(req.headers['accept-encoding'])
    res.set({ ETag: tags[coding], 'Cache-Control': 'public, max-age=600', ...headers })
    if (matches(req.get('If-None-Match'), tags[coding])) return void res.status(304).end()
    if (coding !== 'identity') res.set('Content-Encoding', coding)
    res.set('Content-Type', type).send(await bodies[coding]())
  }
}

function once<T>(make: () => T): () => T {
  let made: { value: T } | undefined
  return () => (made ??= { value: make() }).value
}
