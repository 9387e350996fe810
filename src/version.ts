/** The version in package.json. */
import { readFileSync } from 'node:fs'

/** Seen from dist/src. */
const packageJson = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')

export const { version } = JSON.parse(packageJson) as { version: string }
