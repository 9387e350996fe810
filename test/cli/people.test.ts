import assert from 'node:assert/strict'
import { cpSync } from 'node:fs'
import { join } from 'node:path'
import { visit } from '../support/browse.js'
import { newDatabase, onPostgres, type TestDatabase } from '../support/database.js'
import { frames, startServe } from '../support/cli.js'
import { enterMember } from '../support/people.js'
import { mint, newOrganisation, startService } from '../support/service.js'
import { templates } from '../support/templates.js'
import { newFolder } from '../support/temporary.js'

type Member = { personId: string; name: string; email?: string; role: string }
type Event = { action: string; actor: string; personId?: string; keyId?: string; detail: Record<string, unknown> }

describe('frames people and frames events', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let env: Record<string, string>
  let org: string
  before(async () => {
    database = await newDatabase()
    running = await startService(database, { publicUrl: 'listening' })
    const { ownerTarget } = database
    env = typeof ownerTarget === 'string' ? { DATABASE_URL: ownerTarget } : { DATA_DIR: ownerTarget.host }
  })
  after(async () => {
    await running.stop()
    await database.drop()
  })
  beforeEach(async () => {
    org = await newOrganisation(database.db)
  })

  async function json<Value>(...words: string[]): Promise<Value> {
    const { status, out, err } = await frames([...words, '--json'], env)
    assert.equal(status, 0, err)
    return JSON.parse(out) as Value
  }
  async function refused(said: RegExp, ...words: string[]): Promise<void> {
    const { status, err } = await frames(words, env)
    assert.notEqual(status, 0)
    assert.match(err, said)
  }
  const invite = (role: string, email: string) =>
    json<{ link: string }>('people', 'invite', '--org', org, '--role', role, '--email', email)
  const members = () => json<Member[]>('people', 'list', '--org', org)
  const events = () => json<Event[]>('events', '--org', org)
  /** The page that the link leads to has one button, which signs in. */
  async function spend(link: string) {
    const visitor = visit(running.url)
    const token = new URL(link, running.url).searchParams.get('t') ?? ''
    return { visitor, status: (await visitor.post('/app/link', { t: token })).status }
  }

  it('invite by a link that signs one person in, once, with the role', async () => {
    const { link } = await invite('admin', 'ada@example.org')
    assert.match(link, /\/app\/link\?t=svc_in_[0-9A-Za-z]{43}$/)
    const first = await spend(link)
    assert.deepEqual([first.status, (await first.visitor.get('/app/account')).status], [303, 200])
    assert.equal((await spend(link)).status, 410)
    const [member, ...others] = await members()
    assert.deepEqual([member?.email, member?.role, others.length], ['ada@example.org', 'admin', 0])
  })

  it('print the whole address where PUBLIC_URL is known, and say so where it is not', async () => {
    const words = ['people', 'invite', '--org', org, '--role', 'member', '--email', 'x@example.org']
    const { out } = await frames(words, { ...env, PUBLIC_URL: 'https://example.org/geo' })
    assert.match(out, /^https:\/\/example\.org\/geo\/app\/link\?t=svc_in_\w{43}$/m)
    const off = await frames(words, { ...env, PUBLIC_URL: 'off' })
    assert.match(off.out, /^\/app\/link\?t=svc_in_\w{43}$/m)
    assert.match(off.out, /PUBLIC_URL is not set here/)
  })

  it('give a member another link by the e-mail address, and leave the role as it is', async () => {
    const personId = await enterMember(database.db, { orgId: org, role: 'owner', email: 'ada@example.org' })
    const { link } = await invite('member', 'ada@example.org')
    assert.equal((await spend(link)).status, 303)
    assert.deepEqual(
      (await members()).map((member) => [member.personId, member.role]),
      [[personId, 'owner']],
    )
    assert.deepEqual(
      (await events()).map(({ action }) => action),
      ['signed_in', 'link_made', 'joined', 'created'],
    )
  })

  it('invite a person by id: to another organisation, or where two members have one address', async () => {
    const known = { role: 'member', email: 'ada@example.org' } as const
    const personId = await enterMember(database.db, { orgId: await newOrganisation(database.db), ...known })
    const base = ['people', 'invite', '--org', org, '--role', 'admin']
    const { link } = await json<{ link: string }>(...base, '--person', personId)
    assert.equal((await spend(link)).status, 303)
    const twin = await enterMember(database.db, { orgId: org, ...known })
    const two = new RegExp(`2 members have the address .* --person: ${personId}, ${twin}\\.`)
    await refused(two, ...base, '--email', 'ada@example.org')
    const again = await json<{ link: string }>(...base, '--person', twin)
    assert.equal((await spend(again.link)).status, 303)
    assert.deepEqual(
      (await members()).map((member) => [member.personId, member.role]),
      [
        [personId, 'admin'],
        [twin, 'member'],
      ],
    )
  })

  it('change a role and remove a member at once, and keep the last owner', async () => {
    await enterMember(database.db, { orgId: org, role: 'owner', name: 'Ada' })
    const { link } = await invite('admin', 'obi@example.org')
    const { visitor } = await spend(link)
    assert.equal((await visitor.get('/app/members')).status, 403)
    await json('people', 'role', 'obi@example.org', 'owner', '--org', org)
    assert.equal((await visitor.get('/app/members')).status, 200)
    await json('people', 'remove', 'Ada', '--org', org)
    const kept = /The organisation keeps its last owner\. Make another member an owner first\./
    await refused(kept, 'people', 'remove', 'obi@example.org', '--org', org)
    await refused(kept, 'people', 'role', 'obi@example.org', 'admin', '--org', org)
    await enterMember(database.db, { orgId: org, role: 'owner', name: 'Ife' })
    await json('people', 'remove', 'obi@example.org', '--org', org)
    assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
  })

  it('take no other words, and name the nearest member', async () => {
    await enterMember(database.db, { orgId: org, role: 'owner', name: 'Adaeze' })
    const twins = await Promise.all(
      [1, 2].map(() => enterMember(database.db, { orgId: org, role: 'member', name: 'Obi' })),
    )
    await refused(/has no member "Adaeza"\. Did you mean Adaeze\?/, 'people', 'remove', 'Adaeza', '--org', org)
    await refused(/2 members of .* are called "Obi"\. Name one by id\./, 'people', 'remove', 'Obi', '--org', org)
    await json('people', 'remove', twins[0] ?? '', '--org', org)
    const base = ['people', 'invite', '--org', org, '--role']
    await refused(/--role: one of owner, admin, member is accepted, "king" came/, ...base, 'king', '--email', 'a@b')
    await refused(/--email: an e-mail address is accepted, "ada" came/, ...base, 'admin', '--email', 'ada')
    await refused(/Missing: --role/, 'people', 'invite', '--org', org)
    await refused(/--email|--person/, ...base, 'admin')
    await refused(/No person has the id "per_x"/, ...base, 'admin', '--person', 'per_x')
  })

  it('list who did what, the newest first: the command line is an actor, and so is a person of the app', async () => {
    const { keyId } = await mint(database.db, { org })
    await json('keys', 'roll', keyId, '--expires', '30d', '--grace', '1h')
    await json('orgs', 'credit', org, '5')
    const { link } = await invite('owner', 'ada@example.org')
    await spend(link)
    const listed = await events()
    assert.deepEqual(
      listed.map(({ action, actor }) => [action, actor.replace(/^command line.*/, 'command line')]),
      [
        ['signed_in', 'ada@example.org'],
        ['joined', 'ada@example.org'],
        ['invited', 'command line'],
        ['topped_up', 'command line'],
        ['revoked', 'command line'],
        ['rolled', 'command line'],
        ['minted', listed.at(-2)?.actor],
        ['created', listed.at(-1)?.actor],
      ],
    )
    const ofKey = await json<Event[]>('events', '--org', org, '--key', keyId)
    assert.deepEqual(
      ofKey.map(({ action }) => action),
      ['revoked', 'minted'],
    )
    assert.doesNotMatch(JSON.stringify(listed), /svc_in_|svc_sk_|hash/)
    const { out } = await frames(['events', '--org', org, '--limit', '1'], env)
    assert.match(out, /^\d{4}-\d\d-\d\dT[\d:]{8}Z {2}signed_in +per_\w{12} .*ada@example\.org/)
  })
})

// A server on PostgreSQL has its address by PUBLIC_URL.
if (!onPostgres) {
  describe('people invite beside the embedded database', function () {
    this.timeout(120_000)

    it('prints a link of the server that runs, whatever its port, and says where none does', async () => {
      const DATA_DIR = newFolder('served')
      cpSync(join(await templates(), 'datasets'), DATA_DIR, { recursive: true })
      const words = ['people', 'invite', '--org', 'demo', '--role', 'member', '--email', 'x@example.org']
      const served = await startServe({ DATA_DIR })
      try {
        const { out } = await frames(words, { DATA_DIR })
        assert.ok(out.includes(`${served.url}/app/link?t=svc_in_`), out)
        assert.doesNotMatch(out, /No server runs/)
      } finally {
        served.child.kill('SIGTERM')
        await served.ended
      }
      assert.match((await frames(words, { DATA_DIR })).out, /No server runs on this data directory/)
    })
  })
}
