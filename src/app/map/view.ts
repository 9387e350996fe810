/** The address of the map holds all that a page shows: a link draws the same for everybody who may see it. */
import { ApiError, invalid } from '../../core/errors.js'
import { idsParam, unitParam, type Box, type Unit } from '../../api/http/params.js'
import { decode, type Query } from '../../api/http/query.js'
import { isQueryNumber } from '../../core/decimal.js'
import { CLASSINGS, type Classing } from './classing.js'
import { typedBox, framesFault, typedFault } from './typed-place.js'

export type Pick =
  | { kind: 'frames'; ids: readonly string[] }
  | { kind: 'unit'; unit: Unit }
  | { kind: 'box'; box: Box }
  | { kind: 'shape'; shape: string }

/** `no` is the place among the features of the dataset, where the database finds it. */
export type PickedFeature = { layerId: string; no: number; id: string }

/** An attribute, as one text: a dataset and an attribute with a blank between. */
export type ColourChoice = { dataset: string; attribute: string }

type Camera = { lat: number; lon: number; zoom: number }

export type MapView = {
  /** Undefined: the map chooses. */
  dataset?: string | undefined
  attribute?: string | undefined
  /** A second map beside the first is coloured by it. */
  beside?: ColourChoice | undefined
  /** One map is coloured by the change from `beside` instead. */
  as?: 'change' | undefined
  /** Undefined: quantiles. */
  classes?: Classing | undefined
  /** Undefined: units and blocks show sums for each km² of land. */
  per?: 'total' | undefined
  /** Undefined: the map shows the whole index, or what was picked. */
  camera?: Camera | undefined
  pick?: Pick | undefined
  /** A feature is picked instead. */
  feature?: PickedFeature | undefined
  /** A person searches for this text. */
  search?: string | undefined
  /** A person asks this about what is picked, or about the whole index. */
  question?: string | undefined
}

const ZOOM_MAX = 16
const PARAMETER_MAX = 200
/** nginx takes addresses of 8 kB where nothing sets it up otherwise. */
export const SHAPE_MAX = 6000

export function viewOf(query: Query): MapView {
  const frames = framesParam(query, 'frames') ?? framesParam(query, 'frame')
  const unit = inWords(unitFault(query), () => unitParam(withoutBlanks(query)))
  const box = shortTextParam(query, 'box')
  const picks: Pick[] = []
  if (frames) picks.push({ kind: 'frames', ids: frames })
  if (unit) picks.push({ kind: 'unit', unit })
  if (box !== undefined) picks.push({ kind: 'box', box: typedBox(box) })
  const shape = shapeTyped(query)
  if (shape !== undefined) picks.push({ kind: 'shape', shape })
  const feature = featureOf(shortTextParam(query, 'feature'))
  if (picks.length + (feature ? 1 : 0) > 1) throw invalid('It names several places, and a map shows one.')
  return {
    dataset: shortTextParam(query, 'dataset'),
    attribute: shortTextParam(query, 'attribute'),
    beside: colourChoice('with', shortTextParam(query, 'with')),
    as: listedParam(query, 'as', ['beside', 'change']) === 'change' ? 'change' : undefined,
    classes: listedParam(query, 'classes', CLASSINGS),
    per: listedParam(query, 'per', ['km2', 'total']) === 'total' ? 'total' : undefined,
    camera: inWords(CAMERA_FAULT, () => cameraOf(query)),
    pick: picks[0],
    feature,
    search: shortTextParam(query, 'q', 'Search'),
    question: questionOf(query),
  }
}

/** A person reads these texts in the forms, though the map cannot show them. That of a box or a shape may be at fault. */
export type Misread = { fault: string; box?: string; shape?: string; search?: string; question: string | undefined }

/** Reads what can be read: a page keeps a form as it was filled, and says what is wrong with it. */
export function readableView(query: Query): { view: MapView; misread?: Misread } {
  try {
    return { view: viewOf(query) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const misread = {
      fault: error.message,
      ...(error.code === 'invalid_bbox' && { box: typedText(query, 'box') }),
      search: typedText(query, 'q'),
      question: questionOf(query),
    }
    return { view: viewColour(query), misread }
  }
}

function viewColour(query: Query): MapView {
  const [dataset, attribute] = ['dataset', 'attribute'].map((name) => typedText(query, name) || undefined)
  return { dataset, attribute }
}

const typedText = (query: Query, name: string): string => {
  const [sent = ''] = query.get(name) ?? []
  return (decode(sent.replaceAll('+', ' ')) ?? sent).slice(0, PARAMETER_MAX)
}

function unitFault(query: Query): string {
  const names = [
    ['state', 'State'],
    ['lga', 'LGA'],
    ['ward', 'Ward'],
  ] as const
  const faults = names.flatMap(([name, label]) => typedFault(query.get(name) ?? [], label) ?? [])
  return faults[0] ?? 'An LGA has its state beside it, and a ward its LGA and its state.'
}

const CAMERA_FAULT = `The middle of the map has a latitude up to 90, a longitude up to 180, and a zoom up to ${ZOOM_MAX}.`

/** The rules are those of the API, whose messages name its parameters. */
function inWords<Value>(fault: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof ApiError ? invalid(fault) : error
  }
}

function framesParam(query: Query, name: string): string[] | undefined {
  return inWords(framesFault(query.get(name) ?? []), () => idsParam(renamedParameter(query, name, 'ids')))
}

