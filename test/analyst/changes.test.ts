import assert from 'node:assert/strict'
import { connect } from '../../src/core/db/connect.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { number } from '../load/files.js'
import { analystTarget } from '../support/database.js'
import { plays } from '../support/transcript.js'
import { grid, smallCountry } from './country.js'

describe('schema analyst, when what it shows changes', function () {
  this.timeout(120_000)
  const country = smallCountry()

  it('waits for an analyst who is reading, lets callers go on meanwhile, and then shows the new index at once', async () => {
    const analyst = connect(analystTarget(country.database), { connections: 1 })
    await country.baseline('lyr_fresh', 'frame,a\n1,x\n')
    let importing: Promise<unknown> | undefined
    let ended = false
    await analyst.transaction(async (run) => {
      await run('select count(*) from analyst.frame', [])
      let waits: () => void = () => {}
      const waiting = new Promise<void>((done) => (waits = done))
      const file = country.folder.write('waits.geojson', grid('Patient'))
      const heard = (step: string) => (step.includes('putting the new index') ? waits() : undefined)
      importing = importFrames(country.db, file, heard).then(() => (ended = true))
      await waiting
      for (let calls = 0; calls < 20; calls += 1) {
        assert.equal(await number(country.db, 'select count(*)::int as n from frame'), 4)
      }
      assert.equal(ended, false)
      assert.equal((await run<{ lga: string }>('select min(lga) as lga from analyst.frame', []))[0]?.lga, 'MIDDLE')
    })
    await importing
    assert.equal(await number(analyst, `select count(*)::int as n from frame where lga = 'PATIENT'`), 4)
    assert.equal(await number(analyst, `select count(*)::int as n from lyr_fresh where lga = 'PATIENT'`), 1)
    await analyst.close()
  })
})

const long = `a_name_longer_than_sixty_three_bytes_${'é'.repeat(20)}`
const names = ['id', 'recorded_id', 'geom', 'Two "Words"', 'select', `${long}1`, `${long}2`, 'Ünïcode']
const cells = (row: string) => names.map((name) => `"${name.replaceAll('"', '""')}${row}"`).join()

plays('analyst/changes', 'empty', {
  'grid.geojson': grid(),
  'centre.geojson': grid('Centre'),
  'names.csv': `frame,${cells('')}\n1,${cells(' of 1')}\n2,${cells(' of 2')}\n`,
})
