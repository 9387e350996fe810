import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { signIn, visit, type Visitor } from '../support/browse.js'
import { startServe, type Started } from '../support/cli.js'
import { urlOf } from '../support/database.js'
import { ask, newOrganisation, service } from '../support/service.js'
import { keyFields } from './pages.js'
import { rows } from './visitors.js'

type Upstream = { started: Started; ready: boolean }

/** Forms that are sent at once. */
const CLIENTS = 3

describe('a rolling restart of the web app', () => {
  let orgId: string
  let upstreams: Upstream[]

  before(async () => {
    orgId = await newOrganisation(service().db)
    upstreams = await Promise.all([start(), start()])
  })
  after(async () => {
    for (const { started } of upstreams) started.child.kill('SIGTERM')
    await Promise.all(upstreams.map(({ started }) => started.ended))
  })

  const start = async (): Promise<Upstream> => ({
    started: await startServe({
      DATABASE_URL: urlOf(service().database.target),
      CONSOLE_DATABASE_URL: urlOf(service().database.consoleTarget),
      PUBLIC_URL: 'https://example.org',
      BUCKET_ADDRESS: 'off',
      LOG_LEVEL: 'warn',
    }),
    ready: true,
  })
  const upstreamAt = (place: number) => upstreams[place] as Upstream
  const replace = async (place: number) => {
    const { started } = upstreamAt(place)
    started.child.kill('SIGTERM')
    assert.equal((await started.ended).status, 0, started.stderr())
    upstreams[place] = await start()
  }
  /** The same browser at another process. */
  const at = (place: number, { cookies }: Visitor): Visitor => {
    const visitor = visit(upstreamAt(place).started.url)
    for (const [name, value] of cookies) visitor.cookies.set(name, value)
    return visitor
  }

  it('signs nobody out: each process knows the sessions of the others, and their ends', async () => {
    const ada = await signIn(upstreamAt(0).started.url, service().db, { orgId })
    const bob = await signIn(upstreamAt(1).started.url, service().db, { orgId, name: 'Bob' })
    const opens = async (person: Visitor) => [
      (await at(0, person).get('/app/account')).status,
      (await at(1, person).get('/app/account')).status,
    ]
    assert.deepEqual([await opens(ada), await opens(bob)], [Array(2).fill(200), Array(2).fill(200)])
    for (const place of [0, 1]) {
      await replace(place)
      assert.deepEqual([await opens(ada), await opens(bob)], [Array(2).fill(200), Array(2).fill(200)])
    }
    assert.equal((await at(1, ada).post('/app/sign-out')).status, 303)
    assert.deepEqual([await opens(ada), await opens(bob)], [Array(2).fill(303), Array(2).fill(200)])
  })

  it('loses no form, and does none twice', async () => {
    const owner = await signIn(upstreamAt(0).started.url, service().db, { orgId, name: 'Olu' })
    const over = new AbortController()
    /** Does what a balancer does: asks which processes are ready, and sends each request once, to the next of them. */
    const watch = async () => {
      while (!over.signal.aborted) {
        for (const upstream of upstreams) {
          const answer = await ask(`${upstream.started.opsUrl}/readyz`).catch(() => undefined)
          upstream.ready = answer?.status === 200
        }
        await sleep(20)
      }
    }
    let turn = 0
    const next = async (): Promise<Visitor> => {
      for (;;) {
        const place = (turn += 1) % 2
        if (upstreamAt(place).ready) return at(place, owner)
        await sleep(5)
      }
    }
    const minted: string[] = []
    const outcomes: string[] = []
    const client = async () => {
      while (!over.signal.aborted) {
        const form = keyFields((await (await next()).get('/app/keys/new')).text)
        const outcome = await (await next()).post('/app/keys/new', form).then(
          ({ status }) => String(status),
          (error: NodeJS.ErrnoException) => error.code ?? error.message,
        )
        minted.push(form.key)
        outcomes.push(outcome)
      }
    }
    const watching = watch()
    const clients = Promise.all(Array.from({ length: CLIENTS }, client))
    for (const place of [0, 1]) await replace(place)
    await sleep(200)
    over.abort()
    await Promise.all([watching, clients])

    assert.ok(minted.length > CLIENTS, `${minted.length} forms were sent`)
    assert.deepEqual([...new Set(outcomes)], ['200'])
    const [row] = await rows<{ keys: number; events: number }>(
      `select (select count(*) from api_key where key_id = any ($1::text[]))::int as keys,
         (select count(*) from key_event where key_id = any ($1::text[]) and action = 'minted')::int as events`,
      minted,
    )
    assert.deepEqual(row, { keys: minted.length, events: minted.length })
  })
})
