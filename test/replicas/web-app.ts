import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import { untilInUse, type Pair } from '../support/replica.js'
import { until } from '../support/until.js'
import { mint, newOrganisation, startService } from '../support/service.js'
import { keyFields } from '../web/pages.js'
import type { ServedPair } from './served-pair.js'

const READ_ONLY = /The primary database is away: nothing can be changed now/

type Running = Awaited<ReturnType<typeof startService>>

export function whileReplicaStandsIn(served: ServedPair): void {
  let pair: Pair
  let running: Running
  let orgId: string
  let owner: Visitor
  let keyId: string
  /** The user and port of each statement but those of probes. */
  const sent: string[] = []

  const start = (authorityGraceMs: number) =>
    startService(pair.database, {
      publicUrl: 'listening',
      readDatabaseUrls: [pair.readUrl()],
      authorityGraceMs,
      watch: (text, target) => {
        const { username, port } = new URL(target as string)
        if (!text.startsWith('-- server_state:')) sent.push(`${username} ${port}`)
      },
    })
  before(async () => {
    pair = served.pair
    running = await start(600_000)
    orgId = await newOrganisation(pair.db)
    keyId = (await mint(pair.db, { org: orgId, name: 'On the replica' })).keyId
    owner = await signIn(running.url, pair.db, { orgId })
    await untilInUse(running.replicas)
  })
  beforeEach(() => pair.caughtUp())
  after(() => running.stop())

  const whileAway = async (work: () => Promise<void>) => {
    await pair.primary.halt()
    try {
      await work()
    } finally {
      await pair.primary.start()
      await until(async () => !READ_ONLY.test((await owner.get('/app/account')).text))
    }
  }
  const knowsThatItIsAway = () => until(async () => READ_ONLY.test((await owner.get('/app/account')).text))
  const changesOf = async () => {
    const [row] = await pair.db.rows<{ keys: number; events: number; sessions: number; revoked: number }>(
      `select (select count(*) from api_key where org_id = $1::text)::int as keys,
         (select count(*) from api_key where org_id = $1::text and revoked_at is not null)::int as revoked,
         (select count(*) from key_event where org_id = $1::text)::int as events,
         (select count(*) from session where org_id = $1::text)::int as sessions`,
      [orgId],
    )
    return row
  }

  it('shows every page to a signed-in person, as frames_console of the replica', async () => {
    await whileAway(async () => {
      // The first page comes before a probe has missed the primary.
      assert.equal((await owner.get('/app/keys')).status, 200)
      await knowsThatItIsAway()
      sent.length = 0
      for (const path of [
        'keys',
        `keys/${keyId}`,
        'keys/new',
        'usage',
        'usage.csv',
        'credits',
        'credits.csv',
        'events',
        'events.csv',
        'members',
        'account',
      ]) {
        const { status, text } = await owner.get(`/app/${path}`)
        assert.equal(status, 200, path)
        if (!path.endsWith('.csv')) assert.match(text, READ_ONLY, path)
        if (/^(keys|keys\/key_\w+|events)$/.test(path)) assert.match(text, /On the replica/, path)
      }
      assert.deepEqual([...new Set(sent)], [`frames_console ${pair.replica.port}`])
    })
  })

  it('still shows pages to a person whose last visit it cannot write', async () => {
    await pair.db.rows(`update session set seen_at = clock_timestamp() - interval '2 hours' where org_id = $1::text`, [
      orgId,
    ])
    await pair.caughtUp()
    await whileAway(async () => {
      assert.equal((await owner.get('/app/keys')).status, 200)
      await knowsThatItIsAway()
      assert.equal((await owner.get('/app/usage')).status, 200)
    })
  })

  it('refuses every form with 503 and changes nothing; all of it works again when the primary is back', async () => {
    const form = keyFields((await owner.get('/app/keys/new')).text)
    const before = await changesOf()
    const forms: [path: string, fields: Parameters<Visitor['post']>[1]][] = [
      ['/app/keys/new', form],
      [`/app/keys/${keyId}/revoke`, {}],
      ['/app/members', { name: 'Eve', role: 'owner' }],
      ['/app/account/sign-out-everywhere', {}],
      ['/app/sign-out', {}],
    ]
    await whileAway(async () => {
      // The service does not know yet that the primary is away.
      const early = await owner.post(...(forms[0] as (typeof forms)[number]))
      assert.equal(early.status, 503, early.text)
      await knowsThatItIsAway()
      for (const [path, fields] of forms) {
        const { status, text, headers, setCookies } = await owner.post(path, fields)
        assert.equal(status, 503, path)
        assert.match(text, /<h1>The database is away<\/h1>/)
        assert.match(text, /Nothing was changed\./)
        assert.equal(headers['retry-after'], '60')
        assert.deepEqual(setCookies, [])
      }
    })
    assert.deepEqual(await changesOf(), before)
    assert.equal((await owner.post('/app/keys/new', form)).status, 200)
    assert.equal((await owner.post(`/app/keys/${keyId}/revoke`)).status, 303)
    const after = await changesOf()
    assert.deepEqual([after?.keys, after?.revoked], [(before?.keys ?? 0) + 1, (before?.revoked ?? 0) + 1])
  })

  it('lets nobody in with a session that had ended, and shows nothing once the grace is over', async () => {
    const short = await start(4000)
    try {
      await untilInUse(short.replicas)
      const [signedIn, signedOut] = [
        await signIn(short.url, pair.db, { orgId }),
        await signIn(short.url, pair.db, { orgId }),
      ]
      const cookies = [...signedOut.cookies]
      await signedOut.post('/app/sign-out')
      for (const [name, value] of cookies) signedOut.cookies.set(name, value)
      await pair.caughtUp()
      await whileAway(async () => {
        await until(async () => READ_ONLY.test((await signedIn.get('/app/keys')).text))
        assert.equal((await signedIn.get('/app/keys')).status, 200)
        assert.equal((await signedOut.get('/app/keys')).headers.location, '/app/sign-in')
        await until(async () => (await signedIn.get('/app/keys')).status === 503)
        assert.match((await signedIn.get('/app/keys')).text, /<h1>The database is away<\/h1>/)
      })
      await until(async () => (await signedIn.get('/app/keys')).status === 200)
    } finally {
      await short.stop()
    }
  })
}
