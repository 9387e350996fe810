/** Reads /files as bytes. */
import { createHash } from 'node:crypto'
import { Agent, get } from 'node:http'
import { bearer } from '../support/service.js'

export type Bytes = { status: number; headers: Record<string, string | string[] | undefined>; bytes: Buffer }
type Asking = { secret?: string; method?: string; headers?: Record<string, string>; pause?: Promise<unknown> }

/** `pause`: the client reads nothing before it is over. */
const agent = new Agent({ keepAlive: true })

export const read = (url: string, { secret, method = 'GET', headers = {}, pause }: Asking = {}): Promise<Bytes> =>
  new Promise((done, failed) => {
    const own = secret === undefined ? {} : bearer(secret)
    get(url, { agent, method, headers: { ...own, ...headers } }, (response) => {
      const pieces: Buffer[] = []
      const { statusCode: status = 0, headers: came } = response
      const start = () => {
        response.on('data', (piece: Buffer) => pieces.push(piece))
        response.on('end', () => done({ status, headers: came, bytes: Buffer.concat(pieces) }))
      }
      response.on('error', failed)
      void (pause ?? Promise.resolve()).then(start)
    }).on('error', failed)
  })

export const tagOf = (bytes: Buffer) => `"${createHash('sha256').update(bytes).digest('hex')}"`
