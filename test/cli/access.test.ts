import assert from 'node:assert/strict'
import { PRESETS } from '../../src/core/access/capabilities.js'
import { randomText } from '../../src/core/access/secret.js'
import { framesProcess, settingsFor } from '../support/cli.js'
import { ask, bearer, service } from '../support/service.js'
import { commandsOn } from './command-runs.js'

type Organisation = { orgId: string; name: string; plan: string; credits: number }
type Key = {
  keyId: string
  orgId: string
  name: string
  lastFour: string
  capabilities: string[]
  datasets?: string[]
  expiresAt: string
  revokedAt?: string
  state: string
  secret?: string
}

describe('frames orgs and frames keys', function () {
  this.timeout(120_000)
  const { run, json, refused } = commandsOn(() => service().database)
  const rows = <Row>(text: string, args: unknown[] = []) => service().db.rows<Row>(text, args)
  /** Other suites have organisations in the same database. */
  const ours = randomText(8)
  const org = `Survey-${ours}`

  const minting = `keys mint --org ${org} --name x --expires 30d`
  const mint = (options: string) => json<Key>(`keys mint --org ${org} --name "a holder" --expires 30d ${options}`)
  const keysListed = () => json<Key[]>(`keys list --org ${org}`)
  const orgsListed = async () => (await json<Organisation[]>('orgs list')).filter(({ name }) => name.endsWith(ours))

  it('enters an organisation with credits, and lists it', async () => {
    const made = await json<Organisation>(`orgs create --name ${org} --plan pro --credits 40`)
    assert.match(made.orgId, /^org_\w{12}$/)
    assert.deepEqual({ ...made, orgId: '' }, { orgId: '', name: org, plan: 'pro', credits: 40 })
    await json(`orgs create --name Another-${ours} --plan trial`)
    assert.deepEqual(
      (await orgsListed()).map(({ name, plan, credits }) => [name, plan, credits]),
      [
        [`Another-${ours}`, 'trial', 0],
        [org, 'pro', 40],
      ],
    )
    assert.match((await run('orgs list')).out, new RegExp(`^org_\\w{12} {2}pro +40 credits {2}${org}$`, 'm'))
  })

  it('"people invite" prints a link, and says that no server runs on this data directory', async () => {
    const { out } = await run(`people invite --org ${org} --role member --email x@example.org`)
    assert.match(out, /\/app\/link\?t=svc_in_/)
    assert.match(out, /No server runs on this data directory/)
  })

  it('adds credits, each time an entry of the ledger', async () => {
    const [, { orgId } = { orgId: '' }] = await orgsListed()
    assert.equal((await json<Organisation>(`orgs credit ${org} 2`)).credits, 42)
    assert.equal((await json<Organisation>(`orgs credit ${orgId} 8`)).credits, 50)
    const entries = await rows<{ credits: number; kind: string }>(
      'select credits::int as credits, kind from credit_entry where org_id = $1::text order by entry_id',
      [orgId],
    )
    assert.deepEqual(
      entries.map(({ credits, kind }) => [credits, kind]),
      [40, 2, 8].map((credits) => [credits, 'top_up']),
    )
    for (const change of ['update credit_entry set credits = 1', 'delete from credit_entry', 'truncate credit_entry']) {
      await assert.rejects(service().db.work(change), /added, never changed or removed/)
    }
  })

  it('refuses what cannot be an organisation or its credits, and says what would be accepted', async () => {
    for (const [message, line] of [
      [/An organisation named "Survey-\w+" already exists/, `orgs create --name ${org} --plan pro`],
      [/No organisation has the id or name "Nobody"\. "orgs list"/, 'orgs credit Nobody 5'],
      [new RegExp(`"Survay-${ours}". Did you mean ${org}\\?`), `orgs credit Survay-${ours} 5`],
    ] as const) {
      await refused(message, line)
    }
    assert.equal((await orgsListed()).length, 2)
  })

  it('mints a key: its secret once, its preset as a list of capabilities', async () => {
    for (const [preset, capabilities] of Object.entries(PRESETS)) {
      const { secret, ...key } = await mint(`--preset ${preset}`)
      assert.match(secret ?? '', /^svc_sk_[0-9A-Za-z]{36}$/)
      assert.deepEqual(key.capabilities, capabilities)
      assert.equal(key.state, 'valid')
      assert.ok(!('datasets' in key))
      const days = (Date.parse(key.expiresAt) - Date.now()) / 86_400_000
      assert.ok(days > 29.9 && days <= 30.01, String(days))
      const listed = (await keysListed()).find(({ keyId }) => keyId === key.keyId)
      assert.deepEqual(listed, key, 'the list has all but the secret')
    }
  })

  it('keeps of a secret its SHA-256 and its last four characters', async () => {
    const { secret = '', keyId, lastFour } = await mint('--preset locality')
    const [row] = await rows<{ same: boolean; four: string; all: string }>(
      `select secret_hash = sha256(convert_to($2::text, 'UTF8')) as same, last_four as four, api_key::text as all
      from api_key where key_id = $1::text`,
      [keyId, secret],
    )
    assert.deepEqual([row?.same, row?.four, lastFour], [true, secret.slice(-4), secret.slice(-4)])
    assert.doesNotMatch(row?.all ?? 'svc_sk_', /svc_sk_|locality"/)
  })

  it('finds a preset by any of its names', async () => {
    const names = ['Full read', 'full-read', 'full_read', 'FULL READ', 'fullread', 'Locality', ' ANALYST ']
    for (const name of names) {
      const preset = name
        .trim()
        .toLowerCase()
        .replace(/full.?read/, 'full-read') as keyof typeof PRESETS
      assert.deepEqual((await mint(`--preset "${name}"`)).capabilities, PRESETS[preset], name)
    }
  })

  it('narrows to named datasets, or to none: all and none are never confused', async () => {
    const narrowed = await mint('--preset analyst --datasets lyr_population,lyr_terrain,lyr_population')
    assert.deepEqual(narrowed.datasets, ['lyr_population', 'lyr_terrain'])
    assert.ok(!('datasets' in (await mint('--preset analyst'))))
    const unknown = (id: string, then: string) =>
      new RegExp(`^--datasets: No dataset has the id "${id}"\\. ${then}`, 'm')
    for (const [message, given] of [
      [
        unknown('lyr_populaton', 'Did you mean lyr_population\\? "datasets list" lists them\\.$'),
        'lyr_terrain,lyr_populaton',
      ],
      [unknown('population', 'Did you mean lyr_pop'), 'population'],
      [unknown('quite_another', '"datasets'), 'quite_another'],
    ] as const) {
      await refused(message, `${minting} --preset analyst --datasets ${given}`)
    }
    assert.ok((await keysListed()).every(({ name }) => name !== 'x'))
    await assert.rejects(
      service().db.work(`update api_key set datasets = '{}' where key_id = '${narrowed.keyId}'`),
      /datasets_named_or_all/,
    )
  })

  it('narrows to a dataset that is not licensed yet, and says that the key does not read it now', async () => {
    const asked = `keys mint --org ${org} --name y --expires 30d --preset analyst --datasets lyr_terrain,lyr_market --json`
    const before = await run(asked)
    assert.equal(before.status, 0)
    assert.match(
      before.err,
      /lyr_market is not licensed to "Survey-\w+" now: the key reads it once it is, and not before/,
    )
    assert.doesNotMatch(before.err, /lyr_terrain /)
    assert.deepEqual((JSON.parse(before.out) as Key).datasets, ['lyr_terrain', 'lyr_market'])
    await json(`datasets license lyr_market --to ${org}`)
    assert.equal((await run(asked)).err, '')
  })

  it('mints from a list of capabilities too', async () => {
    assert.deepEqual((await mint('--capabilities "ask.query, frame.read"')).capabilities, ['ask.query', 'frame.read'])
  })

  it('takes an expiry from 7 to 365 days', async () => {
    const base = ['keys', 'mint', '--org', org, '--name', 'x', '--preset', 'analyst']
    for (const days of [7, 365]) {
      const { expiresAt } = await json<Key>([...base, '--expires', `${days}d`])
      assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - days * 86_400_000) < 60_000)
    }
    const nobody = 'keys mint --org Nobody --name x --preset analyst --expires 7d'
    await refused(/No organisation has the id or name "Nobody"/, nobody)
  })

  it('revokes at once and for good; twice leaves the first instant', async () => {
    const { secret = '', keyId } = await mint('--preset locality')
    const status = async () => (await ask(`${service().url}/v1/states`, { headers: bearer(secret) })).status
    assert.equal(await status(), 200)
    const revoked = await json<Key>(`keys revoke ${keyId}`)
    assert.equal(revoked.state, 'revoked')
    assert.equal(await status(), 401)
    assert.deepEqual(await json<Key>(`keys revoke ${keyId}`), revoked)
    await refused(/No key has the id "key_none"/, 'keys revoke key_none')
  })

  it('lists the instant at which a key ends, and that it was rolled', async () => {
    const { keyId } = await mint('--preset locality')
    await json(`keys roll ${keyId} --expires 30d --grace 1h`)
    const other = await mint('--preset locality')
    const { revokedAt = '' } = await json<Key>(`keys revoke ${other.keyId}`)
    const { out } = await run(`keys list --org ${org}`)
    const lineOf = (id: string) => out.split('\n').find((line) => line.startsWith(id)) ?? ''
    const [, end = ''] = / valid +until (\S+ \S+) UTC, rolled {2}/.exec(lineOf(keyId)) ?? []
    const minutes = (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.now()) / 60_000
    assert.ok(minutes > 55 && minutes <= 60, lineOf(keyId))
    assert.ok(lineOf(other.keyId).includes(` revoked  until ${revokedAt.slice(0, 16).replace('T', ' ')} UTC  `))
  })

  it('goes by the clock of the database: a machine whose clock is an hour ahead revokes at once', async () => {
    const skewed = {
      ...settingsFor(service().database.ownerTarget),
      NODE_OPTIONS: '--import=data:text/javascript,const%20n%3DDate.now%3BDate.now%3D()%3D%3En()%2B3600000',
    }
    const { keyId } = await mint('--preset locality')
    const ran = await framesProcess(['keys', 'revoke', keyId, '--json'], skewed)
    assert.equal(ran.status, 0, ran.err)
    const [row] = await rows<{ past: boolean }>(
      'select revoked_at <= clock_timestamp() as past from api_key where key_id = $1::text',
      [keyId],
    )
    assert.equal(row?.past, true)
  })
})
