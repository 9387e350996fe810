import assert from 'node:assert/strict'
import postgres from 'postgres'
import { importFrames } from '../../src/load/import-frames.js'
import { frames } from '../support/cli.js'
import { databaseWith, newDatabase, onPostgres, urlOf, type TestDatabase } from '../support/database.js'
import { startService, type Service } from '../support/service.js'
import { ask, collection, feature, number, quiet, rectangle, temporaryFolder } from './files.js'

/** Each creates a database with another locale. The embedded database has one locale only. */
const locales: [name: string, options: string][] = onPostgres
  ? [
      ['LC_CTYPE C', "lc_collate 'C' lc_ctype 'C'"],
      ['C.UTF-8', "lc_collate 'C.UTF-8' lc_ctype 'C.UTF-8'"],
      ["ICU's Turkish locale", "lc_collate 'C' lc_ctype 'C' locale_provider icu icu_locale 'tr'"],
    ]
  : [['the embedded database', '']]

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

const query = (unit: Record<string, string>) => `/v1/frames?${new URLSearchParams(unit).toString()}`

describe('unit names', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  after(() => folder.remove())
  const grid = folder.write(
    'grid.geojson',
    collection([
      feature(1, rectangle(500, 500, 501, 501), given),
      feature(2, rectangle(501, 500, 502, 501), { ...given, state: 'Côte Évora' }),
    ]),
  )

  for (const [name, options] of locales) {
    describe(`with ${name}`, () => {
      let database: TestDatabase
      let service: Service & { stop: () => Promise<void> }
      before(async () => {
        database = onPostgres
          ? await databaseWith(`encoding 'UTF8' ${options} template template0`)
          : await newDatabase()
        await importFrames(database.db, grid, quiet)
        service = await startService(database)
      })
      after(async () => {
        await service.stop()
        await database.drop()
      })
      const found = async (path: string) => {
        const { status, text } = await ask(service, path)
        assert.equal(status, 200, text)
        return JSON.parse(text) as { data: { features: unknown[] } }
      }

      it('are stored in one form, the same on every database', async () => {
        const [row] = await database.db.rows<object>('select distinct state, lga, ward from frame', [])
        assert.deepEqual({ ...row }, stored)
        const counted = 'select count(*)::int as n from state where frames = 2'
        assert.equal(await number(database.db, counted), 1)
      })

      it("match without regard to case, whatever the database's locale, and to blanks, no-break spaces included", async () => {
        for (const [level, names] of Object.entries(spellings)) {
          for (const spelling of names) {
            const unit = level === 'state' ? {} : level === 'lga' ? { state: stored.state } : { ...stored }
            const { data } = await found(query({ ...unit, [level]: spelling }))
            assert.equal(data.features.length, 2, `${level}=${spelling}`)
          }
        }
        assert.equal((await found(query({ state: 'Cote Evora' }))).data.features.length, 0)
        assert.equal((await found(query({ state: 'CôteÉvora' }))).data.features.length, 0)
      })

      it('stay the same when they are folded again, whichever letters they have', async () => {
        const again = `select count(*)::int as n from generate_series(1, 65535) as code
          cross join lateral (select fold_name('x' || chr(code) || 'x') as once) as folded
          where code not between 55296 and 57343 and fold_name(once) <> once`
        assert.equal(await number(database.db, again), 0)
      })
    })
  }

  if (onPostgres) {
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
  }
})
