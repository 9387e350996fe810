import assert from 'node:assert/strict'
import { buildReport } from '../../src/cli/build.js'

const summary = {
  generation: '2',
  bbox: [9, 8, 9.1, 8.1],
  totalKm2: '121.9',
  smallestKm2: '0.5',
  largestKm2: '1.2',
  columns: [{ name: 'state', recorded: 100, blank: 0, classes: 1, notes: ['Every value is PLATEAU.'] }],
  frames: 100,
  states: 1,
  lgas: 1,
  wards: 1,
  cutAtBoundary: 8,
  inSeveralParts: 0,
  wardRows: 1,
  repeatedNames: 0,
  untidyNames: 0,
  withoutStateOrLga: 0,
  atTheSamePlace: 0,
  outsideTheOutline: 0,
  wardsTooSmallForAFrame: 0,
}

describe('the report of frames build', () => {
  it('counts the rows of wards that were corrected or left out', () => {
    const report = buildReport({ ...summary, wardRows: 12, untidyNames: 2, withoutStateOrLga: 1 })
    assert.ok(
      report.endsWith(
        '\nNotes on the 12 rows of wards:\n' +
          '  2 names had line breaks or needless blanks: made single blanks.\n' +
          '  1 rows named no state or area: left out.',
      ),
      report,
    )
  })

  it('ends without a heading where there is nothing to note', () => {
    assert.ok(
      buildReport(summary).endsWith(
        '8 frames are cut at the boundary, 0 of them in several parts.\n' +
          'They cover 121.9 km², from 9 to 9.1 east and from 8 to 8.1 north; a frame has from 0.5 to 1.2 km².\n' +
          '  state: 100 values, 1 different. Every value is PLATEAU.',
      ),
    )
  })
})