/** A form sends every field, blank ones too. */
function withoutBlanks(query: Query): Query {
  return new Map([...query].filter(([, values]) => values.some((value) => value !== '')))
}

function renamedParameter(query: Query, from: string, to: string): Query {
  const values = withoutBlanks(query).get(from)
  return values ? new Map([[to, values]]) : new Map()
}

function shortTextParam(query: Query, name: string, label = name): string | undefined {
  const [sent = '', ...more] = query.get(name) ?? []
  const fault = typedFault([sent], label)
  if (fault !== undefined) throw invalid(fault)
  const value = decode(sent.replaceAll('+', ' '))?.trim() ?? ''
  if (more.length > 0 || value.length > PARAMETER_MAX)
    throw invalid(`${label}: one text of at most ${PARAMETER_MAX} characters is accepted.`)
  return value === '' ? undefined : value
}

/** The database reads it: this only bounds it. */
function shapeTyped(query: Query): string | undefined {
  const [sent = '', ...more] = query.get('shape') ?? []
  const fault = typedFault([sent, ...more], 'Shape')
  const value = decode(sent.replaceAll('+', ' '))?.trim() ?? ''
  if (fault !== undefined) throw invalid(fault)
  if (value.length > SHAPE_MAX)
    throw invalid(
      `This shape takes ${value.length} characters, and an address ${SHAPE_MAX}. frames export --shape takes 10,000 vertices.`,
    )
  return value === '' ? undefined : value
}

function featureOf(sent: string | undefined): PickedFeature | undefined {
  if (sent === undefined) return undefined
  const [, layerId, no, id] = /^(\S+) (\d{1,9}) (.+)$/.exec(sent) ?? []
  if (layerId === undefined || id === undefined)
    throw invalid('feature: a dataset, a number and an id are accepted, with a blank between.')
  return { layerId, no: Number(no), id }
}

/** Reads "lyr_population pop_demest26". */
export function colourChoice(name: string, sent: string | undefined): ColourChoice | undefined {
  if (sent === undefined) return undefined
  const [, dataset, attribute] = /^(\S+) (\S.*)$/.exec(sent) ?? []
  if (dataset === undefined || attribute === undefined)
    throw invalid(`${name}: a dataset and an attribute are accepted.`)
  return { dataset, attribute }
}

export const choiceText = ({ dataset, attribute }: ColourChoice): string => `${dataset} ${attribute}`

function listedParam<Value extends string>(query: Query, name: string, values: readonly Value[]): Value | undefined {
  const sent = shortTextParam(query, name)
  const value = values.find((each) => each === sent)
  if (sent !== undefined && value === undefined)
    throw invalid(`${name}: ${values.slice(0, -1).join(', ')} or ${values.at(-1)} is accepted.`)
  return value
}

/** The rules of the insight call are checked where the question is asked: the form then keeps what was typed. */
export function questionOf(query: Query): string | undefined {
  const [sent = ''] = query.get('question') ?? []
  const question = decode(sent.replaceAll('+', ' '))?.trim()
  return question === '' ? undefined : question
}

function cameraOf(query: Query): Camera | undefined {
  const lat = numberParam(query, 'lat', 90)
  const lon = numberParam(query, 'lon', 180)
  const zoom = numberParam(query, 'z', ZOOM_MAX)
  return lat === undefined || lon === undefined || zoom === undefined ? undefined : { lat, lon, zoom }
}

function numberParam(query: Query, name: string, most: number): number | undefined {
  const sent = shortTextParam(query, name)
  if (sent === undefined) return undefined
  const value = isQueryNumber(sent) ? Number(sent) : NaN
  if (!(Math.abs(value) <= most)) throw invalid(`${name}: a number up to ${most} is accepted.`)
  return value
}

/** A view without its place and what was asked about it: a link or a form brings another. */
export const NO_PLACE = {
  camera: undefined,
  pick: undefined,
  feature: undefined,
  search: undefined,
  question: undefined,
} satisfies MapView

/** Writes the query of an address. */
export function queryOf(view: MapView): string {
  const { beside, camera, pick, feature } = view
  const fields: [name: string, value: string | undefined][] = [
    ['dataset', view.dataset],
    ['attribute', view.attribute],
    ['with', beside && choiceText(beside)],
    ['as', view.as],
    ['classes', view.classes],
    ['per', view.per],
    ['lat', camera?.lat.toString()],
    ['lon', camera?.lon.toString()],
    ['z', camera?.zoom.toString()],
    ...(pick ? pickFields(pick) : []),
    ['feature', feature && `${feature.layerId} ${feature.no} ${feature.id}`],
    ['q', view.search],
    ['question', view.question],
  ]
  const sent = fields.flatMap(([name, value]): [string, string][] => (value === undefined ? [] : [[name, value]]))
  return sent.length === 0 ? '' : `?${new URLSearchParams(sent).toString()}`
}

/** Lists the fields of a form that keep what was picked. */
export function pickFields(pick: Pick): [name: string, value: string][] {
  switch (pick.kind) {
    case 'frames':
      return [[pick.ids.length === 1 ? 'frame' : 'frames', pick.ids.join(',')]]
    case 'box':
      return [['box', boxText(pick.box)]]
    case 'shape':
      return [['shape', pick.shape]]
    case 'unit': {
      const { level: _level, ...names } = pick.unit
      return Object.entries(names)
    }
  }
}

export const boxText = ({ minLon, minLat, maxLon, maxLat }: Box): string => [minLon, minLat, maxLon, maxLat].join(',')
