import assert from 'node:assert/strict'
import { visit } from '../support/browse.js'
import { frames, settingsFor } from '../support/cli.js'
import { enterMember } from '../support/people.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { commandsOn } from './command-runs.js'

type Member = { personId: string; name: string; email?: string; role: string }
type Event = { action: string; actor: string; personId?: string; keyId?: string; detail: Record<string, unknown> }

describe('frames people and frames events', function () {
  this.timeout(120_000)
  const { run, json, refused } = commandsOn(() => service().database)
  let org: string
  const enter = (role: 'owner' | 'admin' | 'member', known: { name?: string; email?: string }, orgId = org) =>
    enterMember(service().db, { orgId, role, ...known })
  beforeEach(async () => {
    org = await newOrganisation(service().db)
  })

  const invite = (role: string, email: string) =>
    json<{ link: string }>(`people invite --org ${org} --role ${role} --email ${email}`)
  const members = () => json<Member[]>(`people list --org ${org}`)
  const roles = async () => (await members()).map(({ personId, role }) => [personId, role])
  const events = () => json<Event[]>(`events --org ${org}`)
  /** The page that the link leads to has one button, which signs in. */
  async function spend(link: string) {
    const visitor = visit(service().url)
    const t = new URL(link, service().url).searchParams.get('t') ?? ''
    return { visitor, status: (await visitor.post('/app/link', { t })).status }
  }

  it('invite by a link that signs one person in, once, with the role', async () => {
    const { link } = await invite('admin', 'ada@example.org')
    assert.match(link, /\/app\/link\?t=svc_in_[0-9A-Za-z]{43}$/)
    const first = await spend(link)
    assert.deepEqual([first.status, (await first.visitor.get('/app/account')).status], [303, 200])
    assert.equal((await spend(link)).status, 410)
    assert.deepEqual(
      (await members()).map(({ email, role }) => [email, role]),
      [['ada@example.org', 'admin']],
    )
  })

  it('print the whole address where PUBLIC_URL is known, and say so where it is not', async () => {
    const words = ['people', 'invite', '--org', org, '--role', 'member', '--email', 'x@example.org']
    const at = (url: string) => frames(words, { ...settingsFor(service().database.ownerTarget), PUBLIC_URL: url })
    const { out } = await at('https://example.org/geo')
    assert.match(out, /^https:\/\/example\.org\/geo\/app\/link\?t=svc_in_\w{43}$/m)
    const off = await at('off')
    assert.match(off.out, /^\/app\/link\?t=svc_in_\w{43}$/m)
    assert.match(off.out, /PUBLIC_URL is not set here/)
  })

  it('give a member another link by the e-mail address, and leave the role as it is', async () => {
    const personId = await enter('owner', { email: 'ada@example.org' })
    const { link } = await invite('member', 'ada@example.org')
    assert.equal((await spend(link)).status, 303)
    assert.deepEqual(await roles(), [[personId, 'owner']])
    assert.deepEqual(
      (await events()).map(({ action }) => action),
      ['signed_in', 'link_made', 'joined', 'created'],
    )
  })

  it('invite a person by id: to another organisation, or where two members have one address', async () => {
    const known = { email: 'ada@example.org' }
    const personId = await enter('member', known, await newOrganisation(service().db))
    const base = `people invite --org ${org} --role admin`
    const byId = async (id: string) => spend((await json<{ link: string }>(`${base} --person ${id}`)).link)
    assert.equal((await byId(personId)).status, 303)
    const twin = await enter('member', known)
    const two = new RegExp(`2 members have the address .* --person: ${personId}, ${twin}\\.`)
    await refused(two, `${base} --email ada@example.org`)
    assert.equal((await byId(twin)).status, 303)
    assert.deepEqual(await roles(), [
      [personId, 'admin'],
      [twin, 'member'],
    ])
  })

  it('change a role and remove a member at once, and keep the last owner', async () => {
    await enter('owner', { name: 'Ada' })
    const { link } = await invite('admin', 'obi@example.org')
    const { visitor } = await spend(link)
    assert.equal((await visitor.get('/app/members')).status, 403)
    await json(`people role obi@example.org owner --org ${org}`)
    assert.equal((await visitor.get('/app/members')).status, 200)
    await json(`people remove Ada --org ${org}`)
    const kept = /The organisation keeps its last owner\. Make another member an owner first\./
    await refused(kept, `people remove obi@example.org --org ${org}`)
    await refused(kept, `people role obi@example.org admin --org ${org}`)
    await enter('owner', { name: 'Ife' })
    await json(`people remove obi@example.org --org ${org}`)
    assert.equal((await visitor.get('/app/account')).headers.location, '/app/sign-in')
  })

  it('take no other words, and name the nearest member', async () => {
    await enter('owner', { name: 'Adaeze' })
    const twins = await Promise.all([1, 2].map(() => enter('member', { name: 'Obi' })))
    for (const [said, line] of [
      [/has no member "Adaeza"\. Did you mean Adaeze\?/, `remove Adaeza --org ${org}`],
      [/2 members of .* are called "Obi"\. Name one by id\./, `remove Obi --org ${org}`],
      [/No person has the id "per_x"/, `invite --org ${org} --role admin --person per_x`],
    ] as const) {
      await refused(said, `people ${line}`)
    }
    await json(`people remove ${twins[0]} --org ${org}`)
  })

  it('list who did what, the newest first: the command line is an actor, and so is a person of the app', async () => {
    const { keyId } = await mint(service().db, { org })
    await json(`keys roll ${keyId} --expires 30d --grace 1h`)
    await json(`orgs credit ${org} 5`)
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
    const ofKey = await json<Event[]>(`events --org ${org} --key ${keyId}`)
    assert.deepEqual(
      ofKey.map(({ action }) => action),
      ['revoked', 'minted'],
    )
    assert.doesNotMatch(JSON.stringify(listed), /svc_in_|svc_sk_|hash/)
    const { out } = await run(`events --org ${org} --limit 1`)
    assert.match(out, /^\d{4}-\d\d-\d\dT[\d:]{8}Z {2}signed_in +per_\w{12} .*ada@example\.org/)
  })
})
