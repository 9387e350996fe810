/** The address of the map holds all that a page shows: a link draws the same for everybody who may see it. */
import { invalid } from '../../errors.js'
import { boxParam, idsParam, unitParam, type Box, type Unit } from '../../http/params.js'
import { decode, type Query } from '../../http/query.js'
import { isQueryNumber } from '../../decimal.js'

export type Pick = { kind: 'frames'; ids: readonly string[] } | { kind: 'unit'; unit: Unit } | { kind: 'box'; box: Box }

type Camera = { lat: number; lon: number; zoom: number }

export type MapView = {
  /** Undefined: the map chooses. */
  dataset?: string | undefined
  attribute?: string | undefined
  /** Undefined: the map shows the whole index, or what was picked. */
  camera?: Camera | undefined
  pick?: Pick | undefined
  /** A person searches for this text. */
  search?: string | undefined
  /** A person asks this about what is picked, or about the whole index. */
  question?: string | undefined
}

const ZOOM_MAX = 16
const TEXT_MAX = 200

export function viewOf(query: Query): MapView {
  const frames = idsParam(renamed(query, 'frames', 'ids')) ?? idsParam(renamed(query, 'frame', 'ids'))
  const unit = unitParam(withoutBlanks(query))
  const box = boxParam(withoutSpaces(renamed(query, 'box', 'bbox')))
  const picks: Pick[] = []
  if (frames) picks.push({ kind: 'frames', ids: frames })
  if (unit) picks.push({ kind: 'unit', unit })
  if (box) picks.push({ kind: 'box', box })
  if (picks.length > 1) throw invalid('One of frames, state and box is accepted, not more.')
  return {
    dataset: text(query, 'dataset'),
    attribute: text(query, 'attribute'),
    camera: cameraOf(query),
    pick: picks[0],
    search: text(query, 'q'),
    question: questionOf(query),
  }
}

/** A form sends every field, blank ones too. */
function withoutBlanks(query: Query): Query {
  return new Map([...query].filter(([, values]) => values.some((value) => value !== '')))
}

function renamed(query: Query, from: string, to: string): Query {
  const values = withoutBlanks(query).get(from)
  return values ? new Map([[to, values]]) : new Map()
}

/** A form writes a blank as a plus sign, which a number would keep. */
const withoutSpaces = (query: Query): Query =>
  new Map([...query].map(([name, values]) => [name, values.map((value) => value.replace(/\+|%20/g, ''))]))

function text(query: Query, name: string): string | undefined {
  const [sent = '', ...more] = query.get(name) ?? []
  const value = decode(sent.replaceAll('+', ' '))?.trim()
  if (value === undefined || more.length > 0 || value.includes('\0') || value.length > TEXT_MAX)
    throw invalid(`${name}: one text of at most ${TEXT_MAX} characters is accepted.`)
  return value === '' ? undefined : value
}

/** The rules of the insight call are checked where the question is asked: the form then keeps what was typed. */
export function questionOf(query: Query): string | undefined {
  const [sent = ''] = query.get('question') ?? []
  const question = decode(sent.replaceAll('+', ' '))?.trim()
  return question === '' ? undefined : question
}

function cameraOf(query: Query): Camera | undefined {
  const [lat, lon, zoom] = [number(query, 'lat', 90), number(query, 'lon', 180), number(query, 'z', ZOOM_MAX)]
  return lat === undefined || lon === undefined || zoom === undefined ? undefined : { lat, lon, zoom }
}

function number(query: Query, name: string, most: number): number | undefined {
  const sent = text(query, name)
  if (sent === undefined) return undefined
  const value = isQueryNumber(sent) ? Number(sent) : NaN
  if (!(Math.abs(value) <= most)) throw invalid(`${name}: a number up to ${most} is accepted.`)
  return value
}

/** Writes the query of an address. */
export function queryOf({ dataset, attribute, camera, pick, search, question }: MapView): string {
  const query = new URLSearchParams()
  if (dataset !== undefined) query.set('dataset', dataset)
  if (attribute !== undefined) query.set('attribute', attribute)
  if (camera) {
    query.set('lat', String(camera.lat))
    query.set('lon', String(camera.lon))
    query.set('z', String(camera.zoom))
  }
  for (const [name, value] of pick ? pickFields(pick) : []) query.set(name, value)
  if (search !== undefined) query.set('q', search)
  if (question !== undefined) query.set('question', question)
  return query.size === 0 ? '' : `?${query.toString()}`
}

/** Lists the fields of a form that keep what was picked. */
export function pickFields(pick: Pick): [name: string, value: string][] {
  switch (pick.kind) {
    case 'frames':
      return [[pick.ids.length === 1 ? 'frame' : 'frames', pick.ids.join(',')]]
    case 'box':
      return [['box', boxText(pick.box)]]
    case 'unit': {
      const { level: _level, ...names } = pick.unit
      return Object.entries(names)
    }
  }
}

export const boxText = ({ minLon, minLat, maxLon, maxLat }: Box): string => [minLon, minLat, maxLon, maxLat].join(',')
