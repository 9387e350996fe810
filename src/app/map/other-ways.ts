/** Says how a program gets what a panel of the map shows: by calls of the API, and by schema analyst for totals. */
import { foldName, parametersOf, type Place, UNIT_LEVELS, type UnitLevel, type UnitPath } from '../../core/place.js'
import type { ExplainedCall } from '../../api/inspect/call.js'
import { literal } from '../../api/inspect/literals.js'
import type { AnalystSelect, OtherWays } from '../shell/show-sql.js'

const get = (path: string, query: Readonly<Record<string, string>>): ExplainedCall => {
  // A comma stands in an address as it is.
  const text = new URLSearchParams(query).toString().replaceAll('%2C', ',')
  return { method: 'GET', path: text === '' ? path : `${path}?${text}`, body: undefined }
}

const TOTALS_COLUMNS = 'label, total, class, unit, recorded, frames'

const fromTotals = (level: UnitLevel, select: string): AnalystSelect => ({
  reason: `No call of the API gives totals. The view analyst.${level}_totals has them.`,
  select,
})

const conditions = (values: Readonly<Record<string, string>>): string =>
  Object.entries(values)
    .map(([name, value]) => `${name} = ${literal(value)}`)
    .join(' and ')

/** The views have names in upper case, as the index does. */
const inUnit = (unit: UnitPath) => parametersOf({ unit: unit.map(foldName) })

/** The units below a unit, with their totals of an attribute. */
export function waysToUnitsBelow(above: UnitPath, layerId: string, attribute: string): OtherWays {
  const level = UNIT_LEVELS[above.length] ?? 'ward'
  const where = conditions({ ...inUnit(above), layer_id: layerId, attribute })
  return {
    analyst: fromTotals(
      level,
      `select ${level}, total, class, recorded, frames from analyst.${level}_totals where ${where} order by total desc nulls last`,
    ),
  }
}

/** The totals of one attribute over states. */
export const totalsOfDatasetSelect = (layerId: string, attribute: string): AnalystSelect =>
  fromTotals(
    'state',
    `select state, total, class, recorded, frames from analyst.state_totals where ${conditions({ layer_id: layerId, attribute })} order by state`,
  )

/** The call names the datasets that the panel read: without names it would charge for the others. */
const dataCalls = (ids: readonly string[], layers: readonly string[]): ExplainedCall[] =>
  layers.length === 0 ? [] : [get('/v1/frames/data', { ids: ids.join(','), datasets: layers.join(',') })]

export const waysToFrame = (id: string, layers: readonly string[]): OtherWays => ({
  calls: [get('/v1/frames', { ids: id }), ...dataCalls([id], layers)],
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

/** `layers`: the datasets that a panel of frames reads. */
export function waysToPlace(place: Place, layers: readonly string[] = []): OtherWays {
  const calls = [get('/v1/frames', parametersOf(place))] as const
  if ('frames' in place) {
    const ids = place.frames.join(', ')
    return { calls: [...calls, ...dataCalls(place.frames, layers)], analyst: sizeWhere(`frame_id in (${ids})`) }
  }
  if ('box' in place)
    return { calls, analyst: sizeWhere(`ST_Intersects(geom, ST_MakeEnvelope(${place.box.join(', ')}, 4326))`) }
  if ('shape' in place) {
    const reason =
      'No call of the API takes a shape; tools of /mcp do. The function analyst.totals_in adds up its frames in both ways.'
    return {
      analyst: { reason, select: `select * from analyst.totals_in(ST_GeomFromText(${literal(place.shape)}, 4326))` },
    }
  }
  const level = UNIT_LEVELS[place.unit.length - 1]
  if (!level)
    return {
      calls: [get('/v1/states', {})],
      analyst: fromTotals(
        'state',
        `select state, ${TOTALS_COLUMNS} from analyst.state_totals order by layer_id, attribute, state`,
      ),
    }
  const where = conditions(inUnit(place.unit))
  return {
    calls,
    analyst: fromTotals(
      level,
      `select ${TOTALS_COLUMNS} from analyst.${level}_totals where ${where} order by layer_id, attribute`,
    ),
  }
}

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
