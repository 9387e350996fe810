import assert from 'node:assert/strict'
import { buildReport } from '../../src/tools/cli/load-report.js'

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
  tookNearestWard: 0,
  outlineFaults: [],
  overlaps: [],
}

describe('the report of frames build', () => {
  it('tells of wards that were corrected, left out or overlap, and of an outline that crosses itself', () => {
    const report = buildReport({
      ...summary,
      wardRows: 12,
      untidyNames: 2,
      withoutStateOrLga: 1,
      tookNearestWard: 200,
      outlineFaults: ['feature 1 (line 1): Self-intersection[10.05 5.05]'],
      overlaps: [
        { ward: '99, LEFT, SOUTH', middles: 49, kept: 0, hasNoFrame: true },
        { ward: '1, LEFT, SOUTH', middles: 1, kept: 1, hasNoFrame: false },
      ],
    })
    assert.match(report, /100 frames, 1 state, 1 local government area, 1 ward\.\n8 frames are cut/)
    assert.match(report, /\nThe outline is not valid, .*feature 1 \(line 1\): Self-intersection\[10\.05 5\.05\]\.\n/)
    assert.ok(
      report.endsWith(
        '\nNotes on the 12 rows of wards:\n' +
          '  2 names had line breaks or needless blanks: made single blanks.\n' +
          '  1 row named no state or area: left out.\n' +
          '  200 frames took the nearest ward: no area holds their middle.\n' +
          '  The areas of 2 wards overlap. Where several hold the middle of a frame, the lowest name has it:\n' +
          '    99, LEFT, SOUTH holds 49 middles, all in other wards too: it has no frame.\n' +
          '    1, LEFT, SOUTH holds 1 middle that other wards hold too, and has 1 of these frames.',
      ),
      report,
    )
  })
})
