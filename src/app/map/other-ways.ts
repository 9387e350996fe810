/** Says how a program gets what a panel of the map shows: by calls of the API, and by schema analyst for totals. */
import type { Box, Unit } from '../../api/http/params.js'
import type { ExplainedCall } from '../../api/inspect/call.js'
import { literal } from '../../api/inspect/literals.js'
import type { AnalystSelect, OtherWays } from '../shell/show-sql.js'
import { unitArgs } from './words.js'

type UnitLevelName = Unit['level']

const get = (path: string, query: Readonly<Record<string, string>>): ExplainedCall => {
  // A comma stands in an address as it is.
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',')
  return { method: 'GET', path: text === '' ? path : `${path}?${text}`, body: undefined }
}

const TOTALS_COLUMNS = 'label, total, class, unit, recorded, frames'

const fromTotals = (level: UnitLevelName, select: string): AnalystSelect => ({
  reason: `No call of the API gives totals. The view analyst.${level}_totals has them.`,
  select,
})

export const waysToIndex: OtherWays = {
  calls: [get('/v1/states', {})],
  analyst: fromTotals(
    'state',
    `select state, ${TOTALS_COLUMNS} from analyst.state_totals order by layer_id, attribute, state`,
  ),
}

/** The views have names in upper case, as the index does. */
const foldedName = (name: string | null): string | null =>
  name === null ? null : name.normalize('NFC').trim().replaceAll(/\s+/g, ' ').toUpperCase()

export function waysToUnit(unit: Unit): OtherWays {
  const { level, ...names } = unit
  const [state, lga, ward] = unitArgs(unit).map(foldedName)
  const where = conditions({ state, lga, ward })
  return {
    calls: [get('/v1/frames', names)],
    analyst: fromTotals(
      level,
      `select ${TOTALS_COLUMNS} from analyst.${level}_totals where ${where} order by layer_id, attribute`,
    ),
  }
}

const conditions = (values: Readonly<Record<string, string | null | undefined>>): string =>
  Object.entries(values)
    .flatMap(([name, value]) => (value === null || value === undefined ? [] : [`${name} = ${literal(value)}`]))
    .join(' and ')

type Below = { level: UnitLevelName; state: string | null; lga: string | null; layerId: string; attribute: string }

/** The units of a level in a unit above, with their totals of an attribute. */
export const waysToUnitsBelow = ({ level, state, lga, layerId, attribute }: Below): OtherWays => ({
  analyst: fromTotals(
    level,
    `select ${level}, total, class, recorded, frames from analyst.${level}_totals where ${conditions({ state: foldedName(state), lga: foldedName(lga), layer_id: layerId, attribute })} order by total desc nulls last`,
  ),
})

/** The totals of one attribute over states. */
export const totalsOfDatasetSelect = (layerId: string, attribute: string): AnalystSelect =>
  fromTotals(
    'state',
    `select state, total, class, recorded, frames from analyst.state_totals where ${conditions({ layer_id: layerId, attribute })} order by state`,
  )

/** The call names the datasets that the panel read: without names it would charge for the others. */
const dataCalls = (ids: string, layers: readonly string[]): ExplainedCall[] =>
  layers.length === 0 ? [] : [get('/v1/frames/data', { ids, datasets: layers.join(',') })]

export const waysToFrame = (id: string, layers: readonly string[]): OtherWays => ({
  calls: [get('/v1/frames', { ids: id }), ...dataCalls(id, layers)],
})

const ADDS_UP = 'No call of the API adds frames up. The view analyst.frame has their units and areas.'

const sizeWhere = (condition: string): AnalystSelect => ({
  reason: ADDS_UP,
  select: `select state, lga, count(*) as frames, sum(km2) as km2 from analyst.frame where ${condition} group by state, lga`,
})

/** The call has the features of the frames that the feature lies on. */
export const waysToFeature = (layerId: string, found: { frames: readonly string[] } | undefined): OtherWays =>
  found && found.frames.length > 0
    ? { calls: [get('/v1/frames/data', { ids: found.frames.join(','), datasets: layerId })] }
    : {
        analyst: {
          reason:
            'No call of the API reads a feature that lies on no frame. The view analyst.dataset names the view of its dataset.',
          select: `select * from analyst.dataset where ${conditions({ layer_id: layerId })}`,
        },
      }

export const waysToFrames = (ids: readonly string[], layers: readonly string[]): OtherWays => ({
  calls: [get('/v1/frames', { ids: ids.join(',') }), ...dataCalls(ids.join(','), layers)],
  analyst: sizeWhere(`frame_id in (${ids.join(', ')})`),
})

export const waysToBox = ({ minLon, minLat, maxLon, maxLat }: Box): OtherWays => ({
  calls: [get('/v1/frames', { bbox: [minLon, minLat, maxLon, maxLat].join(',') })],
  analyst: sizeWhere(`ST_Intersects(geom, ST_MakeEnvelope(${minLon}, ${minLat}, ${maxLon}, ${maxLat}, 4326))`),
})

export const waysToShape = (shape: string): OtherWays => ({
  analyst: {
    reason:
      'No call of the API takes a shape; tools of /mcp do. The function analyst.totals_in adds up its frames in both ways.',
    select: `select * from analyst.totals_in(ST_GeomFromText(${literal(shape)}, 4326))`,
  },
})

export const waysToPoint = (lat: number, lon: number): OtherWays => ({
  calls: [get('/v1/frames/at', { lat: String(lat), lon: String(lon) })],
})

export const waysToNames = (words: string): OtherWays => ({
  analyst: {
    reason:
      'No call of the API searches. The view analyst.ward has the names of wards, and of the units above them. The line finds names that hold the text exactly, in either case; the search finds codes and similar names too.',
    select: `select ward, lga, state, frames from analyst.ward where position(upper(${literal(words)}) in upper(concat_ws(' ', ward, lga, state))) > 0`,
  },
})
