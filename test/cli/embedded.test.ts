import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { projectFolder } from '../../src/db/statement.js'
import { frames, framesProcess, type Ran, type Started, startFrames, startServe } from '../support/cli.js'
import { visit } from '../support/browse.js'
import { ask } from '../support/service.js'
import { onPostgres } from '../support/database.js'
import { sampleOf, scrape, until } from '../support/metrics.js'

const FUNCTION_TEXT = "select pg_get_functiondef('plain_number'::regproc) as text"

type States = { data: { state: string; frames: number }[] }
let headers: Record<string, string>
const states = async (url: string) => ((await ask(`${url}/v1/states`, { headers })).body as States).data

if (!onPostgres) {
  describe('serve on the embedded database', function () {
    this.timeout(120_000)
    let folder: string
    let env: Record<string, string>
    let firstMigrate: Ran
    let first: Started

    /** Kills a command at a step of its work. */
    async function killOnce(words: string[], isThere: (printed: string) => boolean): Promise<void> {
      const started = startFrames(words, { PORT: '0', OPS_PORT: '0', ...env })
      await until(async () => isThere(started.stderr()))
      started.child.kill('SIGKILL')
      await started.ended
    }

    before(async function () {
      this.timeout(240_000)
      folder = mkdtempSync(join(tmpdir(), 'frames-cli-'))
      env = { DATA_DIR: join(folder, 'data') }
      await killOnce(['migrate'], () => existsSync(join(folder, 'data', 'postgres.new')))
      firstMigrate = await framesProcess(['migrate'], env)
      await killOnce(['serve'], (printed) => printed.includes('giving each frame its ward'))
      await killOnce(['serve'], (printed) => printed.includes('loading Buildings'))
      first = await startServe(env)
      headers = { authorization: `Bearer ${/export KEY=(\w+)/.exec(first.stderr())?.[1]}` }
    })
    after(() => {
      first.child.kill('SIGKILL')
      rmSync(folder, { recursive: true, force: true })
    })

    it('makes the database, loads the fixture and answers the curl lines it prints', async () => {
      const lines = [...first.stderr().matchAll(/curl -H "Authorization: Bearer \$KEY" '([^']+)'/g)].map(
        (line) => line[1] ?? '',
      )
      assert.equal(lines.length, 4)
      const [, docs = ''] = /^Documentation of the calls: (\S+)$/m.exec(first.stderr()) ?? []
      assert.equal((await ask(docs)).status, 200)
      for (const line of lines) assert.equal((await ask(line, { headers })).status, 200, line)
      assert.equal((await states(first.url)).length, 4)
    })

    it('has everything after first starts that were killed meanwhile', async () => {
      const listed = await framesProcess(['datasets', 'list', '--json'], env)
      assert.equal((JSON.parse(listed.out) as unknown[]).length, 12)
      assert.equal(
        (await states(first.url)).reduce((sum, { frames: count }) => sum + count, 0),
        12_411,
      )
      assert.ok(!existsSync(join(folder, 'data', 'postgres.new')))
    })

    it('names the migrations that "migrate" applied when it made the database', () => {
      assert.equal(firstMigrate.status, 0)
      assert.match(firstMigrate.err, /^ +[\d.]+ s {2}applying 001_frame_index\n(.* s {2}.*\n)+$/)
      assert.match(firstMigrate.out, /^Done: \d+\w+.*\.\n$/)
    })

    it('prints a key of each preset, which are those of the organisation "demo"', async () => {
      const printed = [...first.stderr().matchAll(/^ +(locality|analyst|full-read) +svc_sk_\w{32}(\w{4})$/gm)]
      const listed = await framesProcess(['keys', 'list', '--org', 'demo', '--json'], env)
      const keys = JSON.parse(listed.out) as { name: string; lastFour: string; state: string }[]
      assert.deepEqual(
        printed.map(([, preset, lastFour]) => [`demo, ${preset}`, lastFour, 'valid']),
        keys.map(({ name, lastFour, state }) => [name, lastFour, state]),
      )
      assert.equal(keys.length, 3)
    })

    it('prints first a link that signs the owner of "demo" in, once', async () => {
      const [, link = ''] = /^\n?Open (\S+)$/m.exec(first.stderr()) ?? []
      assert.match(first.stderr(), /\n\nOpen http\S+\n[^\n]+\nListening on /)
      assert.ok(link.startsWith(`${first.url}/app/link?t=svc_in_`), link)
      const token = new URL(link).searchParams.get('t') ?? ''
      const visitor = visit(first.url)
      assert.equal((await visitor.post('/app/link', { t: token })).status, 303)
      assert.equal((await visitor.get('/app/members')).status, 200)
      assert.equal((await visitor.post('/app/link', { t: token })).status, 410)
    })

    /** Connects as psql does by the line of the start message. */
    async function newGuest(): Promise<pg.Client> {
      const [, host = '', port = ''] = /psql -h '([^']+)' -p (\d+)/.exec(first.stderr()) ?? []
      const guest = new pg.Client({ host, port: Number(port), user: 'postgres', database: 'postgres' })
      guest.on('error', () => {})
      await guest.connect()
      return guest
    }

    it('lets other programs look in while it serves, as the start message says', async () => {
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

    async function askAsGuest<Row extends pg.QueryResultRow>(text: string): Promise<Row[]> {
      const guest = await newGuest()
      const { rows } = await guest.query<Row>(text)
      await guest.end()
      return rows
    }

    it('is not changed by what a guest sets, leaves open or breaks', async () => {
      const guest = await newGuest()
      await guest.query('set search_path to pg_catalog')
      assert.equal((await states(first.url)).length, 4)
      await assert.rejects(guest.query('copy state from stdin'), /cannot COPY FROM STDIN/)
      assert.equal((await states(first.url)).length, 4)
      await guest.query('begin')
      await guest.query('delete from state')
      const waiting = states(first.url)
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
      assert.deepEqual(
        rows.map(({ name }) => name),
        ['Stays'],
      )
      await other.end()
      assert.equal((await states(first.url)).length, 4)
    })

    it('refuses a second process on the same data directory, naming the first', async () => {
      const second = await framesProcess(['serve'], { ...env, PORT: '0' })
      assert.equal(second.status, 1)
      assert.match(second.err, new RegExp(`Process ${first.child.pid} is already running`))
    })

    it('lets commands work while it serves', async () => {
      const migrated = await framesProcess(['migrate', '--json'], env)
      assert.deepEqual({ status: migrated.status, out: migrated.out }, { status: 0, out: '{"migrations":[]}\n' })
      const bad = join(folder, 'bad.geojson')
      writeFileSync(bad, '{"type":"FeatureCollection","features":[{"type":"Feature"')
      const refused = await framesProcess(['import', 'frames', bad], env)
      assert.equal(refused.status, 1)
      assert.match(refused.err, /the file ends inside/)
      assert.equal((await states(first.url)).length, 4)
    })

    it('is whole after kill -9, and starts again within seconds, without a function that a guest broke', async () => {
      const before = await states(first.url)
      const [sound] = await askAsGuest<{ text: string }>(FUNCTION_TEXT)
      await askAsGuest((sound?.text ?? '').replace(/RETURN CASE[^]*/, 'RETURN null::numeric'))
      assert.notDeepEqual(await askAsGuest(FUNCTION_TEXT), [sound])
      const ended = first.ended
      first.child.kill('SIGKILL')
      await ended
      first = await startServe(env)
      assert.deepEqual(await states(first.url), before)
      assert.doesNotMatch(first.stderr(), /migrated|reading the outline|svc_sk_\w/)
      assert.deepEqual(await askAsGuest(FUNCTION_TEXT), [sound])
    })

    /** A call that cannot be answered while the guest is in the database. */
    async function heldUp(): Promise<{ guest: pg.Client; answer: Promise<number> }> {
      const guest = await newGuest()
      await guest.query('begin')
      const answer = ask(`${first.url}/v1/states`, { headers }).then(
        ({ status }) => status,
        () => 0,
      )
      await until(async () => sampleOf(await scrape(first.opsUrl), 'frames_http_requests_in_flight') === 1)
      return { guest, answer }
    }

    it('answers what was open when it was told to stop, and is not ready meanwhile', async () => {
      const { guest, answer } = await heldUp()
      assert.equal((await ask(`${first.opsUrl}/livez`)).status, 200)
      first.child.kill('SIGTERM')
      await until(async () => (await ask(`${first.opsUrl}/readyz`)).text.includes('is stopping'))
      // The listener is closed when the drain is over, while the call is still open.
      await until(() =>
        ask(first.url).then(
          () => false,
          () => true,
        ),
      )
      assert.equal((await ask(`${first.opsUrl}/livez`)).status, 200)
      await guest.query('commit')
      assert.equal(await answer, 200)
      assert.equal((await first.ended).status, 0)
      await guest.end()
      first = await startServe(env)
      // Nothing has changed since the start before: there is nothing to migrate.
      assert.doesNotMatch(first.stderr(), /putting totals, views and grants in place/)
    })

    it('ends at the second signal without waiting for open calls, and says so', async () => {
      const { guest, answer } = await heldUp()
      first.child.kill('SIGTERM')
      await until(async () => first.stderr().includes('stopping'))
      const from = performance.now()
      first.child.kill('SIGINT')
      assert.equal(await answer, 0)
      const { status, err } = await first.ended
      const took = performance.now() - from
      assert.ok(took < WAITS_MS / 2, `${took} ms`)
      assert.equal(status, 130)
      assert.match(err, /ended by a second SIGINT: 1 open requests were cut/)
      await guest.end()
      first = await startServe(env)
      assert.equal((await states(first.url)).length, 4)
    })

    it('says that a port is taken before it makes a database', async () => {
      const port = new URL(first.url).port
      const elsewhere = join(folder, 'elsewhere')
      for (const [ports, setting] of [
        [{ PORT: port }, 'PORT'],
        [{ PORT: '0', OPS_PORT: port }, 'OPS_PORT'],
      ] as const) {
        const ran = await framesProcess(['serve'], { DATA_DIR: elsewhere, ...ports })
        assert.deepEqual(
          [ran.status, ran.err],
          [
            1,
            `Port ${port} of 127.0.0.1 is taken by another program. Set ${setting} to another, or to 0 for any free one.\n`,
          ],
        )
        assert.ok(!existsSync(elsewhere))
      }
    })
  })
}

