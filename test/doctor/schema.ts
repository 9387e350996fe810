/** Makes the texts of migrations/schema.sql and migrations/schema.json. */
import { execFileSync } from 'node:child_process'
import { connect } from '../../src/core/db/connect.js'
import { OBJECTS, type PresentObject } from '../../src/core/db/release.js'
import { program } from '../support/postgres-server.js'

const HEAD = `-- The schema that the migrations make, by pg_dump. Functions are left out: sql/functions/ holds them.
-- "npm run schema" writes this file, and a test compares it with a new database.
`

/** Reads an empty database that is migrated, as a superuser and as its owner. */
export async function schemaOf(adminUrl: string, ownerUrl: string): Promise<{ sql: string; json: string }> {
  const words = ['--schema-only', '--no-owner', '--no-privileges', '-d', adminUrl]
  const dump = execFileSync(program('pg_dump'), words, { encoding: 'utf8', maxBuffer: 16 * 1024 * 1024 })
  return { sql: withoutVersions(dump), json: await objectsAsJson(ownerUrl) }
}

/**
 * Each object of a dump begins with "-- Name: frame; Type: TABLE; ..."; the head and the end name versions of
 * PostgreSQL.
 */
function withoutVersions(dump: string): string {
  const [, ...objects] = dump
    .replace(/\n--\n-- PostgreSQL database dump complete[\s\S]*$/, '\n')
    .split(/^--\n(?=-- Name: )/m)
  const kept = objects.filter((object) => !/^-- Name: .*Type: FUNCTION|^-- Name: FUNCTION /.test(object))
  const texts = kept.map((object) =>
    object
      .replace(/^-- Name: .*\n--\n/, '')
      .replace(/^SET .*\n/gm, '')
      .trim(),
  )
  const statements = texts.filter((text) => !/^--.*$/.test(text))
  return `${HEAD}\n${statements.join('\n\n')}\n`
}

async function objectsAsJson(url: string): Promise<string> {
  const db = connect(url, { connections: 1 })
  try {
    const objects = await db.rows<PresentObject>(OBJECTS, [])
    const lines = objects.map(({ kind, relation, name, definition, statement }) =>
      JSON.stringify({ kind, relation, name, definition, statement }),
    )
    return `[\n${lines.join(',\n')}\n]\n`
  } finally {
    await db.close()
  }
}
