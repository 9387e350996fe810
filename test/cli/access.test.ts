import assert from 'node:assert/strict'
import { CAPABILITIES, PRESETS } from '../../src/access/capabilities.js'
import { temporaryFolder } from '../load/files.js'
import { frames, framesProcess } from '../support/cli.js'
import { ask, bearer, startService } from '../support/service.js'
import { commandRuns } from './command-runs.js'

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
  const runs = commandRuns()
  const { json, refused } = runs
  const folder = temporaryFolder()
  const rows = folder.write('rows.csv', 'frame,depth\n324378020,12\n')
  after(() => folder.remove())

  const mint = (...words: string[]) =>
    json<Key>('keys', 'mint', '--org', 'Survey', '--name', 'a holder', '--expires', '30d', ...words)

  it('enters an organisation with credits, and lists it', async () => {
    const made = await json<Organisation>('orgs', 'create', '--name', 'Survey', '--plan', 'pro', '--credits', '40')
    assert.match(made.orgId, /^org_\w{12}$/)
    assert.deepEqual({ ...made, orgId: '' }, { orgId: '', name: 'Survey', plan: 'pro', credits: 40 })
    await json('orgs', 'create', '--name', 'Another', '--plan', 'trial')
    const all = await json<Organisation[]>('orgs', 'list')
    assert.deepEqual(
      all.map(({ name, plan, credits }) => [name, plan, credits]),
      [
        ['Another', 'trial', 0],
        ['Survey', 'pro', 40],
      ],
    )
    const shown = await framesProcess(['orgs', 'list'], runs.env)
    assert.match(shown.out, /^org_\w{12} {2}pro +40 credits {2}Survey$/m)
  })

  it('adds credits, each time an entry of the ledger', async () => {
    const [organisation] = (await json<Organisation[]>('orgs', 'list')).filter(({ name }) => name === 'Survey')
    assert.equal((await json<Organisation>('orgs', 'credit', 'Survey', '2')).credits, 42)
    assert.equal((await json<Organisation>('orgs', 'credit', organisation?.orgId ?? '', '8')).credits, 50)
    const entries = await runs.database.db.rows<{ credits: number; kind: string }>(
      'select credits::int as credits, kind from credit_entry where org_id = $1::text order by entry_id',
      [organisation?.orgId],
    )
    assert.deepEqual(
      entries.map(({ credits, kind }) => [credits, kind]),
      [40, 2, 8].map((credits) => [credits, 'top_up']),
    )
    for (const change of ['update credit_entry set credits = 1', 'delete from credit_entry', 'truncate credit_entry']) {
      await assert.rejects(runs.database.db.work(change), /added, never changed or removed/)
    }
  })

  it('refuses what cannot be an organisation or its credits, and says what would be accepted', async () => {
    await refused(
      1,
      /An organisation named "Survey" is there already/,
      ...words('orgs create --name Survey --plan pro'),
    )
    await refused(
      2,
      /--plan: one of trial, pro, scale is accepted, "gold" came/,
      ...words('orgs create --name X --plan gold'),
    )
    const name = /--name: text of 1 to 200 characters, none of them a control character or invisible, is accepted, "/
    await refused(2, name, 'orgs', 'create', '--name', '  ', '--plan', 'pro')
    await refused(2, name, 'orgs', 'create', '--name', 'x'.repeat(201), '--plan', 'pro')
    await refused(2, /Missing: --name/, ...words('orgs create --plan pro'))
    await refused(2, /One of create, credit, list is needed after the command; "drop" came/, ...words('orgs drop'))
    for (const odd of ['0', '1.5', '1e3', '-5', '+5', ' 12 ', '9007199254740992', '99999999999999999999']) {
      const said = `CREDITS: a whole number from 1 to 9,007,199,254,740,991, in digits alone, is accepted, "${odd}" came`
      await refused(2, new RegExp(said.replaceAll('+', '\\+')), 'orgs', 'credit', 'Survey', odd)
    }
    await refused(
      2,
      /--credits: a whole number from 0 to 9,007,199,254,740,991, in digits alone, is accepted, "ten" came/,
      ...words('orgs create --name X --plan pro --credits ten'),
    )
    await refused(2, /CREDITS is needed: a whole number/, ...words('orgs credit Survey'))
    await refused(1, /No organisation has the id or name "Nobody"\. "orgs list"/, ...words('orgs credit Nobody 5'))
    await refused(1, /"Survay". Did you mean Survey\?/, ...words('orgs credit Survay 5'))
    assert.equal((await json<Organisation[]>('orgs', 'list')).length, 2)
  })

  it('mints a key: its secret once, its preset as a list of capabilities', async () => {
    for (const [preset, capabilities] of Object.entries(PRESETS)) {
      const { secret, ...key } = await mint('--preset', preset)
      assert.match(secret ?? '', /^svc_sk_[0-9A-Za-z]{36}$/)
      assert.deepEqual(key.capabilities, capabilities)
      assert.equal(key.state, 'valid')
      assert.ok(!('datasets' in key))
      const days = (Date.parse(key.expiresAt) - Date.now()) / 86_400_000
      assert.ok(days > 29.9 && days <= 30.01, String(days))
      const listed = (await json<Key[]>('keys', 'list', '--org', 'Survey')).find(({ keyId }) => keyId === key.keyId)
      assert.deepEqual(listed, key, 'the list has all but the secret')
    }
    const stored = await runs.database.db.rows<{ all: string }>('select api_key::text as all from api_key', [])
    for (const row of stored) assert.doesNotMatch(row.all, /svc_sk_|locality"|full-read/)
  })

  it('keeps of a secret its SHA-256 and its last four characters', async () => {
    const { secret = '', keyId, lastFour } = await mint('--preset', 'locality')
    const [row] = await runs.database.db.rows<{ same: boolean; four: string }>(
      `select secret_hash = sha256(convert_to($2::text, 'UTF8')) as same, last_four as four from api_key where key_id = $1::text`,
      [keyId, secret],
    )
    assert.deepEqual(row, { same: true, four: secret.slice(-4) })
    assert.equal(lastFour, secret.slice(-4))
  })

  it('finds a preset by any of its names', async () => {
    const names = ['Full read', 'full-read', 'full_read', 'FULL READ', 'fullread', 'Locality', ' ANALYST ']
    for (const name of names) {
      const { capabilities } = await mint('--preset', name)
      const preset = name
        .trim()
        .toLowerCase()
        .replace(/full.?read/, 'full-read') as keyof typeof PRESETS
      assert.deepEqual(capabilities, PRESETS[preset], name)
    }
  })

  it('narrows to named datasets, or to none: all and none are never confused', async () => {
    await json('orgs', 'create', '--name', 'Owner', '--plan', 'trial')
    for (const layer of ['lyr_a', 'lyr_b', 'lyr_population']) {
      const about = ['--name', layer, '--category', 'x', '--org', layer === 'lyr_b' ? 'Owner' : 'Survey']
      await json('import', 'baseline', rows, '--id', layer, ...about)
    }
    const narrowed = await mint('--preset', 'analyst', '--datasets', 'lyr_population,lyr_a,lyr_population')
    assert.deepEqual(narrowed.datasets, ['lyr_population', 'lyr_a'])
    const all = await mint('--preset', 'analyst')
    assert.ok(!('datasets' in all))
    const base = words('keys mint --org Survey --name x --expires 30d --preset analyst')
    for (const none of ['', ' , ']) {
      await refused(
        2,
        /--datasets: a list of ids of datasets, at least one, .* is accepted/,
        ...base,
        '--datasets',
        none,
      )
    }
    await refused(
      1,
      /^--datasets: No dataset has the id "lyr_populaton". Did you mean lyr_population\? "datasets list" lists them\.$/m,
      ...base,
      '--datasets',
      'lyr_a,lyr_populaton',
    )
    await refused(
      1,
      /^--datasets: No dataset has the id "population". Did you mean lyr_pop/,
      ...base,
      '--datasets',
      'population',
    )
    await refused(
      1,
      /^--datasets: No dataset has the id "quite_another"\. "datasets/,
      ...base,
      '--datasets',
      'quite_another',
    )
    assert.equal((await json<Key[]>('keys', 'list', '--org', 'Survey')).filter(({ name }) => name === 'x').length, 0)
    await assert.rejects(
      runs.database.db.work(`update api_key set datasets = '{}' where key_id = '${narrowed.keyId}'`),
      /datasets_named_or_all/,
    )
  })

  it('narrows to a dataset that is not licensed yet, and says that the key does not read it now', async () => {
    const note = /lyr_b is not licensed to "Survey" now: the key reads it once it is, and not before/
    const asked = [...words('keys mint --org Survey --name y --expires 30d --preset analyst'), '--datasets']
    const before = await frames([...asked, 'lyr_a,lyr_b', '--json'], runs.env)
    assert.equal(before.status, 0)
    assert.match(before.err, note)
    assert.doesNotMatch(before.err, /lyr_a /)
    assert.deepEqual((JSON.parse(before.out) as Key).datasets, ['lyr_a', 'lyr_b'])
    await json('datasets', 'license', 'lyr_b', '--to', 'Survey')
    assert.equal((await frames([...asked, 'lyr_a,lyr_b', '--json'], runs.env)).err, '')
  })

  it('mints from a list of capabilities too', async () => {
    assert.deepEqual((await mint('--capabilities', 'ask.query, frame.read')).capabilities, ['ask.query', 'frame.read'])
    const base = words('keys mint --org Survey --name x --expires 30d')
    await refused(2, /"frame.write" came/, ...base, '--capabilities', 'frame.read,frame.write')
    await refused(2, new RegExp(`at least one of ${CAPABILITIES.join(', ')}, `), ...base, '--capabilities', 'x')
    await refused(2, /"frame.reed" came. Did you mean frame.read\?/, ...base, '--capabilities', 'ask.query,frame.reed')
    await refused(2, /One of --preset and --capabilities is needed/, ...base)
    await refused(
      2,
      /one of them is accepted, not both/,
      ...base,
      '--preset',
      'analyst',
      '--capabilities',
      'frame.read',
    )
    await refused(
      2,
      /--preset: one of locality, analyst, full-read is accepted, "all" came/,
      ...base,
      '--preset',
      'all',
    )
  })

  it('takes an expiry from 7 to 365 days, and no other', async () => {
    const base = words('keys mint --org Survey --name x --preset analyst')
    for (const days of [7, 365]) {
      const { expiresAt } = await json<Key>(...base, '--expires', `${days}d`)
      assert.ok(Math.abs(Date.parse(expiresAt) - Date.now() - days * 86_400_000) < 60_000)
    }
    for (const odd of ['6d', '366d', '0d', 'never', '30', '1y', '-7d', '7.5d', '1e1d', ' 7d', '']) {
      const said = new RegExp(`--expires: .* from 7d to 365d, such as 30d, is accepted, "${odd}" came`)
      await refused(2, said, ...base, `--expires=${odd}`)
      await refused(2, said, ...base, '--expires', odd)
    }
    await refused(2, /Missing: --expires/, ...base)
    await refused(2, /--name: text/, ...words('keys mint --org Survey --preset analyst --expires 7d --name'), ' ')
    await refused(
      1,
      /No organisation has the id or name "Nobody"/,
      ...words('keys mint --org Nobody --name x --preset analyst --expires 7d'),
    )
  })

  it('revokes at once and for good; twice leaves the first instant', async () => {
    const service = await startService(runs.database)
    try {
      const { secret = '', keyId } = await mint('--preset', 'locality')
      const status = async () => (await ask(`${service.url}/v1/states`, { headers: bearer(secret) })).status
      assert.equal(await status(), 200)
      const revoked = await json<Key>('keys', 'revoke', keyId)
      assert.equal(revoked.state, 'revoked')
      assert.equal(await status(), 401)
      assert.deepEqual(await json<Key>('keys', 'revoke', keyId), revoked)
      await refused(1, /No key has the id "key_none"/, 'keys', 'revoke', 'key_none')
    } finally {
      await service.stop()
    }
  })

  it('lists the instant at which a key ends, and that it was rolled', async () => {
    const { keyId } = await mint('--preset', 'locality')
    await json('keys', 'roll', keyId, '--expires', '30d', '--grace', '1h')
    const other = await mint('--preset', 'locality')
    const { revokedAt = '' } = await json<Key>('keys', 'revoke', other.keyId)
    const { out } = await frames(['keys', 'list', '--org', 'Survey'], runs.env)
    const lineOf = (id: string) => out.split('\n').find((line) => line.startsWith(id)) ?? ''
    const [, end = ''] = / valid +until (\S+ \S+) UTC, rolled {2}/.exec(lineOf(keyId)) ?? []
    const minutes = (Date.parse(`${end.replace(' ', 'T')}Z`) - Date.now()) / 60_000
    assert.ok(minutes > 55 && minutes <= 60, lineOf(keyId))
    assert.ok(lineOf(other.keyId).includes(` revoked  until ${revokedAt.slice(0, 16).replace('T', ' ')} UTC  `))
  })

  it('goes by the clock of the database: a machine whose clock is an hour ahead revokes at once', async () => {
    const skewed = {
      ...runs.env,
      NODE_OPTIONS: '--import=data:text/javascript,const%20n%3DDate.now%3BDate.now%3D()%3D%3En()%2B3600000',
    }
    const { keyId } = await mint('--preset', 'locality')
    const ran = await framesProcess(['keys', 'revoke', keyId, '--json'], skewed)
    assert.equal(ran.status, 0, ran.err)
    const [row] = await runs.database.db.rows<{ past: boolean }>(
      'select revoked_at <= clock_timestamp() as past from api_key where key_id = $1::text',
      [keyId],
    )
    assert.equal(row?.past, true)
  })
})

const words = (text: string) => text.trim().split(' ')
