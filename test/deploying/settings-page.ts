/** The table of docs/settings.md, written from the rows of the settings. */
import { readFileSync, writeFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { ALL_SETTINGS } from '../../src/server/config.js'

const file = new URL('docs/settings.md', projectFolder)
const HEAD = '| variable | meaning | unset |\n|---|---|---|\n'

/** Returns the page as it should be. */
export function settingsPage(): string {
  const rows = Object.entries(ALL_SETTINGS).map(
    ([name, { meaning, isSecret, unset, value }]) =>
      `| \`${name}\` | ${meaning}${isSecret ? '; [secret](#secrets-in-files)' : ''} | ${unset ?? `\`${value}\``} |\n`,
  )
  const [before = '', rest = ''] = readFileSync(file, 'utf8').split(HEAD)
  return before + HEAD + rows.join('') + rest.replace(/^(\|.*\n)*/, '')
}

export const writeSettingsPage = (): void => writeFileSync(file, settingsPage())
