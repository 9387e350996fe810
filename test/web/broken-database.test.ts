import assert from 'node:assert/strict'
import { newLinkToken, newSessionToken } from '../../src/core/access/secret.js'
import { deadlineIn, DeadlinePassed } from '../../src/core/deadline.js'
import { signIn, visit, type Visitor } from '../support/browse.js'
import { freePort } from '../support/postgres-server.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'
import { everyPage } from '../support/every-page.js'
import { organisation, serving, type Organisation } from './organisation.js'

/** The texts of the driver and of PostgreSQL name files, sockets, tables and lines of code. */
const FAULTS = {
  'goes away': Object.assign(new Error('write CONNECTION_DESTROYED /srv/frames/pgdata/.s.PGSQL.5432'), {
    code: 'CONNECTION_DESTROYED',
  }),
  refuses: Object.assign(new Error('relation "frame" does not exist at /srv/frames/dist/src/core/db/connect.js:12'), {
    code: '42P01',
  }),
}

describe('a page says nothing of what the driver says', function () {
  this.timeout(60_000)
  let owner: Visitor
  let fault: Error | undefined
  let passes = (_text: string) => true
  const logged: string[] = []
  let org: Organisation
  const running = serving(async () => {
    org = await organisation()
    return {
      operators: [org.orgId],
      logged: (line) => void logged.push(line),
      watch: (text) => (fault && !passes(text) ? Promise.reject(fault) : undefined),
    }
  })
  before(async () => (owner = await signIn(running.url, service().db, { orgId: org.orgId })))
  afterEach(() => {
    fault = undefined
  })

  const RAW = /CONNECTION_DESTROYED|\/srv\/|PGSQL|relation|does not exist|42P01|10000 ms|\.js:\d|postgres:\/\//

  const nothing = () => false
  const sessions = (text: string) => text.startsWith('-- session_holder')
  for (const [what, who, letThrough] of [
    ['goes away', 'it reads nothing', nothing],
    ['refuses', 'it reads sessions alone', sessions],
  ] as const)
    it(`where the database ${what}, and ${who}`, async () => {
      fault = FAULTS[what]
      passes = letThrough
      let failed = 0
      for (const path of everyPage) {
        const { status, text, headers } = await owner.get(`/app${path}`)
        assert.doesNotMatch(text, RAW, path)
        if (status < 500) continue
        failed += 1
        assert.match(text, /Something went wrong on our side|The database is away|Nothing was changed/, path)
        const id = String(headers['x-request-id'])
        assert.match(id, /^\S{8,}$/)
        if (/<html/.test(text)) assert.ok(text.includes(`Request <code>${id}</code> in the log of the service`), path)
        assert.ok(
          logged.some((line) => line.includes(id)),
          'the log has the reason',
        )
      }
      assert.ok(failed >= everyPage.length - 6, `${failed} of ${everyPage.length} pages failed`)
    })

  it('where the database is late, and the page and the API say what helps', async () => {
    const { secret } = await mint(service().db)
    fault = new DeadlinePassed(deadlineIn(10_000))
    passes = sessions
    const page = await owner.get('/app/map?state=marembe')
    assert.equal(page.status, 500)
    assert.match(page.text, /<h1>This took too long<\/h1>[\s\S]*did not answer in time\.[^<]* a smaller place/)
    const form = await owner.post('/app/members', { name: 'Ada', role: 'member' })
    assert.equal(form.status, 500)
    assert.match(form.text, /did not answer in time, so this may have been done or not/)
    passes = (text) => text.startsWith('-- authority')
    const answer = await ask(`${running.url}/v1/states`, { headers: bearer(secret) })
    assert.equal(answer.status, 500)
    const message = 'The database did not answer in time. Please try again, or ask for less.'
    assert.deepEqual(answer.body, { error: { code: 'internal', message } })
    for (const text of [page.text, form.text]) assert.doesNotMatch(text, RAW)
  })
})

describe('while the database of the web app is away', () => {
  it('nobody is let in or signed out, the pages say so, and the API answers', async () => {
    const lines: string[] = []
    const running = await startService(
      { ...service().database, consoleTarget: `postgres://frames_console@127.0.0.1:${await freePort()}/frames` },
      { publicUrl: 'listening', ops: true, logged: (line) => lines.push(line), queries: { retryMs: 0 } },
    )
    try {
      const token = newSessionToken()
      const signedIn = visit(running.url)
      signedIn.cookies.set(`frames-${running.port}`, token)
      const link = newLinkToken()
      const pages = await Promise.all([
        signedIn.get('/app/account'),
        signedIn.get('/app/sign-in'),
        signedIn.post('/app/sign-out'),
        visit(running.url).get(`/app/link?t=${link}`),
        visit(running.url).post('/app/link', { t: link }),
      ])
      for (const { status, text, headers, setCookies } of pages) {
        assert.equal(status, 503)
        assert.match(text, /<h1>The database (is|went) away<\/h1>/)
        assert.equal(headers['retry-after'], '60')
        assert.ok(text.includes(String(headers['x-request-id'])))
        assert.doesNotMatch(text, /ECONN|postgres|127\.0\.0\.1/)
        assert.equal(headers['cache-control'], 'no-store')
        assert.deepEqual(setCookies, [])
      }
      assert.equal(signedIn.cookies.size, 1)
      assert.equal((await visit(running.url).get('/app/sign-in')).status, 200)
      assert.equal((await visit(running.url).get('/app/account')).headers.location, '/app/sign-in')
      assert.equal((await ask(`${running.url}/v1/states`, { headers: bearer(service().secret) })).status, 200)
      assert.equal((await ask(`${running.opsUrl}/metrics`)).status, 200)
      const logged = lines.join('')
      assert.match(logged, /"path":"\/app\/account","fault":\{/)
      for (const secret of [token, link]) assert.ok(!logged.includes(secret.slice(7)))
    } finally {
      await running.stop()
    }
  })
})
