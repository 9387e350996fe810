/** The values of a subject on frames, in SQL that shares nothing with the service's. */
import type { FigureSubject } from '../../src/core/figures/typed.js'

export type Rows = <Row>(text: string) => Promise<readonly Row[]>

export const quote = (text: string) => `'${text.replaceAll("'", "''")}'`
export const listOf = (ids: readonly string[]) => `array[${ids.join()}]::bigint[]`
const DECIMAL = String.raw`'^[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$'`
export const asNumber = (text: string) => `case when trim(${text}) ~ ${DECIMAL} then trim(${text})::numeric end`

/** A select of frame_id, value and number: the features by their shapes, not by the stored join. */
export function valuesOf({ layerId, attribute, property }: FigureSubject, ids: readonly string[]): string {
  const isIn = `frame_id = any (${listOf(ids)})`
  if (layerId === 'frames') {
    const number = attribute === 'geom' ? 'round((ST_Area(geom::geography) / 1e6)::numeric, 6)' : '1'
    const value = ['state', 'lga', 'ward'].includes(attribute) ? attribute : 'null'
    return `select frame_id, ${value}::text as value, ${number}::numeric as number from frame where ${isIn}`
  }
  if (attribute !== 'feature') {
    const text = `recorded ->> ${quote(attribute)}`
    return `select frame_id, trim(${text}) as value,
        case when (select type from attribute where layer_id = ${quote(layerId)} and name = ${quote(attribute)}) = 'number' then ${asNumber(text)} end as number
      from baseline where layer_id = ${quote(layerId)} and ${isIn} and trim(${text}) <> ''`
  }
  const text = property === undefined ? 'null' : `properties ->> ${quote(property)}`
  const number =
    property === undefined
      ? 'count(feature_id)'
      : `case count(feature_id) when 0 then 0 else sum(${asNumber(text)}) end`
  return `select frame_id, null as value, ${number}::numeric as number
    from frame left join ${featuresOf(layerId)} on ST_Intersects(frame.geom, shape) where ${isIn} group by frame_id`
}

const featuresOf = (layerId: string) =>
  `(select feature_id, feature.geom as shape, properties from dataset join feature using (version) where layer_id = ${quote(layerId)}) as feature`
export const featuresIn = (layerId: string, ids: readonly string[]) =>
  `select distinct on (feature_id) feature_id, shape, properties, coalesce(properties ->> 'name', feature_id) as name
    from frame join ${featuresOf(layerId)} on ST_Intersects(frame.geom, shape) where frame_id = any (${listOf(ids)})`

export const total = (subject: FigureSubject, ids: readonly string[]) => {
  if (subject.attribute !== 'feature') return `(select sum(number) from (${valuesOf(subject, ids)}) as cell)`
  const number = subject.property === undefined ? '1' : asNumber(`properties ->> ${quote(subject.property)}`)
  return `(select coalesce(sum((${number})::numeric), 0) from (${featuresIn(subject.layerId, ids)}) as inside)`
}
export const plain = (number: string, digits?: number) =>
  `trim_scale(${digits === undefined ? number : `round((${number})::numeric, ${digits})`})::text`

/** Two places, or two digits that are not zero. */
export const small = (number: string) =>
  `(select case when abs(q) >= 0.1 or q = 0 then ${plain('q', 2)} else trim_scale(round(q, 1 - floor(log(abs(q)))::int))::text end from (select ${number} as q) as one_quotient)`

/** One place, or two digits that are not zero. */
export const percentOf = (part: string, whole: string) =>
  `(select case when q >= 1 or q = 0 then ${plain('q', 1)} else trim_scale(round(q, 1 - floor(log(q))::int))::text end
    from (select 100 * ${part} / nullif(${whole}, 0) as q) as percent)`

/** The draws of a modelled attribute, added up over frames. */
export const drawsOf = ({ layerId, attribute }: FigureSubject, ids: readonly string[]) => `(select n, sum(draw) as draw
  from frame_interval as kept join dataset using (version) cross join unnest(draws) with ordinality as each (draw, n)
  where layer_id = ${quote(layerId)} and kept.attribute = ${quote(attribute)} and frame_id = any (${listOf(ids)}) group by n)`

/** Forty draws: a fortieth of the way from the outermost to the next, and three digits outwards. */
export async function boundsOfDraws(rows: Rows, draws: string, by = '1'): Promise<string[] | undefined> {
  const rounded = (bound: string, way: string) =>
    `(select case when x = 0 then '0' else trim_scale(${way}(x / p) * p)::text end
      from (select ${bound} as x) as found cross join lateral (select power(10::numeric, floor(log(nullif(abs(x), 0))) - 2) as p) as place)`
  const [row] = await rows<{ says: string[] }>(
    `select array_remove(array[${rounded('s[1] + (s[2] - s[1]) / 40', 'floor')}, ${rounded('s[40] - (s[40] - s[39]) / 40', 'ceil')}], null) as says
      from (select array_agg(draw / ${by} order by draw / ${by}) as s from ${draws} as part) as sorted`,
  )
  return row?.says
}
