import assert from 'node:assert/strict'
import { warmUpTiles } from '../../src/web/tiles/warm-up.js'
import { newDatabase } from '../support/database.js'

describe('the first tiles of a service', () => {
  for (const [name, expected] of [
    ['frames', 3],
    ['empty', 0],
  ] as const)
    it(`are read before anybody asks for one, with ${expected === 0 ? 'no index' : 'an index'}`, async () => {
      const database = await newDatabase(name)
      const read: number[] = []
      const reader: typeof database.db = {
        ...database.db,
        rows: async (text, args, as, deadline) => {
          const rows = await database.db.rows(text, args, as, deadline)
          if (text.startsWith('-- frames:')) read.push(rows.length)
          return rows as never
        },
      }
      await warmUpTiles(reader)
      assert.equal(read.length, expected)
      assert.ok(
        read.every((frames) => frames > 0),
        read.join(),
      )
      await database.drop()
    })
})
