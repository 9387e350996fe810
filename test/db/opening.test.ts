import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect } from '../../src/core/db/connect.js'
import { startServe } from '../support/cli.js'
import { newDatabase, urlOf } from '../support/database.js'
import { until } from '../support/until.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint } from '../support/service.js'

const ROOMY = '900000/900000'
const SERVICE = `usename = 'frames_service' and datname = current_database()`

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
      const end = performance.now() + sample(1500, 20_000)
      for (let time = 0; performance.now() < end && serve.child.exitCode === null; time += 1) {
        if (time % 15 === 0) await timeout(time % 30 === 0 ? '1' : '0')
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
      await until(async () => (await get()).text === right)
      for (let time = 0; time < 20; time += 1) assert.equal((await get()).text, right)
    } finally {
      serve.child.kill('SIGKILL')
      await serve.ended
      await admin.close()
      await database.drop()
    }
  })
})
