import assert from 'node:assert/strict'
import { Agent } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { startServe, type Started } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { sample } from '../support/sample.js'
import { ask, mint, service } from '../support/service.js'
import { sendOnce } from './keep-alive-clients.js'

const CLIENTS = 40
const REQUESTS = sample(1000, 25_000)
const RESTARTS = sample(1, 4)

type Upstream = { started: Started; ready: boolean }

describe('a rolling restart', function () {
  this.timeout(300_000)

  it(`loses none of ${REQUESTS} requests of ${CLIENTS} keep-alive clients, and none is sent twice`, async () => {
    const { secret } = await mint(service().db)
    const roomy = '900000/900000'
    const start = async (): Promise<Upstream> => ({
      started: await startServe({
        DATABASE_URL: urlOf(service().database.target),
        BUCKET_KEY: roomy,
        BUCKET_ORGANISATION: roomy,
        LOG_LEVEL: 'warn',
      }),
      ready: true,
    })
    const upstreams = await Promise.all([start(), start()])
    const agent = new Agent({ keepAlive: true })
    const over = new AbortController()

    /**
     * Does what a balancer does: asks which processes are ready, and sends each request once, to the next of them.
     */
    const watch = async () => {
      while (!over.signal.aborted) {
        await Promise.all(
          upstreams.map(async (upstream) => {
            const answer = await ask(`${upstream.started.opsUrl}/readyz`).catch(() => undefined)
            upstream.ready = answer?.status === 200
          }),
        )
        await sleep(20)
      }
    }
    let turn = 0
    const next = async (): Promise<string> => {
      for (;;) {
        const ready = upstreams.filter((upstream) => upstream.ready)
        const chosen = ready[(turn += 1) % ready.length]
        if (chosen) return chosen.started.url
        await sleep(5)
      }
    }

    const lost: string[] = []
    let [sent, restarts] = [0, 0]
    const isEnough = () => sent >= REQUESTS && restarts >= RESTARTS
    const client = async () => {
      while (!isEnough()) {
        const url = await next()
        sent += 1
        const outcome = await sendOnce(`${url}/v1/frames/at?lat=0.105&lon=0.205`, agent, secret)
        if (outcome !== '200') lost.push(outcome)
      }
    }
    const replace = async (place: number) => {
      const old = upstreams[place] as Upstream
      old.started.child.kill('SIGTERM')
      assert.equal((await old.started.ended).status, 0, old.started.stderr())
      upstreams[place] = await start()
    }

    const watching = watch()
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    for (; !isEnough(); restarts += 1) await replace(restarts % 2)
    await clients
    over.abort()
    await watching
    agent.destroy()
    await Promise.all(
      upstreams.map(async ({ started }) => {
        started.child.kill('SIGTERM')
        assert.equal((await started.ended).status, 0)
      }),
    )
    assert.deepEqual(lost, [])
  })
})
