import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { expectedObjects, OBJECTS, type PresentObject } from '../../src/db/schema.js'
import { projectFolder } from '../../src/db/statement.js'
import { databaseWith, onPostgres, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { schemaOf } from './schema.js'

describe('the schema that the repository holds', () => {
  if (onPostgres) {
    it('is that of a new database; "npm run schema" writes it', async () => {
      const database = await databaseWith('')
      const { sql, json } = await schemaOf(urlOf(database.adminTarget), urlOf(database.ownerTarget))
      await database.drop()
      const committed = (name: string) => readFileSync(new URL(`migrations/${name}`, projectFolder), 'utf8')
      assert.equal(committed('schema.sql'), sql)
      assert.equal(committed('schema.json'), json)
    })
  }

  it('has the same objects in every version of PostgreSQL', async () => {
    const present = await service().db.rows<PresentObject>(OBJECTS, [])
    const objects = present.map(({ kind, relation, name, definition, statement }) => ({
      kind,
      relation,
      name,
      definition,
      statement,
    }))
    assert.deepEqual(objects, expectedObjects())
  })
})
