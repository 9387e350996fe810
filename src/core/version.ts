/** The version in package.json. */
import { readFileSync } from 'node:fs'

/** The path is relative to the compiled file. */
const packageJson = readFileSync(new URL('../../../package.json', import.meta.url), 'utf8')

export const { version } = JSON.parse(packageJson) as { version: string }
