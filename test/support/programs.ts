/** The programs beside Node that tests use, and the Debian packages that bring them. */
import { execFileSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Need } from '../where.js'
import { program } from './postgres-server.js'

const found = (names: string[]) => names.map((name) => `/usr/bin/${name}`).find((path) => existsSync(path))

/** The Chromium that a person has. */
export const chromiumPath = (): string | undefined => found(['chromium', 'chromium-browser', 'google-chrome'])
/** The headless shell takes a quarter less processor time. It has no windows, no profile and no pages in memory. */
export const headlessPath = (): string | undefined => found(['chromium-headless-shell']) ?? chromiumPath()
export const firefoxPath = (): string | undefined => found(['firefox-esr', 'firefox'])

const packages: Record<Need, { isThere: () => boolean; names: string }> = {
  chromium: { isThere: () => chromiumPath() !== undefined, names: 'chromium' },
  firefox: { isThere: () => firefoxPath() !== undefined, names: 'firefox-esr' },
  ogr2ogr: { isThere: () => runs('ogr2ogr', '--version'), names: 'gdal-bin' },
  python3: {
    isThere: () => runs('/usr/bin/python3', '-c', 'import geopandas, mypy'),
    names: 'python3-pandas python3-geopandas mypy',
  },
  owslib: { isThere: () => runs('/usr/bin/python3', '-c', 'import owslib'), names: 'python3-owslib' },
  pgbouncer: { isThere: () => runs('pgbouncer', '--version'), names: 'pgbouncer' },
}

/** The packages to install before tests with these needs can run. */
export function missingPrograms(needs: ReadonlySet<Need>, withPostgres: boolean): string[] {
  const missing = [...needs].filter((need) => !packages[need].isThere()).map((need) => packages[need].names)
  if (needs.has('chromium') && !hasFont()) missing.push('fonts-dejavu-core')
  if (withPostgres && !existsSync(program('postgres'))) missing.push('postgresql-15-postgis-3')
  if (withPostgres && !runs('redis-server', '--version')) missing.push('redis-server')
  return missing
}

/** Chromium ends at its first page where no font is installed. Debian's packages bring one. */
const hasFont = () => !runs('fc-list', '--version') || runs('sh', '-c', 'test -n "$(fc-list)"')

function runs(command: string, ...words: string[]): boolean {
  try {
    execFileSync(command, words, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}
