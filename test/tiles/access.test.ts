import assert from 'node:assert/strict'
import { request } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { license } from '../../src/core/access/licences.js'
import { signIn, visit, type Visitor } from '../support/browse.js'
import type { TestDatabase } from '../support/database.js'
import { ids, sharedWorld, type World } from '../support/datasets.js'
import { ask, bearer, mint, service, startService } from '../support/service.js'
import { askTile } from './ask-tile.js'
import { askValues } from './ask-values.js'

const TILE = 'frames/12/2050/2046'
const coloured = (dataset: string) => `0/0?dataset=${dataset}&attribute=told`

describe('the tiles and squares of an organisation', () => {
  let database: TestDatabase
  let running: Awaited<ReturnType<typeof startService>>
  let world: World
  let owner: Visitor
  let reader: Visitor
  let outsider: Visitor
  let statements: string[] = []
  /** A statement waits for the promise that this answers with. */
  let hold: (text: string) => Promise<void> | undefined = () => undefined

  before(async () => {
    const made = await sharedWorld()
    database = made.database
    world = made.world
    const watch = (text: string) => {
      statements.push(text)
      return hold(text)
    }
    running = await startService(database, { publicUrl: 'listening', watch })
    const memberOf = (orgId: string) => signIn(running.url, database.db, { orgId, role: 'member' })
    owner = await memberOf(world.owner)
    reader = await memberOf(world.reader)
    outsider = await memberOf(world.outsider)
  })
  after(() => running.stop())

  const classesOf = async (visitor: Visitor, dataset: string) => {
    const answer = await askValues(visitor, coloured(dataset))
    const classes = answer.runs.flatMap(({ values }) => values)
    return { status: answer.status, text: answer.text, classes }
  }

  it('have the values of datasets that it owns, or that are licensed to it or to everyone', async () => {
    for (const [visitor, dataset] of [
      [owner, 'lyr_private'],
      [owner, 'lyr_query_a'],
      [reader, 'lyr_licensed'],
      [reader, 'lyr_open'],
      [outsider, 'lyr_theirs'],
      [outsider, 'lyr_open'],
    ] as const) {
      const { status, classes } = await classesOf(visitor, dataset)
      assert.equal(status, 200)
      assert.ok(classes.includes(`${dataset} on ${String(ids[0])}`), dataset)
    }
  })

  it('have no value of any other dataset, which look like datasets that do not exist', async () => {
    const unknown = await classesOf(outsider, 'lyr_nowhere')
    for (const [visitor, dataset] of [
      [outsider, 'lyr_private'],
      [outsider, 'lyr_licensed'],
      [outsider, 'lyr_query_a'],
      [reader, 'lyr_private'],
      [reader, 'lyr_theirs'],
      [owner, 'lyr_theirs'],
    ] as const) {
      const { status, text } = await classesOf(visitor, dataset)
      assert.deepEqual([status, text], [400, unknown.text.replace('lyr_nowhere', dataset)])
    }
  })

  it('have no value of a dataset that costs, and say what it costs', async () => {
    const before = statements.length
    const answer = await askValues(reader, coloured('lyr_query_a'))
    assert.equal(answer.status, 403)
    assert.equal(answer.text, 'Name of lyr_query_a costs 2 credits a call. The map shows what costs nothing.\n')
    assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
    assert.ok(!statements.slice(before).some((text) => /^-- (frames|units|values)/.test(text)))
    for (const path of ['0/0', 'lga']) {
      const points = await askValues(reader, `${path}?dataset=lyr_query_points`)
      assert.deepEqual([points.status, points.runs], [403, []])
    }
  })

  it('lose a dataset with its licence, also those that a browser keeps', async () => {
    await license(database.db.run, 'lyr_private', world.outsider, undefined)
    const kept = await askValues(outsider, coloured('lyr_private'))
    const again = () => askValues(outsider, coloured('lyr_private'), { 'if-none-match': String(kept.headers.etag) })
    assert.deepEqual([kept.status, (await again()).status], [200, 304])
    await database.db.rows(`delete from licence where layer_id = 'lyr_private'`, [])
    assert.equal((await again()).status, 400)
  })

  it('have an ETag that an answer for another organisation does not have', async () => {
    for (const path of [`tiles/${TILE}`, 'tiles/units/8/128/127', `values/${coloured('lyr_open')}`]) {
      const answerOf = (each: Visitor, tag?: string) =>
        each.get(`/app/${path}`, tag === undefined ? {} : { 'if-none-match': tag })
      const tags = await Promise.all([owner, reader, outsider].map(async (each) => (await answerOf(each)).headers.etag))
      assert.equal(new Set(tags).size, 3, path)
      const other = await answerOf(reader, String(tags[0]))
      assert.equal(other.status, 200)
    }
  })

  it('are sent again only where they changed: 304 comes before they are read', async () => {
    const values = ['0/0', coloured('lyr_open'), '0/0?dataset=lyr_points', 'lga?dataset=lyr_points']
    for (const path of [`tiles/${TILE}`, 'tiles/units/8/128/127', ...values.map((each) => `values/${each}`)]) {
      const first = await reader.get(`/app/${path}`)
      assert.equal(first.headers['cache-control'], 'private, no-cache')
      assert.deepEqual(String(first.headers.vary).split(', ').sort(), ['Accept-Encoding', 'Cookie'])
      statements = []
      const again = await reader.get(`/app/${path}`, { 'if-none-match': String(first.headers.etag) })
      assert.deepEqual([again.status, again.bytes.length], [304, 0])
      const names = statements.map((text) => /^-- (\w+):/.exec(text)?.[1])
      assert.ok(names.includes('session_holder') && names.includes('index_generation'), names.join())
      assert.ok(!names.some((name) => /^(frames|units|values)/.test(name ?? '')), names.join())
    }
  })

  it('change their ETag with each import of their dataset and with each new index', async () => {
    const tagOf = async (path: string) =>
      (path === TILE ? await askTile(reader, path) : await askValues(reader, path)).headers.etag
    const [plain, open, some] = [
      await tagOf(TILE),
      await tagOf(coloured('lyr_open')),
      await tagOf(coloured('lyr_some')),
    ]
    await database.db.rows(`update dataset set imported_at = clock_timestamp() where layer_id = 'lyr_open'`, [])
    assert.deepEqual([await tagOf(TILE), await tagOf(coloured('lyr_some'))], [plain, some])
    assert.notEqual(await tagOf(coloured('lyr_open')), open)
    await database.db.rows('update index_generation set generation = generation + 1', [])
    assert.notEqual(await tagOf(TILE), plain)
    assert.notEqual(await tagOf(coloured('lyr_some')), some)
  })

  it('are read two at a time, and not at all for a map that moved on', async () => {
    statements = []
    const held: (() => void)[] = []
    const stopped = new Promise<void>((stop) => {
      hold = (text) => {
        if (!text.startsWith('-- frames_of_tile:')) return undefined
        const waits = new Promise<void>((go) => held.push(go))
        if (held.length === 2) stop()
        return waits
      }
    })
    const first = [1, 2].map(() => askTile(reader, TILE))
    await stopped
    const cookie = [...reader.cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const waiting = [1, 2, 3].map(() =>
      request(`${running.url}/app/tiles/${TILE}`, { headers: { cookie }, agent: false }),
    )
    for (const each of waiting) each.on('error', () => {}).end()
    const last = askTile(reader, 'units/8/128/127')
    while (statements.filter((text) => text.startsWith('-- session_holder')).length < 6) await sleep(20)
    await sleep(200)
    assert.equal(held.length, 2)
    for (const each of waiting) each.destroy()
    await sleep(100)
    for (const go of held) go()
    for (const { status } of [...(await Promise.all(first)), await last]) assert.equal(status, 200)
    assert.equal(held.length, 2, 'a tile was read that nobody waits for')
    hold = () => undefined
  })

  it('need a session: a script is not led to the sign-in page', async () => {
    const nobody = visit(running.url)
    for (const path of [TILE, 'units/0/0/0', 'nothing/99/-1/x']) {
      const answer = await askTile(nobody, path)
      assert.deepEqual([answer.status, answer.headers.location], [401, undefined])
      assert.equal(answer.headers['content-type'], 'text/plain; charset=utf-8')
    }
    for (const path of [coloured('lyr_open'), 'lga?dataset=lyr_open', 'x/y']) {
      const answer = await askValues(nobody, path)
      assert.deepEqual([answer.status, answer.headers.location, answer.runs], [401, undefined, []])
    }
    const withKey = await nobody.get(`/app/tiles/${TILE}`, bearer((await mint(database.db)).secret))
    assert.equal(withKey.status, 401)
  })
})

describe('the bucket of a map', () => {
  const many = { burst: 900_000, perMinute: 900_000 }
  const none = { burst: 1, perMinute: 1 }

  it('is spent by the tiles and squares of one person, and by nothing else', async () => {
    const { database } = service()
    const buckets = { key: none, organisation: none, insight: many, map: { burst: 3, perMinute: 1 } }
    const running = await startService(database, { publicUrl: 'listening', buckets })
    try {
      const key = await mint(database.db)
      const [one, other] = await Promise.all(
        ['One', 'Other'].map((name) => signIn(running.url, database.db, { orgId: key.orgId, role: 'member', name })),
      )
      assert.ok(one && other)
      const answers = []
      for (let i = 0; i < 4; i += 1)
        answers.push(
          await (i % 2 === 0 ? askTile(one, TILE) : askValues(one, i === 1 ? '0/0' : 'lga?dataset=lyr_schools')),
        )
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 429],
      )
      assert.deepEqual(
        answers.map(({ headers }) => headers['ratelimit-policy']),
        Array(4).fill('"map";q=3;w=180'),
      )
      const refused = answers.at(-1)
      assert.match(refused?.headers['retry-after'] ?? '', /^(60|[1-5]\d)$/)
      assert.match(refused?.text ?? '', /^The map bucket is spent: .*\n$/)
      assert.equal((await askTile(other, TILE)).status, 200)
      assert.equal((await one.get('/app/account')).status, 200)
      const call = () => ask(`${running.url}/v1/states`, { headers: bearer(key.secret) })
      assert.deepEqual([(await call()).status, (await call()).status], [200, 429])
    } finally {
      await running.stop()
    }
  })
})
