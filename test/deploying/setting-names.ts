/** Every setting that the service reads. */
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'

const READERS = [
  'src/server/config.ts',
  'src/core/settings/service.ts',
  'src/app/shell/settings.ts',
  'src/app/openid/settings.ts',
]

export const SETTINGS: ReadonlySet<string> = new Set(
  READERS.flatMap((file) =>
    [...readFileSync(new URL(file, projectFolder), 'utf8').matchAll(/'([A-Z][A-Z_]{3,})'/g)].map(
      ([, name = '']) => name,
    ),
  ),
)
