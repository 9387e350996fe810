import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { connect, type Database } from '../../src/db/connect.js'
import { examine } from '../../src/doctor/examine.js'
import { deadlineIn } from '../../src/deadline.js'
import { openCheckUp, type CheckUp, type Run } from '../../src/web/health/check-up.js'
import { signIn } from '../support/browse.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { ask, bearer, newOrganisation, startService } from '../support/service.js'
import { settledPage } from './health-page.js'

/** Waits until no run is under way. */
async function ended({ progress, last }: CheckUp): Promise<Run | undefined> {
  while (progress()) await sleep(20)
  return last()
}

describe('a run of the checks on the page about health', function () {
  this.timeout(180_000)
  let database: TestDatabase
  before(async () => void (database = await newDatabase('datasets')))
  after(() => database.drop())

  it('lets calls and pages be answered while it is under way', async () => {
    const orgId = await newOrganisation(database.db)
    const running = await startService(database, { publicUrl: 'listening', operators: [orgId] })
    try {
      const owner = await signIn(running.url, database.db, { orgId, role: 'owner' })
      const headers = bearer(running.secret)
      const calls: (() => Promise<{ status: number }>)[] = [
        () => ask(`${running.url}/v1/frames/at?lat=0.105&lon=0.205`, { headers }),
        () => owner.get('/app/map'),
        () => owner.get('/app/tiles/frames/9/256/255'),
      ]
      for (const call of calls) await call()
      await owner.post('/app/health')
      const until = new AbortController()
      const answers = calls.map(async (call) => {
        for (let count = 0; ; count += 1) {
          if (until.signal.aborted) return count
          const { status } = await call()
          assert.ok(status < 300, `${status}`)
          await sleep(20)
        }
      })
      const page = await settledPage(owner).finally(() => until.abort())
      // A call that waits for all checks is answered once or twice.
      const counts = await Promise.all(answers)
      assert.ok(Math.min(...counts) > 15, `${counts.join(', ')} answers came during the checks`)
      assert.doesNotMatch(page, /ended during this check|The time of this run was over/)
    } finally {
      await running.stop()
    }
  })

  it('reads smaller samples on the embedded database, and leaves it to calls between the checks', async () => {
    const turns: { from: number; to: number }[] = []
    const timed: Database = {
      ...database.db,
      transaction: async (work) => {
        const from = performance.now()
        return await database.db.transaction(work).finally(() => turns.push({ from, to: performance.now() }))
      },
    }
    const bounds = { checkMs: 5000, until: deadlineIn(60_000), onFault: assert.fail }
    const { sampled } = await examine(timed, { isEmbedded: true, bounds })
    assert.deepEqual(sampled, ['frames_overlap', 'classes_kept', 'baseline_totals', 'feature_totals'])
    // The first transactions are those of the facts that checks share.
    const pauses = turns.slice(3).map(({ from }, i) => [from - turns[i + 2]!.to, turns[i + 2]!.to - turns[i + 2]!.from])
    const short = pauses.filter(([pause = 0, length = 0]) => pause < 0.9 * length - 2)
    assert.ok(pauses.length > 30)
    assert.deepEqual(short, [])
  })

  it('leaves checks of every frame to the command line, where the embedded index is large', async () => {
    const large: Database = {
      ...database.db,
      rows: async (text, ...more) =>
        text.startsWith('-- sizes:') ? [{ frame: 13 * 2 ** 20, feature: 0 } as never] : database.db.rows(text, ...more),
    }
    const bounds = { checkMs: 5000, until: deadlineIn(60_000), onFault: assert.fail }
    const left = async (isEmbedded: boolean) => {
      const { unchecked } = await examine(large, { isEmbedded, bounds })
      return unchecked.filter(({ why }) => why.startsWith('It reads every frame')).map(({ check }) => check)
    }
    const embedded = await left(true)
    for (const check of ['stored_text', 'frames_invalid', 'names_unfolded']) assert.ok(embedded.includes(check), check)
    if (onPostgres) assert.deepEqual(await left(false), [])
  })

  it('says in plain words that the database is away, and logs the reason', async () => {
    const away = connect(onPostgres ? 'postgres://x@127.0.0.1:1/x' : database.target, { connections: 1 })
    const raw = Object.assign(new Error('write CONNECTION_DESTROYED /tmp/of/this/machine'), {
      code: 'CONNECTION_DESTROYED',
    })
    const gone: Database = { ...away, transaction: () => Promise.reject(raw) }
    const logged: Error[] = []
    const checkUp = openCheckUp({ service: gone, console: undefined }, (_check, error) => void logged.push(error))
    checkUp.begin()
    const run = await ended(checkUp)
    assert.equal(run && 'fault' in run && run.fault, 'The database did not answer.')
    assert.deepEqual(logged, [raw])
    await away.close()
  })

  it('makes of a connection that breaks a finding in plain words, and makes no check after it', async () => {
    let transactions = 0
    const raw = Object.assign(new Error('write CONNECTION_DESTROYED /tmp/of/this/machine'), {
      code: 'CONNECTION_DESTROYED',
    })
    const breaking: Database = {
      ...database.db,
      transaction: (work) =>
        (transactions += 1) > 8 ? Promise.reject(raw) : database.db.transaction(work as () => Promise<never>),
    }
    const logged: string[] = []
    const checkUp = openCheckUp({ service: breaking, console: undefined }, (check) => void logged.push(check))
    checkUp.begin()
    const run = await ended(checkUp)
    assert.ok(run && 'report' in run)
    const { findings, unchecked, ok } = run.report
    const found = findings.filter(({ what }) => what.startsWith('The connection to the database ended'))
    assert.equal(found.length, 1)
    assert.deepEqual(
      found.map(({ check }) => check),
      logged,
    )
    assert.equal(ok, false)
    assert.doesNotMatch(JSON.stringify(run.report), /CONNECTION_DESTROYED|machine/)
    assert.equal(transactions, 9)
    assert.ok(unchecked.filter(({ why }) => why === 'The connection to the database ended before it.').length > 20)
  })

  it('makes one run at a time, and keeps its report', async () => {
    let transactions = 0
    let atOnce = 0
    let most = 0
    const counting: Database = {
      ...database.db,
      transaction: async (work) => {
        transactions += 1
        most = Math.max(most, (atOnce += 1))
        return await database.db.transaction(work).finally(() => (atOnce -= 1))
      },
    }
    const checkUp = openCheckUp({ service: counting, console: undefined }, assert.fail)
    checkUp.begin()
    checkUp.begin()
    const first = await ended(checkUp)
    assert.equal(most, 1)
    const once = transactions
    assert.ok(once > 20)
    assert.equal(checkUp.last(), first)
    assert.equal(transactions, once)
  })
})
