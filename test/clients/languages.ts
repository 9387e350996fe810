/** The languages that have a client: how a machine shows that it has one, and how its client is built. */
import { execFile, execFileSync } from 'node:child_process'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'

const run = promisify(execFile)
const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

export type ClientOf = {
  language: 'TypeScript' | 'Python' | 'R'
  /** What it needs, for a person. */
  needs: string
  /** Debian's own: it has the packages. */
  program: string
  /** Succeeds where all that it needs is installed. */
  check: string[]
  calls: string
}

export const clients: readonly ClientOf[] = [
  {
    language: 'TypeScript',
    needs: 'Node',
    program: process.execPath,
    check: ['--version'],
    calls: 'clients/typescript/tests/calls.mjs',
  },
  {
    language: 'Python',
    needs: 'python3-geopandas or mypy',
    program: '/usr/bin/python3',
    check: ['-c', 'import geopandas, mypy'],
    calls: 'clients/python/tests/calls.py',
  },
  {
    language: 'R',
    needs: 'R with r-cran-httr2, r-cran-jsonlite, r-cran-sf and r-cran-tibble',
    program: '/usr/bin/Rscript',
    check: ['-e', 'for (each in c("httr2", "jsonlite", "sf", "tibble")) stopifnot(requireNamespace(each))'],
    calls: 'clients/r/tests/calls.R',
  },
]

export function isInstalled({ program, check }: ClientOf): boolean {
  try {
    execFileSync(program, check, { stdio: 'ignore' })
    return true
  } catch {
    return false
  }
}

/** Builds a client as its page says, and returns the environment in which programs find it. */
export async function buildOf({ language }: ClientOf, folder: string): Promise<NodeJS.ProcessEnv> {
  const { PATH, HOME } = process.env
  switch (language) {
    case 'TypeScript':
      await run(process.execPath, [path('dist/test/clients/write-types.js')])
      await run(path('node_modules/.bin/tsc'), ['-p', path('clients/typescript')])
      return { PATH, HOME }
    case 'Python':
      return { PATH, HOME, PYTHONPATH: path('clients/python/src'), PYTHONDONTWRITEBYTECODE: '1' }
    case 'R':
      await run('/usr/bin/R', ['CMD', 'INSTALL', '--no-docs', '-l', folder, path('clients/r')])
      return { PATH, HOME, R_LIBS: join(folder) }
  }
}
