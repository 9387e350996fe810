import assert from 'node:assert/strict'
import { license, unlicense } from '../../src/core/access/licences.js'
import { anotherReader, balanceOf, credit, ids } from '../support/datasets.js'
import { ask, bearer, mint, type Minted } from '../support/service.js'
import { dataCalls, datasetsIn, layersOf, type Data } from './data-calls.js'

describe('GET /v1/frames/data', () => {
  const calls = dataCalls()

  it('answers with a frame for each id, in the order asked, and the datasets that record something there, by their ids', async () => {
    const asked = [ids[4], ids[0], ids[9]] as string[]
    const { frames, charged, leftOut } = await calls.data(calls.world.outsiderKey, asked)
    assert.deepEqual(
      frames.map(({ id }) => id),
      asked,
    )
    assert.deepEqual(frames.map(layersOf), [
      ['lyr_open', 'lyr_theirs'],
      ['lyr_open', 'lyr_points', 'lyr_some', 'lyr_theirs'],
      ['lyr_open', 'lyr_theirs'],
    ])
    assert.deepEqual([charged, leftOut], [[], []])
    assert.deepEqual(frames[1]?.bbox, [0.2, 0.1, 0.21, 0.11])
    assert.deepEqual(frames[1]?.datasets[0], {
      layerId: 'lyr_open',
      name: 'Name of lyr_open',
      category: 'Tests',
      kind: 'frames',
      orgId: calls.world.owner,
      values: { told: `lyr_open on ${ids[0]}` },
    })
    assert.deepEqual(frames[1]?.datasets[1], {
      layerId: 'lyr_points',
      name: 'Name of lyr_points',
      category: 'Tests',
      kind: 'points',
      orgId: calls.world.owner,
      features: [
        { type: 'Feature', id: '1', geometry: { type: 'Point', coordinates: [0.201, 0.105] }, properties: {} },
        { type: 'Feature', id: '2', geometry: { type: 'Point', coordinates: [0.20102, 0.105] }, properties: {} },
        { type: 'Feature', id: '3', geometry: { type: 'Point', coordinates: [0.21, 0.105] }, properties: {} },
      ],
    })
  })

  it('answers an id that the index does not know, or that no index can hold, without bbox and datasets', async () => {
    const odd = ['7', '00324378020', '9223372036854775808', '123456789012345678901234567890']
    const { frames } = await calls.data(calls.world.outsiderKey, [...odd, ids[0] ?? ''])
    assert.deepEqual(
      frames.slice(0, 4),
      odd.map((id) => ({ id, datasets: [] })),
    )
    assert.ok((frames[4]?.datasets.length ?? 0) > 0)
  })

  it('answers a repeated id once, at its first place', async () => {
    const { frames } = await calls.data(calls.world.outsiderKey, [ids[2], ids[1], ids[2], ids[1]] as string[])
    assert.deepEqual(
      frames.map(({ id }) => id),
      [ids[2], ids[1]],
    )
  })

  it('shows each organisation what it owns, what is open and what it is licensed, and nothing else', async () => {
    await credit(calls.database.db, calls.world.reader, 9)
    const open = ['lyr_200', 'lyr_201', 'lyr_open', 'lyr_points', 'lyr_some']
    assert.deepEqual(datasetsIn(await calls.data(calls.world.outsiderKey, ids)), [...open, 'lyr_theirs'])
    assert.deepEqual(datasetsIn(await calls.data(calls.world.readerKey, ids)), [
      'lyr_200',
      'lyr_201',
      'lyr_licensed',
      'lyr_open',
      'lyr_points',
      'lyr_query_a',
      'lyr_query_b',
      'lyr_query_points',
      'lyr_some',
    ])
    assert.equal(await balanceOf(calls.database.db, calls.world.reader), 0)
    const own = await calls.data(calls.world.ownerKey, ids)
    assert.deepEqual(own.charged, [], 'its own datasets are never charged')
    assert.deepEqual(datasetsIn(own).includes('lyr_private'), true)
    assert.ok(!datasetsIn(own).includes('lyr_theirs'))
  })

  describe('cuts features at 200 of a dataset over the whole request', () => {
    const cut = (answer: Data, layerId: string) =>
      answer.frames.map(({ datasets }) => {
        const entry = datasets.find((each) => each.layerId === layerId)
        return entry && `${entry.features?.length}${entry.truncated ? ' cut' : ''}`
      })

    it('sends 200 of 200', async () => {
      assert.deepEqual(cut(await calls.data(calls.world.outsiderKey, ids.slice(5, 6)), 'lyr_200'), ['200'])
    })
    it('cuts 201 of two frames in the second frame', async () => {
      assert.deepEqual(cut(await calls.data(calls.world.outsiderKey, ids.slice(5, 7)), 'lyr_201'), ['150', '50 cut'])
      assert.deepEqual(cut(await calls.data(calls.world.outsiderKey, [ids[6], ids[5]] as string[]), 'lyr_201'), [
        '51',
        '149 cut',
      ])
    })
    it('marks a frame whose features are all cut', async () => {
      assert.deepEqual(cut(await calls.data(calls.world.outsiderKey, ids.slice(5, 8)), 'lyr_201'), [
        '150',
        '50 cut',
        '0 cut',
      ])
    })
    it('counts 200 for each dataset', async () => {
      const answer = await calls.data(calls.world.outsiderKey, ids.slice(5, 7))
      assert.deepEqual(cut(answer, 'lyr_200'), ['200', undefined])
    })
    it('keeps the order of the frames asked, then of the ids as numbers', async () => {
      const { frames } = await calls.data(calls.world.outsiderKey, [ids[6], ids[5]] as string[])
      const found = frames.flatMap(
        ({ datasets }) => datasets.find(({ layerId }) => layerId === 'lyr_201')?.features ?? [],
      )
      assert.deepEqual(
        found.map(({ id }) => Number(id)),
        [...Array.from({ length: 51 }, (_, i) => 151 + i), ...Array.from({ length: 149 }, (_, i) => 1 + i)],
      )
    })
  })

  describe('has an ETag', () => {
    const tagOf = async (key: Minted, asked: readonly string[]) => {
      const answer = await ask(calls.path(asked), { headers: bearer(key.secret) })
      assert.equal(answer.headers.get('cache-control'), 'private, no-cache')
      return answer.headers.get('etag')
    }
    it('and answers 304, when nothing was charged or left out', async () => {
      const tag = (await tagOf(calls.world.outsiderKey, ids)) ?? ''
      assert.match(tag, /^"[\w-]{22}"$/)
      const again = { ...bearer(calls.world.outsiderKey.secret), 'if-none-match': tag }
      assert.equal((await ask(calls.path(ids), { headers: again })).status, 304)
      assert.notEqual(await tagOf(calls.world.outsiderKey, ids.slice(1)), tag)
      assert.notEqual(await tagOf(calls.world.ownerKey, ids), tag)
      const narrowed = await mint(calls.database.db, { org: calls.world.outsider, datasets: ['lyr_open'] })
      assert.notEqual(await tagOf(narrowed, ids), tag)
      const plain = await mint(calls.database.db, { org: calls.world.outsider, capabilities: ['frame.read'] })
      assert.notEqual(await tagOf(plain, ids), tag)
      await license(calls.database.db.run, 'lyr_private', calls.world.outsider, undefined)
      assert.equal((await ask(calls.path(ids), { headers: again })).status, 200, 'the reach has grown')
      await unlicense(calls.database.db.run, 'lyr_private', calls.world.outsider)
    })
    it('that "*" matches, but where credits take part: then the answer comes and is charged', async () => {
      const askAny = (key: Minted) => ask(calls.path(ids), { headers: { ...bearer(key.secret), 'if-none-match': '*' } })
      assert.equal((await askAny(calls.world.outsiderKey)).status, 304)
      const { status, body } = await askAny(await anotherReader(calls.database.db, 100))
      assert.equal(status, 200)
      assert.ok((body as { data: { charged: string[] } }).data.charged.length > 0)
      assert.equal((await askAny(await anotherReader(calls.database.db, 0))).status, 200)
    })
    it('and none where something was charged or left out', async () => {
      const rich = await anotherReader(calls.database.db, 100)
      assert.equal(await tagOf(rich, ids), null)
      const poor = await anotherReader(calls.database.db, 0)
      assert.equal(await tagOf(poor, ids), null)
      assert.match((await tagOf(poor, ids.slice(9))) ?? '', /^"/)
    })
  })
})
