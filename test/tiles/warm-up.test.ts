import assert from 'node:assert/strict'
import type { Database } from '../../src/core/db/connect.js'
import { warmUpTiles } from '../../src/app/tiles/warm-up.js'
import { newDatabase } from '../support/database.js'
import { service } from '../support/service.js'

describe('the first tiles of a service', () => {
  /** How many frames each tile had that the start reads. */
  const framesRead = async (db: Database): Promise<number[]> => {
    const read: number[] = []
    await warmUpTiles({
      ...db,
      rows: async (text, args, as, deadline) => {
        const rows = await db.rows(text, args, as, deadline)
        if (text.startsWith('-- frames:')) read.push(rows.length)
        return rows as never
      },
    })
    return read
  }

  it('are read before anybody asks for one, and none where there is no index', async () => {
    const read = await framesRead(service().db)
    assert.equal(read.length, 3)
    for (const frames of read) assert.ok(frames > 0, read.join())
    const { db, drop } = await newDatabase('empty')
    assert.deepEqual(await framesRead(db), [])
    await drop()
  })
})
