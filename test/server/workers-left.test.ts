import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServe, type Started } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { until } from '../support/until.js'
import { redisServer } from '../support/redis-server.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'
import { allServe, isRunning, pidsOf } from './worker-processes.js'

describe('serve --workers, where a process is killed or hangs,', function () {
  this.timeout(90_000)
  let started: Started | undefined

  const start = async (): Promise<Started> => {
    await kill()
    const env = { DATABASE_URL: urlOf(service().database.target), REDIS_URL: (await redisServer()).url }
    return (started = await startServe({ ...env, LOG_LEVEL: 'warn' }, ['--workers', '2']))
  }
  const kill = async () => {
    started?.child.kill('SIGKILL')
    await started?.ended
    started = undefined
  }
  after(kill)

  it('leaves no worker behind where its primary process is killed, be it one that serves or one that starts', async () => {
    const running = await start()
    const before = pidsOf(running)
    process.kill(before[0] ?? 0, 'SIGKILL')
    await until(async () => pidsOf(running).some((pid) => !before.includes(pid)))
    const pids = pidsOf(running)
    // The new worker asks the primary process for the port, and gets no answer.
    running.child.kill('SIGSTOP')
    await sleep(sample(1500, 4000))
    running.child.kill('SIGKILL')
    await until(async () => !pids.some(isRunning))
  })

  if (sample(0, 1)) {
    it('kills and replaces a worker that hangs', async () => {
      const running = await start()
      const [victim = 0] = pidsOf(running)
      process.kill(victim, 'SIGSTOP')
      await until(async () => running.stderr().includes(`worker ${victim} has not answered for 20 s`))
      await until(() => allServe(running, 2))
      assert.ok(!isRunning(victim))
    })

    it('kills no worker that answers a little later than the primary process after a pause of the machine', async () => {
      const running = await start()
      const pids = pidsOf(running)
      // The primary process asks its workers every five seconds.
      await sleep(6000)
      for (const pid of [running.child.pid ?? 0, ...pids]) process.kill(pid, 'SIGSTOP')
      await sleep(25_000)
      process.kill(running.child.pid ?? 0, 'SIGCONT')
      await sleep(3000)
      for (const pid of pids) process.kill(pid, 'SIGCONT')
      await until(() => allServe(running, 2))
      await sleep(2000)
      assert.deepEqual(pidsOf(running), pids, running.stderr())
    })
  }
})
