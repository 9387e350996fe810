/** Finds the frames of points: in the database by thousands, or through the API one by one. */
import type { Database } from '../../core/db/connect.js'
import { pointsLocated } from '../../core/db/statements.js'
import { dataAt, sideBySide, RefusedCall, type Api } from '../export/api.js'
import { databaseApi, recordedUnits, type QuoteData } from '../export/database-api.js'
import type { Point } from '../../api/http/params.js'

type LocatedFrame = { id: string; units: Readonly<Record<string, string>> }

export type Locator = {
  /** Returns the values of datasets. */
  api: Api
  /** So many rows are located together, and kept together by a run that is cut short. */
  rowsAtOnce: number
  /** Answers in the order of the points, with undefined for a point off the grid. */
  framesAt: (points: readonly Point[]) => Promise<(LocatedFrame | undefined)[]>
}

/** With `quote`, rows are located as many at a time as through the API, so that the calls are the same. */
export const databaseLocator = (db: Database, layers: string[], quote?: QuoteData): Locator => ({
  api: databaseApi(db, layers, quote),
  rowsAtOnce: quote ? API_ROWS : 5000,
  framesAt: async (points) => {
    const found = points.map((): LocatedFrame | undefined => undefined)
    const [lons, lats] = [points.map(({ lon }) => lon), points.map(({ lat }) => lat)]
    for (const row of await pointsLocated(db, lons, lats))
      found[row.place - 1] = { id: row.id, units: recordedUnits(row) }
    return found
  },
})

const API_ROWS = 200

/** The API takes one point in a call. A point that several rows have is asked for once. */
export const apiLocator = (api: Api): Locator => ({
  api,
  rowsAtOnce: API_ROWS,
  framesAt: async (points) => {
    const paths = points.map(({ lon, lat }) => `/v1/frames/at?lat=${lat}&lon=${lon}`)
    const distinct = [...new Set(paths)]
    const frames = await sideBySide(api, distinct, (path) => frameAt(api, path))
    const byPath = new Map(distinct.map((path, i) => [path, frames[i]]))
    return paths.map((path) => byPath.get(path))
  },
})

async function frameAt(api: Api, path: string): Promise<LocatedFrame | undefined> {
  try {
    const { id, admin = {} } = await dataAt<{ id: string; admin?: Record<string, string> }>(api, path)
    return { id, units: admin }
  } catch (error) {
    if (error instanceof RefusedCall && error.code === 'not_found') return undefined
    throw error
  }
}
