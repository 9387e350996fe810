/** The secret of a key is svc_sk_, then 30 random base62 characters, then a checksum of 6. */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const PREFIX = 'svc_sk_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const secretForm = /^svc_sk_[0-9A-Za-z]{36}$/

export const randomText = (length: number) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export const newSecret = () => withChecksum(PREFIX + randomText(30))

export const withChecksum = (body: string) => body + checksum(body)

/** Recognises a mistyped secret without a query. */
export const isWellFormed = (secret: string) =>
  secretForm.test(secret) && checksum(secret.slice(0, -6)) === secret.slice(-6)

export const hashSecret = (secret: string) => hash('sha256', secret, 'buffer')

/** The token of a session or of a sign-in link: 43 base62 characters hold 256 bits. */
const TOKEN_LENGTH = 43
const SESSION_PREFIX = 'svc_se_'
const LINK_PREFIX = 'svc_in_'

export const newSessionToken = () => SESSION_PREFIX + randomText(TOKEN_LENGTH)
export const newLinkToken = () => LINK_PREFIX + randomText(TOKEN_LENGTH)
export const isSessionToken = (token: string) => /^svc_se_[0-9A-Za-z]{43}$/.test(token)
export const isLinkToken = (token: string) => /^svc_in_[0-9A-Za-z]{43}$/.test(token)

/** Writes the CRC32 as 6 base62 digits, the highest first. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i += 1) {
    digits = (ALPHABET[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** Matches a text in any case. Each character may be percent-encoded, once or several times. */
const spelled = (text: string) =>
  text
    .split('')
    .map((character) => `(?:${character}|%(?:25)*${character.charCodeAt(0).toString(16)})`)
    .join('')
const kinds = ['sk', 'se', 'in'].map((kind) => `(${spelled(kind)})`).join('|')
/** Matches up to the end of the word in a path, a query or a sentence, and so a mistyped secret too. */
const typedSecret = new RegExp(`${spelled('svc_')}(?:${kinds})${spelled('_')}[\\w.~%+=-]*`, 'gi')

/** Callers type keys into paths and other wrong places. Logs and error messages show the prefix alone. */
export const maskSecrets = (text: string) =>
  text.replace(typedSecret, (_typed, key?: string, session?: string) => {
    if (key !== undefined) return `${PREFIX}...`
    return session === undefined ? `${LINK_PREFIX}...` : `${SESSION_PREFIX}...`
  })
