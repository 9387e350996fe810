/** The coding of a body: brotli, gzip or none, as Accept-Encoding asks (RFC 9110, section 12.5.3). */
import { constants, createBrotliCompress, createGzip } from 'node:zlib'

export type Coding = 'br' | 'gzip' | 'identity'

/** The first one wins if the client prefers none of them. */
const CODINGS = ['br', 'gzip', 'identity'] as const

/** Compression gains nothing on a shorter body, in bytes. */
export const COMPRESSED_FROM = 1024

export function codingFor(accepted: string | undefined, among: readonly Coding[] = CODINGS): Coding {
  if (accepted === undefined) return 'identity'
  const weights = new Map(accepted.toLowerCase().split(',').map(parseWeight))
  const weightOf = (coding: Coding) => weights.get(coding) ?? (coding === 'identity' ? 0 : (weights.get('*') ?? 0))
  const best = among.reduce((one, other) => (weightOf(other) > weightOf(one) ? other : one))
  return weightOf(best) > 0 ? best : 'identity'
}

/** Splits `gzip;q=0.5` into its name and its weight. */
function parseWeight(element: string): [name: string, weight: number] {
  const [name = '', ...parameters] = element.split(';').map((part) => part.trim())
  const weight = parameters.find((parameter) => parameter.startsWith('q='))
  return [name, weight === undefined ? 1 : Number(weight.slice(2))]
}

/**
 * Compresses the whole body before it is sent: GET and HEAD then both know its length, and the memory of the page is
 * free before the client begins to read. For a box of 4,700 frames, gzip takes 4 ms at level 5 and 12 at level 6, and
 * brotli 2 ms at level 2 and 4 at level 4; the lower levels send less, too.
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
