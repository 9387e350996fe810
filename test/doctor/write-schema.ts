/** npm run schema: writes the tables of pages, and from a new database migrations/schema.* and each statements.ts. */
import { writeFileSync } from 'node:fs'
import postgres from 'postgres'
import { migrate } from '../../src/core/db/migrate.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { writeSettingsPage } from '../deploying/settings-page.js'
import { writeFiguresPage } from '../figures/examples.js'
import { startPostgres } from '../support/postgres-server.js'
import { makeRoles } from '../support/templates.js'
import { schemaOf } from './schema.js'
import { bindingsOf } from '../sql/bindings.js'
import { sqlReadme } from '../sql/readme.js'
import { tablesOf } from '../sql/tables.js'

writeSettingsPage()
writeFiguresPage()
const server = await startPostgres()
try {
  const admin = postgres(server.url('postgres'), { max: 1 })
  await admin.unsafe('create database frames')
  await admin.end()
  makeRoles(server.url('frames'))
  await migrate(server.url('frames', 'frames_owner'))
  const { sql, json } = await schemaOf(server.url('frames'), server.url('frames', 'frames_owner'))
  writeFileSync(new URL('migrations/schema.sql', projectFolder), sql)
  writeFileSync(new URL('migrations/schema.json', projectFolder), json)
  writeFileSync(new URL('src/core/db/tables.ts', projectFolder), await tablesOf(server.url('frames')))
  for (const [path, text] of Object.entries(await bindingsOf(server.url('frames'))))
    writeFileSync(new URL(path, projectFolder), text)
  writeFileSync(new URL('sql/README.md', projectFolder), await sqlReadme(server.url('frames', 'frames_analyst')))
  console.log(
    'Written: docs/figures.md, docs/settings.md, sql/README.md, migrations/schema.*, src/core/db/tables.ts and each statements.ts.',
  )
} finally {
  await server.stop()
}
