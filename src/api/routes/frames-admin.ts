/** GET /v1/frames/admin: the administrative units as a tree, with wards under a named state. */
import * as statements from '../../core/db/statements.js'
import type { Reader, TreeRow } from '../../core/db/index.js'
import { readUnit } from '../../core/place.js'
import type { Route } from '../http/admit.js'
import { recordedMembers } from '../http/geojson.js'
import { namesParam } from '../http/params.js'
import { sendData } from '../http/send.js'
import type { Services } from '../../services.js'

export function framesAdminRoute({ readerForRequest }: Services): Route {
  return async ({ asked, deadline, unlessCached }, res) => {
    const [state, lga] = readUnit(namesParam(asked, 2)) ?? []
    const reader = readerForRequest(deadline)
    const read = () => treeRows(reader, state, lga)
    const rows = await unlessCached(reader, { question: [state, lga], read })
    if (rows) await sendData(res, { states: treeOf(rows) })
  }
}

function treeRows(reader: Reader, state: string | undefined, lga: string | undefined): Promise<TreeRow[]> {
  if (state === undefined) return statements.adminTree(reader)
  return lga === undefined ? statements.adminTreeOfState(reader, state) : statements.adminTreeOfLga(reader, state, lga)
}

/** Rows come in the order of the tree: the rows of a state follow one another, and within it the rows of an LGA. */
function treeOf(rows: readonly TreeRow[]): object[] {
  return runsOf(rows, 'state').map(([first, inState]) => ({
    ...recordedMembers({ state: first.state, stateCode: first.stateCode, zone: first.zone, zoneCode: first.zoneCode }),
    frames: first.stateFrames,
    lgas: runsOf(inState, 'lga').map(([area, inArea]) => ({
      ...recordedMembers({ lga: area.lga, lgaCode: area.lgaCode }),
      frames: area.lgaFrames,
      ...('ward' in area ? { wards: inArea.filter((row) => row.ward).map(wardJson) } : {}),
    })),
  }))
}

const wardJson = ({ ward, wardCode, wardFrames }: TreeRow) => ({
  ...recordedMembers({ ward, wardCode }),
  frames: wardFrames,
})

/** Splits the rows into runs that agree in one column. Each run comes with its first row. */
function runsOf(rows: readonly TreeRow[], column: 'state' | 'lga'): [TreeRow, TreeRow[]][] {
  const runs: [TreeRow, TreeRow[]][] = []
  for (const row of rows) {
    const run = runs.at(-1)
    if (run && run[0][column] === row[column]) run[1].push(row)
    else runs.push([row, [row]])
  }
  return runs
}
