/** A key's secret: svc_sk_, 30 random base62 characters, and 6 that check what is before them. */
import { hash, randomInt } from 'node:crypto'
import { crc32 } from 'node:zlib'

export const PREFIX = 'svc_sk_'
const ALPHABET = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'
const form = /^svc_sk_[0-9A-Za-z]{36}$/

export const randomText = (length: number) =>
  Array.from({ length }, () => ALPHABET[randomInt(ALPHABET.length)]).join('')

export function newSecret(): string {
  const body = PREFIX + randomText(30)
  return body + checksum(body)
}

/** Whether it could be a secret at all: a mistyped one is found out without asking the database. */
export const isWellFormed = (secret: string) => form.test(secret) && checksum(secret.slice(0, -6)) === secret.slice(-6)

export const hashOf = (secret: string) => hash('sha256', secret, 'buffer')

/** CRC32 as 6 base62 characters, highest first. */
function checksum(text: string): string {
  let rest = crc32(text)
  let digits = ''
  for (let i = 0; i < 6; i += 1) {
    digits = (ALPHABET[rest % 62] ?? '') + digits
    rest = Math.floor(rest / 62)
  }
  return digits
}

/** The prefix in any case, each of its characters as it is or percent-encoded, once or several times. */
const spelledPrefix = PREFIX.split('')
  .map((character) => `(?:${character}|%(?:25)*${character.charCodeAt(0).toString(16)})`)
  .join('')
/** A secret ends where a word ends in a path, a query or a sentence. A mistyped secret is masked, too. */
const typedSecret = new RegExp(`${spelledPrefix}[\\w.~%+=-]*`, 'gi')

/** Callers type keys where none belongs, such as into a path: logs and error messages show the prefix alone. */
export const maskSecrets = (text: string) => text.replace(typedSecret, `${PREFIX}...`)
