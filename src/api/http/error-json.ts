/** The bodies of failures: the envelope {"error": {code, message}}, and the one of /ogc. */
import { maskSecrets } from '../../core/access/secret.js'
import type { ApiError } from '../../core/errors.js'

/** A message may quote the request, a key included, and callers log what they receive: secrets are masked. */
export const errorJson = ({ code, message }: ApiError): string =>
  JSON.stringify({ error: { code, message: maskSecrets(message) } })

/** The body of a failure in /ogc, as OGC API Features has it. */
export const ogcErrorJson = ({ code, message }: ApiError): string =>
  JSON.stringify({ code, description: maskSecrets(message) })
