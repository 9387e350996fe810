import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { watchRoom } from '../../src/core/db/embedded/room.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { visit } from '../support/browse.js'
import { frames, framesProcess, type Ran, type Started, startFrames, startServe } from '../support/cli.js'
import { sampleOf, scrape } from '../support/metrics.js'
import { until } from '../support/until.js'
import { sample } from '../support/sample.js'
import { ask } from '../support/service.js'
import { newFolder } from '../support/temporary.js'

const FUNCTION_TEXT = "select pg_get_functiondef('plain_number'::regproc) as text"

/** The tests run in this order, on one data directory: a start takes seconds. */
describe('serve on the embedded database', function () {
  this.timeout(120_000)
  const folder = newFolder('cli')
  const env = { DATA_DIR: join(folder, 'data') }
  const isBeingMade = () => existsSync(join(env.DATA_DIR, 'postgres.new'))
  let running: Started
  let headers: Record<string, string>

  const states = async () => {
    const { body } = await ask(`${running.url}/v1/states`, { headers })
    return (body as { data: { state: string; frames: number }[] }).data
  }

  /** Kills a command at a step of its work. */
  async function killOnce(command: string, isThere: (printed: string) => boolean): Promise<void> {
    const started = startFrames([command], env)
    await until(async () => isThere(started.stderr()))
    started.child.kill('SIGKILL')
    await started.ended
  }

  before(async function () {
    this.timeout(240_000)
    await killOnce('migrate', isBeingMade)
    const steps = ['loading Buildings', 'giving each frame its ward'].slice(0, sample(1, 2)).toReversed()
    for (const step of steps) await killOnce('serve', (printed) => printed.includes(step))
    running = await startServe(env)
    headers = { authorization: `Bearer ${/export KEY=(\w+)/.exec(running.stderr())?.[1]}` }
  })
  after(() => running.child.kill('SIGKILL'))

  it('makes the database, loads the fixture and answers the curl lines it prints', async () => {
    const lines = [...running.stderr().matchAll(/curl -H "Authorization: Bearer \$KEY" '([^']+)'/g)]
    assert.equal(lines.length, 4)
    for (const [, line = ''] of lines) assert.equal((await ask(line, { headers })).status, 200, line)
    const [, docs = ''] = /^Documentation of the calls: (\S+)$/m.exec(running.stderr()) ?? []
    assert.equal((await ask(docs)).status, 200)
  })

  it('has everything after first starts that were killed meanwhile', async () => {
    const listed = await frames(['datasets', 'list', '--json'], env)
    assert.equal((JSON.parse(listed.out) as object[]).filter((each) => !('distanceTo' in each)).length, 12)
    assert.equal(
      (await states()).reduce((sum, { frames: count }) => sum + count, 0),
      12_411,
    )
    assert.ok(!isBeingMade())
  })

  it('prints a key of each preset, which are those of the organisation "demo"', async () => {
    const printed = [...running.stderr().matchAll(/^ +(locality|analyst|full-read) +svc_sk_\w{32}(\w{4})$/gm)]
    const listed = await frames(['keys', 'list', '--org', 'demo', '--json'], env)
    const keys = JSON.parse(listed.out) as { name: string; lastFour: string; state: string }[]
    assert.deepEqual(
      printed.map(([, preset, lastFour]) => [`demo, ${preset}`, lastFour, 'valid']),
      keys.map(({ name, lastFour, state }) => [name, lastFour, state]),
    )
    assert.equal(keys.length, 3)
  })

  it('prints first a link that signs the owner of "demo" in, once', async () => {
    const [, link = ''] = /^\n?Open (\S+)$/m.exec(running.stderr()) ?? []
    assert.match(running.stderr(), /\n\nOpen http\S+\n[^\n]+\nListening on /)
    assert.ok(link.startsWith(`${running.url}/app/link?t=svc_in_`), link)
    const t = new URL(link).searchParams.get('t') ?? ''
    const visitor = visit(running.url)
    assert.equal((await visitor.post('/app/link', { t })).status, 303)
    assert.equal((await visitor.get('/app/members')).status, 200)
    assert.equal((await visitor.post('/app/link', { t })).status, 410)
  })

  it('lets "people invite" print a link of this server, whatever its port', async () => {
    const { out } = await frames(
      ['people', 'invite', '--org', 'demo', '--role', 'member', '--email', 'x@example.org'],
      env,
    )
    assert.ok(out.includes(`${running.url}/app/link?t=svc_in_`), out)
    assert.doesNotMatch(out, /No server runs/)
  })

  it('lets commands work while it serves', async () => {
    const migrated = await frames(['migrate', '--json'], env)
    assert.deepEqual([migrated.status, migrated.out], [0, '{"migrations":[],"repaired":[],"notes":[]}\n'])
  })

  it('refuses a second process on the same data directory, naming the first', async () => {
    const second = await framesProcess(['serve'], { ...env, PORT: '0' })
    assert.equal(second.status, 1)
    assert.match(second.err, new RegExp(`Process ${running.child.pid} is already running`))
  })

  it('says that a port is taken before it makes a database', async () => {
    const { port } = new URL(running.url)
    const elsewhere = join(folder, 'elsewhere')
    for (const [ports, setting] of [
      [{ PORT: port }, 'PORT'],
      [{ PORT: '0', OPS_PORT: port }, 'OPS_PORT'],
    ] as const) {
      const sentence = `Port ${port} of 127.0.0.1 is taken by another program. Set ${setting} to another, or to 0 for any free one.\n`
      const ran: Ran = await frames(['serve'], { DATA_DIR: elsewhere, ...ports })
      assert.deepEqual(ran, { status: 1, out: '', err: sentence })
      assert.ok(!existsSync(elsewhere))
    }
  })

  it('says what is wrong with a data directory that it cannot write, or whose disk is full', async () => {
    const notAFolder = join(projectFolder.pathname, 'package.json')
    const refused = async (dataDir: string) => {
      const { status, err } = await frames(['serve'], { DATA_DIR: dataDir })
      assert.equal(status, 1)
      return err.split('\n').at(-2) ?? ''
    }
    assert.match(await refused(notAFolder), /^The data directory \S+ cannot be written \(EEXIST\)\. Set DATA_DIR to/)
    // Linux keeps no files there, and says that no room is left.
    assert.match(
      await refused('/proc'),
      /^The disk of the data directory \/proc has 0 MB left, and 160 MB are needed\./,
    )
    let watching: NodeJS.Timeout | undefined
    const full = await new Promise<Error>((done) => (watching = watchRoom('/proc', done)))
    clearInterval(watching)
    assert.match(full.message, /has only 0 MB left, so the database stops\. Nothing is lost/)
  })

  /** Connects as psql does by the line of the start message. */
  async function newGuest(): Promise<pg.Client> {
    const [, host = '', port = ''] = /psql -h '([^']+)' -p (\d+)/.exec(running.stderr()) ?? []
    const guest = new pg.Client({ host, port: Number(port), user: 'postgres', database: 'postgres' })
    guest.on('error', () => {})
    await guest.connect()
    return guest
  }

  async function askAsGuest<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
    const guest = await newGuest()
    const { rows } = await guest.query<Row>(text)
    await guest.end()
    return rows
  }

  it('lets several other programs look in at once', async () => {
    const clients = await Promise.all([1, 2, 3].map(newGuest))
    await Promise.all(
      clients.map(async (client, which) => {
        for (let i = 0; i < 20; i += 1) {
          const { rows } = await client.query<{ n: number }>('select $1::int as n', [which * 100 + i])
          assert.equal(rows[0]?.n, which * 100 + i)
        }
      }),
    )
    await Promise.all(clients.map((client) => client.end()))
  })

  it('is not changed by what a guest sets, leaves open or breaks', async () => {
    const guest = await newGuest()
    await guest.query('set search_path to pg_catalog')
    assert.equal((await states()).length, 4)
    await assert.rejects(guest.query('copy state from stdin'), /cannot COPY FROM STDIN/)
    assert.equal((await states()).length, 4)
    await guest.query('begin')
    await guest.query('delete from state')
    const waiting = states()
    await guest.end()
    assert.equal((await waiting).length, 4)
  })

  it('takes a prepare of the same name from one client after another, and keeps those of a client that stays', async () => {
    const statement = readFileSync(new URL('sql/frames_at.sql', projectFolder), 'utf8')
    const other = await newGuest()
    await other.query('prepare "Stays" as select 1 as n')
    for (const turn of [1, 2, 3]) {
      const client = await newGuest()
      await client.query(`prepare at (float8[], float8[]) as ${statement}`)
      const { rows } = await client.query<{ id: string }>("execute at ('{0.205}', '{0.105}')")
      assert.equal(rows[0]?.id, '324378020')
      // Drivers prepare by the protocol. Here the same name stands for another text.
      const named = await client.query<{ n: number }>({ name: 'S_1', text: `select ${turn} as n` })
      assert.equal(named.rows[0]?.n, turn)
      if (turn === 2) await client.query('begin')
      await client.end()
    }
    const { rows } = await other.query<{ name: string }>(
      "select name from pg_prepared_statements where from_sql or name = 'S_1'",
    )
    assert.deepEqual(rows, [{ name: 'Stays' }])
    await other.end()
    assert.equal((await states()).length, 4)
  })

  it('is whole after kill -9, and starts again within seconds, without a function that a guest broke', async () => {
    const before = await states()
    const [sound] = await askAsGuest<{ text: string }>(FUNCTION_TEXT)
    await askAsGuest((sound?.text ?? '').replace(/RETURN CASE[^]*/, 'RETURN null::numeric'))
    assert.notDeepEqual(await askAsGuest(FUNCTION_TEXT), [sound])
    running.child.kill('SIGKILL')
    await running.ended
    running = await startServe(env)
    assert.deepEqual(await states(), before)
    assert.doesNotMatch(running.stderr(), /migrated|reading the outline|svc_sk_\w/)
    assert.deepEqual(await askAsGuest(FUNCTION_TEXT), [sound])
  })

  /** A call that cannot be answered while the guest is in the database. */
  async function heldUp(): Promise<{ guest: pg.Client; answer: Promise<number> }> {
    const guest = await newGuest()
    await guest.query('begin')
    const answer = ask(`${running.url}/v1/states`, { headers }).then(
      ({ status }) => status,
      () => 0,
    )
    await until(async () => sampleOf(await scrape(running.opsUrl), 'frames_http_requests_in_flight') === 1)
    return { guest, answer }
  }

  it('answers what was open when it was told to stop, and is not ready meanwhile', async () => {
    const { guest, answer } = await heldUp()
    assert.equal((await ask(`${running.opsUrl}/livez`)).status, 200)
    running.child.kill('SIGTERM')
    await until(async () => (await ask(`${running.opsUrl}/readyz`)).text.includes('is stopping'))
    // The listener is closed when the drain is over, while the call is still open.
    await until(() =>
      ask(running.url).then(
        () => false,
        () => true,
      ),
    )
    assert.equal((await ask(`${running.opsUrl}/livez`)).status, 200)
    await guest.query('commit')
    assert.equal(await answer, 200)
    assert.equal((await running.ended).status, 0)
    await guest.end()
    running = await startServe(env)
    // Nothing has changed since the start before: there is nothing to migrate.
    assert.doesNotMatch(running.stderr(), /putting totals, views and grants in place/)
  })

  if (sample(0, 1)) {
    it('ends at the second signal without waiting for open calls, and says so', async () => {
      const { guest, answer } = await heldUp()
      running.child.kill('SIGTERM')
      await until(async () => running.stderr().includes('stopping'))
      running.child.kill('SIGINT')
      assert.equal(await answer, 0)
      const { status, err } = await running.ended
      assert.equal(status, 130)
      assert.match(err, /ended by a second SIGINT: 1 open requests were cut/)
      await guest.end()
    })
  }
})
