import assert from 'node:assert/strict'
import { appendFileSync } from 'node:fs'
import { linesToTry, whatToTry } from '../../src/tools/cli/demo.js'
import type { Database } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { service, startService, type Service } from '../support/service.js'
import { ask, collection, feature, fromLowest, quiet, rectangle, temporaryFolder } from './files.js'

describe('an index that was imported', () => {
  const folder = temporaryFolder()
  let database: TestDatabase
  let started: Service & { stop: () => Promise<void> }
  const take = (content: string) => importFrames(database.db, folder.write('grid.json', content), quiet)
  type Served = { id: string; geometry: { type: string; coordinates: unknown }; admin?: unknown }
  const shape = (frame: Served) => ({ ...frame, geometry: fromLowest(frame.geometry) })
  before(async () => {
    database = await newDatabase()
    started = await startService(database)
  })
  after(async () => {
    await started.stop()
    await database.drop()
  })

  it('lets the lines to try at the start name what the index has', async () => {
    for (const unit of [{ state: "Côte d'Évora", stateCode: 'CE', lga: 'A & B' }, {}]) {
      await take(collection([feature(7, rectangle(-7000, -3300, -6999, -3299), unit)]))
      const lines = linesToTry('', undefined, await whatToTry(database.db))
      const paths = lines.flatMap((line) => /^ +curl .* '([^']+)'$/.exec(line)?.[1] ?? [])
      assert.equal(paths.length, 4)
      for (const path of paths) {
        const { status, text } = await ask(started, path)
        assert.equal(status, 200, path)
        // An index without units has no state to list.
        if (path !== '/v1/states') assert.doesNotMatch(text, /"features":\[\]|"data":(\[\]|\{\})/, path)
      }
    }
  })

  it('takes an answer of the API as a file, cut frames included, and then answers the same', async () => {
    const box = '/v1/frames?bbox=-0.55,-0.3,-0.45,0.3'
    const [cut] = await service().db.rows<{ ids: string }>(
      `select string_agg(frame_id::text, ',') as ids from (
        select frame_id from frame where ST_NumGeometries(geom) > 1 or ST_NRings(geom) > 1 or ward_code is null
          or zone is null order by ST_NPoints(geom) desc limit 100) as odd`,
      [],
    )
    const framesOf = (text: string) => {
      const { data } = JSON.parse(text) as { data: Served[] | { features: Served[] } }
      return (Array.isArray(data) ? data : data.features).map(shape)
    }
    for (const path of [box, `/v1/frames?ids=${cut?.ids}`]) {
      const given = await ask(service(), path)
      assert.ok(framesOf(given.text).length >= 100, given.text.slice(0, 200))
      await take(given.text)
      const again = await ask(started, path)
      assert.deepEqual(framesOf(again.text), framesOf(given.text))
    }
  })

  it('reads a large file as a stream: it sends the first frames before the last ones are written', async () => {
    // Their outlines have 800 corners, so that 100 frames fill a batch.
    const dense = (at: number) => {
      const [[west, ...others]] = rectangle(at, 0, at + 1, 1).coordinates as [number[][]]
      const side = Array.from({ length: 799 }, (_, i) => [(at + (i + 1) / 800) / 100, 0])
      return JSON.stringify(feature(at, { type: 'Polygon', coordinates: [[west, ...side, ...others]] }))
    }
    const [early, late] = [Array.from({ length: 210 }, (_, at) => dense(at)), [dense(210), dense(211)]]
    const path = folder.write('large.geojson', `[${early.join()}`)
    let sent = 0
    const { db } = database
    const rows: Database['rows'] = (text, ...asked) => {
      if (text === sqlText('import/frames_add') && (sent += 1) === 1) appendFileSync(path, `,${late.join()}]`)
      return db.rows(text, ...asked)
    }
    assert.equal((await importFrames({ ...db, rows }, path, quiet)).frames, 212)
    assert.ok(sent > 2, `${sent} batches`)
  })
})