/** How long a process that is told to stop waits for open calls. */
const WAITS_MS = 10_000

describe('the command line', () => {
  it('names every setting that is wrong at once', async () => {
    const ran = await framesProcess(['serve'], { PORT: 'http', DATABASE_URL: 'mysql://x', LOG_LEVEL: 'loud' })
    assert.equal(ran.status, 1)
    assert.match(ran.err, /PORT is "http".*LOG_LEVEL|DATABASE_URL.*LOG_LEVEL.*PORT/)
    assert.match(ran.err, /DATABASE_URL must begin with/)
  })

  it('says that the two ports of serve are the same, before it makes a database', async () => {
    const ran = await frames(['serve'], { PORT: '4000', OPS_PORT: '4000', DATA_DIR: '/nonexistent' })
    assert.equal(ran.status, 1)
    assert.match(ran.err, /^PORT and OPS_PORT are both 4000; two different ports are needed, or 0 for any free one\.$/m)
  })

  it('tells the limits of a setting that is out of them', async () => {
    const ran = await frames(['migrate'], { BUCKET_KEY: '1000000/60', PORT: '70000', DRAIN_SECONDS: '100' })
    assert.equal(ran.status, 1)
    assert.match(ran.err, /BUCKET_KEY is "1000000\/60"; .* each from 1 to 999999/)
    assert.match(ran.err, /PORT is "70000"; a port from 0 to 65535/)
    assert.match(ran.err, /DRAIN_SECONDS is "100"; whole seconds from 0 to 99/)
  })
})
