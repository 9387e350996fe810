import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import postgres from 'postgres'
import { hashSecret } from '../../src/core/access/secret.js'
import { connect, type Database } from '../../src/core/db/connect.js'
import { visit, type Visitor } from '../support/browse.js'
import { startServe, type Started } from '../support/cli.js'
import { makeRoles } from '../support/database.js'
import { freePort, program, startOnCopy, type PostgresServer } from '../support/postgres-server.js'
import { startRedis, type RedisServer } from '../support/redis-server.js'
import { sample } from '../support/sample.js'
import { ask, bearer } from '../support/service.js'
import { templateName, templates } from '../support/templates.js'
import { newFolder } from '../support/temporary.js'
import { actions, pathOf } from './actions.js'
import { organisation } from './organisation.js'
import { keyFields } from './pages.js'
import { tokenIn } from './visitors.js'

const KEY = /svc_sk_[0-9A-Za-z]{36}/

/** Returns the random part of a secret as a text, in hexadecimal as columns of bytes show it, and in Base64. */
const formsOf = (secret: string): string[] => {
  const random = secret.replace(/^svc_.._/, '')
  const bytes = Buffer.from(random)
  // The same text has three forms in Base64: the number of bytes before it decides which.
  const base64 = ['', 'x', 'xx'].map((before) =>
    Buffer.from(before + random)
      .toString('base64')
      .slice(4, -4),
  )
  return [random, bytes.toString('hex'), bytes.toString('hex').toUpperCase(), ...base64]
}

/** So many addresses of a kind are read, besides those that a test names. */
const OF_A_KIND = sample(1, 1000)
/** "/app/keys?state": a path and what selects its rows. Pages of one selection are of one kind. */
function kindOf(path: string): string {
  const { pathname, searchParams } = new URL(path.replaceAll(/(key|lyr|per)_\w+/g, '$1'), 'http://any')
  const names = [...searchParams.keys()].filter((name) => name !== 'limit' && name !== 'after')
  return `${pathname}?${names.toSorted().join('&')}`
}

