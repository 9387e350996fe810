import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { connect } from '../../src/core/db/connect.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { plays } from '../support/transcript.js'
import { until } from '../support/until.js'
import { startService, type Service } from '../support/service.js'
import { ask, collection, feature, number, quiet, rectangle, stateOf, temporaryFolder } from './files.js'

/** Makes 100 frames, 10 by 10, of one state. Two such indexes have only the number of frames in common. */
function grid(firstId: number, offset: number, state: string): string {
  const frames = Array.from({ length: 100 }, (_, at) => {
    const [west, south] = [700 + offset + (at % 10), 300 + offset + Math.floor(at / 10)]
    const unit = { state, stateCode: state.slice(0, 2), lga: `${state} ${at % 4}`, zone: `Zone ${state}` }
    return feature(firstId + at, rectangle(west, south, west + 1, south + 1), unit)
  })
  return collection(frames)
}

const ids = Array.from({ length: 50 }, (_, at) => (at % 2 === 0 ? 1 : 100_001) + at * 2).join(',')
const paths = ['/v1/frames?bbox=6.9,2.9,7.3,3.3', `/v1/frames?ids=${ids}`, '/v1/states'] as const
type Answers = Awaited<ReturnType<typeof ask>>[]

const folder = temporaryFolder()
const fileA = folder.write('a.geojson', grid(1, 0, 'Alpha'))
const fileB = folder.write('b.geojson', grid(100_001, 0.5, 'Beta'))

describe('switching to another index', () => {
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  const take = (file: string) => importFrames(database.db, file, quiet)
  const askAll = (): Promise<Answers> => Promise.all(paths.map((path) => ask(service, path)))

  before(async () => {
    database = await newDatabase()
    service = await startService(database)
  })
  after(async () => {
    await service.stop()
    await database.drop()
  })

  it('lets readers see the old index or the new one, never a mixture, and tells them apart by ETag', async () => {
    await take(fileB)
    const ofB = await askAll()
    await take(fileA)
    const ofA = await askAll()
    for (const [at, { status, text, tag }] of ofA.entries()) {
      assert.equal(status, 200)
      assert.notEqual(text, ofB[at]?.text)
      assert.notEqual(tag, ofB[at]?.tag)
    }
    assert.equal(ofA[0]?.text.split('"Feature"').length, 101)
    assert.equal(ofA[1]?.text.split('"admin"').length, 26)

    const loading = { isOn: true }
    const seen: { at: number; text: string; tag: string }[] = []
    const readers = Array.from({ length: 3 }, async (_, reader) => {
      for (let turn = reader; loading.isOn; turn += 1) {
        const at = turn % paths.length
        const { status, text, tag } = await ask(service, paths[at] ?? '')
        assert.equal(status, 200, text)
        assert.ok(text === ofA[at]?.text || text === ofB[at]?.text, `neither A nor B: ${text.slice(0, 300)}`)
        seen.push({ at, text, tag })
        await sleep(5)
      }
    })
    const switches = (async () => {
      for (let turn = 1; turn <= 2; turn += 1) await take(turn % 2 === 0 ? fileA : fileB)
      loading.isOn = false
    })()
    await Promise.all([switches, ...readers]).finally(() => (loading.isOn = false))

    const last = await askAll()
    assert.deepEqual(
      last.map(({ text }) => text),
      ofA.map(({ text }) => text),
    )
    for (const at of paths.keys()) {
      const here = seen.filter((each) => each.at === at)
      assert.ok(here.some(({ text }) => text === ofA[at]?.text) && here.some(({ text }) => text === ofB[at]?.text))
      // A caller that keeps an answer under a tag has the answer of that tag, or the index has another tag.
      const stale = here.filter(({ tag, text }) => tag === last[at]?.tag && text !== last[at]?.text)
      assert.deepEqual(stale, [])
    }
  })

  it('lets one loading run at a time: a second is refused at once, and the first is not disturbed', async () => {
    const other = connect(database.ownerTarget, { connections: 2, deadlineMs: 60_000 })
    const reader = postgres(urlOf(database.adminTarget), { max: 1 })
    let first: Promise<{ frames: number }> | undefined
    try {
      // A reader keeps the first import from its end.
      await reader.begin(async (sql) => {
        await sql`lock table frame in access share mode`
        await new Promise<void>((begun) => (first = importFrames(database.db, fileA, () => begun())))
        await assert.rejects(importFrames(other, fileB, quiet), /Another build or import is under way/)
      })
      assert.equal((await first)?.frames, 100)
      const { frames } = await importFrames(other, fileB, quiet)
      assert.equal(frames, 100)
    } finally {
      await first?.catch(() => {})
      await Promise.all([other.close(), reader.end()])
    }
  })

  it('waits for a long reader while others are answered, and succeeds when it ends', async () => {
    const asBefore = await stateOf(database.db)
    const reader = postgres(database.ownerTarget as string, { max: 1, onnotice: () => {} })
    const session = await reader.reserve()
    await session`begin`
    await session`select count(*) from frame`
    const waits = `select count(*)::int as n from pg_locks where mode = 'AccessExclusiveLock' and not granted`
    let ended = false
    const importing = take(fileB).finally(() => (ended = true))
    try {
      await until(async () => (await number(database.db, waits)) > 0)
      for (let turn = 0; turn < 9; turn += 1) assert.equal((await ask(service, paths[turn % 3] ?? '')).status, 200)
      assert.equal(ended, false)
      const { staging, ...now } = await stateOf(database.db)
      assert.deepEqual({ ...now, staging: false }, asBefore)
      assert.equal(staging, true)
    } finally {
      await session`commit`
      session.release()
      await reader.end()
    }
    const { frames, generation } = await importing
    assert.equal(frames, 100)
    assert.equal(Number(generation), Number(asBefore.generation) + 1)
  })
})

plays('load/switch', 'empty', { 'a.geojson': grid(1, 0, 'Alpha'), 'b.geojson': grid(100_001, 0.5, 'Beta') })
