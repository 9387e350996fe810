import assert from 'node:assert/strict'
import { Agent, request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { signIn, visit, type Visitor } from '../support/browse.js'
import { startServe, type Started } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { sample } from '../support/sample.js'
import { ask, mint, newOrganisation, service } from '../support/service.js'
import { keyFields } from '../web/pages.js'
import { rows } from '../web/visitors.js'

const CLIENTS = sample(4, 40)
const PAUSE_MS = sample(40, 0)
const REQUESTS = sample(300, 25_000)
const RESTARTS = sample(1, 4)

/** Forms that are sent at once. */
const FORMS = 3

type Upstream = { started: Started; ready: boolean }

/** Returns the status, or the code of the error. */
function sendOnce(url: string, agent: Agent, secret: string): Promise<string> {
  return new Promise((done) => {
    const sent = request(url, { agent, headers: { authorization: `Bearer ${secret}` } }, (answer) => {
      answer.resume()
      answer.once('end', () => done(String(answer.statusCode)))
      answer.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    })
    sent.once('error', (error: NodeJS.ErrnoException) => done(error.code ?? error.message))
    sent.end()
  })
}

describe('a rolling restart', function () {
  this.timeout(300_000)
  let orgId: string
  let upstreams: Upstream[]

  const start = async (): Promise<Upstream> => ({
    started: await startServe({
      DATABASE_URL: urlOf(service().database.target),
      CONSOLE_DATABASE_URL: urlOf(service().database.consoleTarget),
      PUBLIC_URL: 'https://example.org',
      BUCKET_KEY: '900000/900000',
      BUCKET_ORGANISATION: '900000/900000',
      BUCKET_ADDRESS: 'off',
      LOG_LEVEL: 'warn',
    }),
    ready: true,
  })
  before(async () => {
    orgId = await newOrganisation(service().db)
    upstreams = await Promise.all([start(), start()])
  })
  after(async () => {
    for (const { started } of upstreams) started.child.kill('SIGTERM')
    for (const { started } of upstreams) assert.equal((await started.ended).status, 0)
  })

  const upstreamAt = (place: number) => upstreams[place] as Upstream
  const replace = async (place: number) => {
    const { started } = upstreamAt(place)
    started.child.kill('SIGTERM')
    assert.equal((await started.ended).status, 0, started.stderr())
    upstreams[place] = await start()
  }

  /** Does what a balancer does: asks which processes are ready, and sends each request once, to the next of them. */
  function balance() {
    const over = new AbortController()
    const watching = (async () => {
      while (!over.signal.aborted) {
        await Promise.all(
          upstreams.map(async (upstream) => {
            const answer = await ask(`${upstream.started.opsUrl}/readyz`).catch(() => undefined)
            upstream.ready = answer?.status === 200
          }),
        )
        await sleep(20)
      }
    })()
    let turn = 0
    const next = async (): Promise<string> => {
      for (;;) {
        const ready = upstreams.filter((upstream) => upstream.ready)
        const chosen = ready[(turn += 1) % ready.length]
        if (chosen) return chosen.started.url
        await sleep(5)
      }
    }
    const stop = async () => {
      over.abort()
      await watching
    }
    return { next, stop }
  }

  /** The same browser at another process. */
  const at = (url: string, { cookies }: Visitor): Visitor => {
    const visitor = visit(url)
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    return visitor
  }
  const statusesOf = async (person: Visitor) => [
    (await at(upstreamAt(0).started.url, person).get('/app/account')).status,
    (await at(upstreamAt(1).started.url, person).get('/app/account')).status,
  ]

  it(`loses none of ${REQUESTS} requests of ${CLIENTS} keep-alive clients and no form, does none twice, and signs nobody out`, async () => {
    const { db } = service()
    const { secret } = await mint(db)
    const ada = await signIn(upstreamAt(0).started.url, db, { orgId })
    const bob = await signIn(upstreamAt(1).started.url, db, { orgId, name: 'Bob' })
    const { next, stop } = balance()
    const agent = new Agent({ keepAlive: true })
    let [sent, restarts] = [0, 0]
    const isEnough = () => sent >= REQUESTS && restarts >= RESTARTS

    const lost: string[] = []
    const client = async () => {
      while (!isEnough()) {
        const url = await next()
        sent += 1
        const outcome = await sendOnce(`${url}/v1/frames/at?lat=0.105&lon=0.205`, agent, secret)
        if (outcome !== '200') lost.push(outcome)
        await sleep(PAUSE_MS)
      }
    }
    const minted: string[] = []
    const outcomes: string[] = []
    const sender = async () => {
      while (!isEnough()) {
        const form = keyFields((await at(await next(), ada).get('/app/keys/new')).text)
        const outcome = await at(await next(), ada)
          .post('/app/keys/new', form)
          .then(
            ({ status }) => String(status),
            (error: NodeJS.ErrnoException) => error.code ?? error.message,
          )
        minted.push(form.key)
        outcomes.push(outcome)
        await sleep(5 * PAUSE_MS)
      }
    }

    const clients = Promise.all([...Array.from({ length: CLIENTS }, client), ...Array.from({ length: FORMS }, sender)])
    for (; !isEnough(); restarts += 1) {
      await replace(restarts % 2)
      assert.deepEqual([await statusesOf(ada), await statusesOf(bob)], [Array(2).fill(200), Array(2).fill(200)])
    }
    await clients
    await stop()
    agent.destroy()

    assert.deepEqual(lost, [])
    assert.ok(minted.length > FORMS, `${minted.length} forms were sent`)
    assert.deepEqual([...new Set(outcomes)], ['200'])
    const [row] = await rows<{ keys: number; events: number }>(
      `select (select count(*) from api_key where key_id = any ($1::text[]))::int as keys,
         (select count(*) from key_event where key_id = any ($1::text[]) and action = 'minted')::int as events`,
      minted,
    )
    assert.deepEqual(row, { keys: minted.length, events: minted.length })
  })

  it('lets each process know the ends of the sessions of the others', async () => {
    const { db } = service()
    const ada = await signIn(upstreamAt(0).started.url, db, { orgId })
    const bob = await signIn(upstreamAt(1).started.url, db, { orgId, name: 'Bob' })
    assert.equal((await at(upstreamAt(1).started.url, ada).post('/app/sign-out')).status, 303)
    assert.deepEqual([await statusesOf(ada), await statusesOf(bob)], [Array(2).fill(303), Array(2).fill(200)])
  })
})
