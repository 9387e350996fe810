/** Requests to the OpenID provider: bounded in time and in bytes, and over TLS except on this machine. */
import type { CustomFetch } from 'openid-client'
import { abortAfter } from '../../core/deadline.js'
import { isLoopback } from '../../core/origin.js'
import { ProviderFault } from './fault.js'

/** An ID token that lists a thousand groups has 50 kB. */
const PROVIDER_BYTES_MAX = 500_000

export function isSafeUrl(url: string): boolean {
  const { protocol, hostname } = new URL(url)
  return protocol === 'https:' || (protocol === 'http:' && isLoopback(hostname))
}

/** All requests together have `ms`. `release` stops the timer. */
export function boundedFetch(ms: number): { fetch: CustomFetch; release: () => void } {
  const { signal, release } = abortAfter(ms)
  const request: CustomFetch = async (url, { method, headers, body }) => {
    if (!isSafeUrl(url)) throw new ProviderFault('invalid', 'an endpoint of the provider is not https')
    try {
      const response = await fetch(url, { method, headers, body: body ?? null, redirect: 'manual', signal })
      if (response.status >= 500) throw new ProviderFault('away', `status ${response.status}`)
      const { status, headers: received } = response
      return new Response(hasBody(status) ? await readBounded(response) : null, { status, headers: received })
    } catch (fault) {
      if (fault instanceof ProviderFault) throw fault
      throw new ProviderFault('away', signal.aborted ? `no answer in ${ms} ms` : networkCode(fault))
    }
  }
  return { fetch: request, release }
}

/** A Response with one of these must not have a body. */
const hasBody = (status: number) => status !== 204 && status !== 205 && status !== 304

async function readBounded(response: Response): Promise<Buffer> {
  const chunks: Uint8Array[] = []
  let size = 0
  // Leaving the loop early cancels the body, and with it the connection.
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength
    if (size > PROVIDER_BYTES_MAX) throw new ProviderFault('invalid', `an answer over ${PROVIDER_BYTES_MAX} bytes`)
    chunks.push(chunk)
  }
  return Buffer.concat(chunks)
}

/** Such as ECONNREFUSED: fetch itself says no more than "fetch failed". */
function networkCode(fault: unknown): string {
  const { code } = (fault as { cause?: { code?: unknown } }).cause ?? {}
  return typeof code === 'string' ? code : 'no connection'
}
