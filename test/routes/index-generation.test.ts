import assert from 'node:assert/strict'
import { ask, bearer, service, startService } from '../support/service.js'

/** Puts another index in place, as far as callers can tell. */
const nextIndex = (by: number) => service().db.rows('update index_generation set generation = generation + $1', [by])

describe('X-Index-Generation', function () {
  this.timeout(60_000)

  const generationOf = async (path: string, more: Record<string, string> = {}, url = service().url) => {
    const { headers, status } = await ask(url + path, { headers: { ...bearer(service().secret), ...more } })
    return { status, generation: headers.get('x-index-generation'), etag: headers.get('etag') }
  }
  const served = async () => {
    const [row] = await service().db.rows<{ generation: string }>(
      'select generation::text as generation from index_generation',
      [],
    )
    return row?.generation ?? ''
  }

  const COLLECTIONS = [
    '/v1/frames?state=marembe&limit=2',
    '/v1/frames?state=marembe&limit=2&after=322289984',
    '/v1/frames?bbox=0.2,0.1,0.22,0.12',
    '/v1/frames?ids=322074005,322074006',
    '/ogc/collections/frames/items?limit=2',
    '/ogc/collections/lyr_population/items?limit=2',
  ]
  for (const path of COLLECTIONS)
    it(`is the number of the index that the answer is of, with 200 and with 304: ${path}`, async () => {
      const first = await generationOf(path)
      assert.deepEqual([first.status, first.generation], [200, await served()])
      const again = await generationOf(path, { 'if-none-match': first.etag ?? '' })
      assert.deepEqual([again.status, again.generation], [304, first.generation])
      await nextIndex(1)
      try {
        assert.equal((await generationOf(path)).generation, String(Number(first.generation) + 1))
      } finally {
        await nextIndex(-1)
      }
    })

  it('has both numbers where another index came while the answer was read, which then has no ETag', async () => {
    let isNext = false
    const running = await startService(service().database, {
      watch: async (text) => {
        if (isNext || !/^-- (frames_in_state|items_of_frames):/.test(text)) return
        isNext = true
        await nextIndex(1)
      },
    })
    const before = Number(await served())
    try {
      for (const path of ['/v1/frames?state=marembe&limit=2', '/ogc/collections/frames/items?limit=2']) {
        isNext = false
        const { generation, etag } = await generationOf(path, {}, running.url)
        await nextIndex(-1)
        assert.deepEqual([generation, etag], [`${before}-${before + 1}`, null], path)
      }
    } finally {
      await running.stop()
    }
  })
})
