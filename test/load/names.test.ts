import assert from 'node:assert/strict'
import postgres from 'postgres'
import type { Database } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { frames } from '../support/cli.js'
import { databaseWith, onPostgres, urlOf } from '../support/database.js'
import { service, startService } from '../support/service.js'
import { ask, collection, feature, number, quiet, rectangle, temporaryFolder } from './files.js'

const given = { state: 'CôTE\u00a0ÉVORA', lga: 'straße  ıİ ς ǆ', ward: 'İzmir 1\u202f', zone: 'zône' }
const stored = { state: 'CÔTE ÉVORA', lga: 'STRASSE Iİ Σ Ǆ', ward: 'İZMIR 1' }
const spellings: Record<keyof typeof stored, string[]> = {
  state: [
    'CÔTE ÉVORA',
    'côte évora',
    ' Côte   Évora ',
    'CO\u0302TE E\u0301VORA',
    'Côte\u00a0Évora',
    '\u2007côte\u202f\u00a0évora\ufeff',
  ],
  lga: ['STRASSE Iİ Σ Ǆ', 'straße iİ σ ǅ', 'Straße ıİ ς Ǆ'],
  ward: ['İZMIR 1', 'İzmir\u00a01', 'i\u0307zmir 1'],
}

/** Each letter that PostgreSQL has, folded once and twice. */
const UNSTABLE = `select count(*)::int as n from generate_series(1, 65535) as code
  cross join lateral (select fold_name('x' || chr(code) || 'x') as once) as folded
  where code not between 55296 and 57343 and fold_name(once) <> once`

const folded = async (db: Database, name: string) =>
  (await db.rows<{ folded: string }>('select fold_name($1::text) as folded', [name]))[0]?.folded

async function assertFolded(db: Database): Promise<void> {
  for (const [level, names] of Object.entries(spellings))
    for (const name of names) assert.equal(await folded(db, name), stored[level as keyof typeof stored], name)
  assert.equal(await number(db, UNSTABLE), 0)
}

describe('unit names', function () {
  this.timeout(120_000)

  it('are folded into one form: without regard to case and blanks, no-break spaces included', async () => {
    await assertFolded(service().db)
    assert.notEqual(await folded(service().db, 'Cote Evora'), stored.state)
    assert.notEqual(await folded(service().db, 'CôteÉvora'), stored.state)
  })

  if (!onPostgres) return

  it('are folded so with LC_CTYPE C too', async () => {
    const database = await databaseWith(`encoding 'UTF8' lc_collate 'C' lc_ctype 'C' template template0`, 'bare')
    await database.db.work(sqlText('functions/fold_name'))
    await assertFolded(database.db)
    await database.drop()
  })

  it("are folded, stored and matched so with ICU's Turkish locale too", async () => {
    const turkish = "lc_collate 'C' lc_ctype 'C' locale_provider icu icu_locale 'tr'"
    const database = await databaseWith(`encoding 'UTF8' ${turkish} template template0`)
    await assertFolded(database.db)
    const grid = temporaryFolder().write(
      'grid.geojson',
      collection([
        feature(1, rectangle(500, 500, 501, 501), given),
        feature(2, rectangle(501, 500, 502, 501), { ...given, state: 'Côte Évora' }),
      ]),
    )
    await importFrames(database.db, grid, quiet)
    const started = await startService(database)
    const [row] = await database.db.rows<object>('select distinct state, lga, ward from frame', [])
    assert.deepEqual({ ...row }, stored)
    assert.equal(await number(database.db, 'select count(*)::int as n from state where frames = 2'), 1)
    for (const [level, names] of Object.entries(spellings)) {
      for (const spelling of names) {
        const unit = level === 'state' ? {} : level === 'lga' ? { state: stored.state } : { ...stored }
        const query = new URLSearchParams({ ...unit, [level]: spelling })
        const { text } = await ask(started, `/v1/frames?${query.toString()}`)
        const { data } = JSON.parse(text) as { data: { features: unknown[] } }
        assert.equal(data.features.length, 2, `${level}=${spelling}`)
      }
    }
    await started.stop()
    await database.drop()
  })

  it('need a database in UTF-8: another is not migrated, with a sentence that says how to create one', async () => {
    const database = await databaseWith("encoding 'SQL_ASCII' lc_collate 'C' lc_ctype 'C' template template0", 'bare')
    const ran = await frames(['migrate'], { DATABASE_URL: urlOf(database.ownerTarget) })
    assert.equal(ran.status, 1)
    assert.match(
      ran.err,
      /^The encoding of this database is SQL_ASCII, and UTF8 is needed\. Create one with: create database frames encoding 'UTF8' template template0\n$/,
    )
    const admin = postgres(urlOf(database.adminTarget), { max: 1 })
    const [row] = await admin<{ tables: string | null }[]>`select to_regclass('public.frame')::text as tables`
    assert.equal(row?.tables, null)
    await admin.end()
    await database.drop()
  })
})
