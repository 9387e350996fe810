import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/db/connect.js'
import { sqlText } from '../../src/db/statement.js'
import { startServe } from '../support/cli.js'
import { newDatabase, onPostgres, urlOf } from '../support/database.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, service } from '../support/service.js'

const ROOMY = '900000/900000'
const SERVICE = `usename = 'frames_service' and datname = current_database()`

describe('a connection that opens', () => {
  it('sends no statement of its own: the types of all arrays are known', async () => {
    const { db } = service()
    const texts = ['plain', 'with "quotes"', 'back\\slash', '{braces}', 'com,ma', ' blank ', 'NULL', '', 'ôé', '\n']
    const [row] = await db.rows<Record<string, unknown>>(
      `select $1::text[] as texts, $2::bigint[] as bigs, $3::float8[] as floats, $4::int[] as ints,
        array[true, false] as bools, array['a', null] as "withNull", '{}'::text[] as none,
        array['x'::varchar] as varchars, array[1.50::numeric] as decimals`,
      [texts, ['9007199254740993'], [0.1, -1e-7], [1, 2]],
    )
    assert.deepEqual(row, {
      texts,
      bigs: ['9007199254740993'],
      floats: [0.1, -1e-7],
      ints: [1, 2],
      bools: [true, false],
      withNull: ['a', null],
      none: [],
      varchars: ['x'],
      decimals: ['1.50'],
    })
  })
})

describe('a session', () => {
  it('has the settings of sql/session/settings.sql', async () => {
    const { db } = service()
    const [now] = await db.rows(
      `select current_setting('plan_cache_mode') as plan_cache_mode, current_setting('jit') as jit,
        current_setting('TimeZone') as time_zone`,
      [],
    )
    const [asked] = await db.rows(sqlText('session/settings'), [])
    assert.deepEqual(now, asked)
  })
})

if (onPostgres) {
  describe('the process, while connections open', function () {
    this.timeout(120_000)

    it('survives cancelled statements and a statement_timeout of a millisecond, and gives right answers after', async () => {
      const database = await newDatabase('datasets')
      const admin = connect(database.adminTarget, { connections: 2 })
      const serve = await startServe({
        DATABASE_URL: urlOf(database.target),
        LOG_LEVEL: 'silent',
        BUCKET_KEY: ROOMY,
        BUCKET_ORGANISATION: ROOMY,
      })
      try {
        const { secret } = await mint(database.db)
        const get = () => ask(`${serve.url}/v1/frames?ids=324378020`, { headers: bearer(secret) })
        const right = (await get()).text
        const working = { on: true }
        const wrong: string[] = []
        const client = async () => {
          while (working.on) {
            const { status, text } = await get()
            if (status === 200 ? text !== right : status !== 500) wrong.push(`${status} ${text.slice(0, 200)}`)
          }
        }
        const clients = Promise.all(Array.from({ length: 4 }, client))
        const timeout = (to: string) =>
          admin.work(`alter role frames_service in database ${name} set statement_timeout = ${to}`)
        const [{ name } = { name: '' }] = await admin.rows<{ name: string }>('select current_database() as name', [])
        const until = performance.now() + sample(6000, 20_000)
        for (let time = 0; performance.now() < until && serve.child.exitCode === null; time += 1) {
          if (time % 40 === 0) await timeout(time % 80 === 0 ? '1' : '0')
          // New connections open, and may have a statement to cancel.
          await admin.rows(
            `select pg_terminate_backend(pid) from pg_stat_activity where ${SERVICE} and random() < 0.3`,
            [],
          )
          for (let cancel = 0; cancel < 10; cancel += 1) {
            await admin.rows(`select pg_cancel_backend(pid) from pg_stat_activity where ${SERVICE}`, [])
            await sleep(1)
          }
        }
        await timeout('0')
        working.on = false
        await Promise.race([clients, serve.ended])
        assert.equal(serve.child.exitCode, null, serve.stderr())
        assert.deepEqual(wrong, [])
        await admin.rows(`select pg_terminate_backend(pid) from pg_stat_activity where ${SERVICE}`, [])
        await sleep(3000)
        for (let time = 0; time < 20; time += 1) assert.equal((await get()).text, right)
      } finally {
        serve.child.kill('SIGKILL')
        await serve.ended
        await admin.close()
        await database.drop()
      }
    })
  })
}
