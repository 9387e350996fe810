/** The envelope of every failure: {"error": {code, message}}. */
import { maskSecrets } from '../../core/access/secret.js'
import type { ApiError } from '../../core/errors.js'

/** A message may quote the request, a key included, and callers log what they receive: secrets are masked. */
export const errorJson = ({ code, message }: ApiError): string =>
  JSON.stringify({ error: { code, message: maskSecrets(message) } })