/** Follows the links of pages, and returns what came by address. */
async function walk(visitor: Visitor, from: readonly string[]): Promise<Map<string, string>> {
  const read = new Map<string, string>()
  const met = new Map<string, number>()
  const open = [...from]
  for (let path = open.pop(); path !== undefined; path = open.pop()) {
    const kind = kindOf(path)
    if (read.has(path) || (!from.includes(path) && (met.get(kind) ?? 0) >= OF_A_KIND)) continue
    met.set(kind, (met.get(kind) ?? 0) + 1)
    const { text, headers } = await visitor.get(path)
    read.set(path, `${JSON.stringify(headers)}\n${text}`)
    for (const [, link = ''] of text.matchAll(/(?:href|action|src)="(\/app[^"#]*)/g))
      open.push(link.replaceAll('&amp;', '&'))
  }
  return read
}

describe('the secrets of the web app', () => {
  let server: PostgresServer
  let redis: RedisServer
  let redisFolder: string
  let running: Started
  let db: Database
  let owner: Visitor
  /** Keys, links and sessions of which the database keeps the hash, and the tokens of attempts. */
  const secrets: Record<string, string> = {}
  const ids: Record<string, string> = {}
  const name = 'secrets'

  before(async () => {
    server = await startOnCopy(await templates(), {
      logging_collector: 'on',
      log_directory: 'log',
      log_filename: 'all.log',
      log_statement: 'all',
      log_min_messages: 'debug1',
    })
    const admin = postgres(server.url('postgres'), { max: 1 })
    await admin.unsafe(`create database ${name} template ${templateName('empty')}`)
    await admin.end()
    makeRoles(server.url(name))
    db = connect(server.url(name, 'frames_owner'), { connections: 2, deadlineMs: 60_000 })
    redisFolder = newFolder('redis-log')
    redis = await startRedis({ dir: redisFolder, appendonly: 'yes', appendfsync: 'always' })
    const port = await freePort()
    running = await startServe({
      DATABASE_URL: server.url(name, 'frames_service'),
      CONSOLE_DATABASE_URL: server.url(name, 'frames_console'),
      // Browsers refuse passkeys at an IP address.
      PUBLIC_URL: `http://localhost:${port}`,
      PORT: String(port),
      REDIS_URL: redis.url,
      LOG_LEVEL: 'debug',
    })
    const org = await organisation({ url: running.url, db })
    const link = await org.link()
    owner = visit(running.url)
    await owner.post('/app/link', { t: link })
    await mintAndRoll()
    secrets['a link'] = link
    secrets['a session'] = cookieOf(owner)
    const invited = await owner.post('/app/members', { name: 'Ben', role: 'admin' })
    secrets['an invitation'] = tokenIn(invited.text)
    secrets['another session'] = cookieOf(await org.enter('Chi', 'member'))
    const begins = visit(running.url)
    const { text } = await begins.post('/app/sign-in/passkey/options')
    secrets['the browser of an attempt'] = [...begins.cookies.values()][0] ?? ''
    secrets['a challenge'] = (JSON.parse(text) as { challenge: string }).challenge
  })
  after(async () => {
    running?.child.kill('SIGTERM')
    await running?.ended
    await db?.close()
    await redis?.stop()
    await server?.stop()
  })

  const cookieOf = (visitor: Visitor) =>
    [...visitor.cookies.values()].find((value) => value.startsWith('svc_se_')) ?? ''

  async function mintAndRoll(): Promise<void> {
    const form = keyFields((await owner.get('/app/keys/new')).text, { preset: 'full-read' })
    const { key } = form
    const minted = (await owner.post('/app/keys/new', form)).text
    const next = { ...keyFields((await owner.get(`/app/keys/${key}`)).text), grace: '1h' }
    const rolled = (await owner.post(`/app/keys/${key}/roll`, next)).text
    secrets['a minted key'] = KEY.exec(minted)?.[0] ?? ''
    secrets['a rolled key'] = KEY.exec(rolled)?.[0] ?? ''
    ids['keyId'] = key
    for (const kind of ['a minted key', 'a rolled key'])
      assert.equal((await ask(`${running.url}/v1/states`, { headers: bearer(secrets[kind] ?? '') })).status, 200)
    // A reload of both answers, a wrong roll, and calls that hold the secret where it does not belong.
    await owner.post('/app/keys/new', form)
    await owner.post(`/app/keys/${key}/roll`, { ...next, grace: '8d' })
    for (const secret of Object.values(secrets)) {
      await owner.get(`/app/${secret}`)
      await owner.get(`/app/keys/${secret}`)
      await owner.get(`/app/keys?key=${secret}`)
      await owner.post(`/app/keys/${key}/roll`, { key: secret, grace: secret, days: secret })
    }
  }

  /** Returns the names of the secrets that a text holds. */
  const foundIn = (text: string, kinds = Object.keys(secrets)) =>
    kinds.filter((kind) => formsOf(secrets[kind] ?? '').some((form) => text.includes(form)))

  it('are eight, and the search finds each of their forms', () => {
    assert.equal(Object.keys(secrets).length, 8)
    for (const [kind, secret] of Object.entries(secrets)) {
      assert.ok(secret.length >= 42, kind)
      assert.deepEqual(foundIn(`a ${secret} b`), [kind])
      assert.deepEqual(foundIn(Buffer.from(secret).toString('hex')), [kind])
      for (const before of ['', 'a', 'ab'])
        assert.deepEqual(foundIn(Buffer.from(`${before}${secret}`).toString('base64')), [kind])
    }
  })

  it('are nowhere in a dump of the database, which has their SHA-256 only', () => {
    const dump = execFileSync(program('pg_dump'), ['-d', server.url(name)], { maxBuffer: 2 ** 30 }).toString()
    assert.deepEqual(foundIn(dump), [])
    for (const [kind, secret] of Object.entries(secrets))
      if (kind !== 'a challenge') assert.ok(dump.includes(hashSecret(secret).toString('hex')), kind)
  })

  it('never reach PostgreSQL: its log of every statement and argument has none', () => {
    const logged = readFileSync(join(server.data, 'log', 'all.log'), 'utf8')
    // Each hash is an argument of some statement.
    for (const kind of ['a minted key', 'a rolled key', 'a session', 'a link', 'an invitation'])
      assert.ok(logged.includes(hashSecret(secrets[kind] ?? '').toString('hex')), kind)
    assert.deepEqual(foundIn(logged), [])
    for (const file of readdirSync(join(server.data, 'log'))) assert.equal(file, 'all.log')
  })

  it('are in no line that the service logs at level debug, in no metric, and in no command to Redis', async () => {
    const logged = running.stdout() + running.stderr()
    assert.ok(logged.includes(`/app/keys/${ids['keyId']}/roll`))
    assert.doesNotMatch(logged, /CONSOLE_DATABASE_URL|OIDC_ROLES/, 'nothing is warned of')
    const metrics = (await visit(running.opsUrl).get('/metrics')).text
    assert.match(metrics, /^frames_sign_ins_total/m)
    const files = readdirSync(redisFolder, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
    const written = files.map((file) => readFileSync(join(file.parentPath, file.name), 'latin1')).join('')
    assert.match(written, /org_\w{12}/)
    for (const text of [logged, metrics, written]) assert.deepEqual(foundIn(text), [])
  })

  it('are on no later page: each page of src/app/console.ts is read, and each kind that one leads to', async function () {
    this.timeout(240_000)
    const pages = actions.filter(({ method }) => method === 'GET').map((action) => pathOf(action, ids))
    for (const visitor of [owner, visit(running.url)]) {
      const read = await walk(visitor, pages)
      for (const path of pages) assert.ok(read.has(path), path)
      for (const [path, text] of read) {
        // The cookie that a browser keeps is the session.
        assert.deepEqual(foundIn(text), [], path)
      }
      if (visitor === owner) assert.ok(read.size > 30, `${read.size} pages`)
    }
  })
})
