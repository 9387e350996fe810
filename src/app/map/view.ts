/** The address of the map holds all that a page shows: a link draws the same for everybody who may see it. */
import { ApiError, invalid } from '../../core/errors.js'
import { namePattern } from '../../core/parameters.js'
import { parametersOf, type Place, placesOf, readIds, readUnit, UNIT_LEVELS, type UnitPath } from '../../core/place.js'
import { decode, type Query, typedText } from '../../api/http/query.js'
import { isQueryNumber } from '../../core/decimal.js'
import type { Filter } from '../../core/figures/index.js'
import { QUESTION_MAX } from '../../core/insight/index.js'
import { typedNumber } from './classes.js'
import { CLASSINGS } from './classing.js'
import { conditionText, readCondition } from './condition.js'
import { typedBox, framesFault, typedFault } from './typed-place.js'

/** `no` is the place among the features of the dataset, where the database finds it. */
export type PickedFeature = { layerId: string; no: number; id: string }

/** An attribute, as one text: a dataset and an attribute with a blank between. */
export type ColourChoice = { dataset: string; attribute: string }

const PARAMETER_MAX = 200

/** Reads a part of a view from the parameters of an address, and writes it as these parameters. */
type Field<Value> = {
  read: (query: Query) => Value | undefined
  write(this: void, value: Value): Readonly<Record<string, string>>
}

const textField = (name: string, label = name, most = PARAMETER_MAX): Field<string> => ({
  read: (query) => shortText(query, name, label, most),
  write: (value) => ({ [name]: value }),
})

/** `usual`: an address need not say it. */
const listedField = <Value extends string>(name: string, values: readonly Value[], usual?: Value): Field<Value> => ({
  read: (query) => {
    const sent = shortText(query, name)
    const value = values.find((each) => each === sent)
    if (sent !== undefined && value === undefined)
      throw invalid(`${name}: ${values.slice(0, -1).join(', ')} or ${values.at(-1)} is accepted.`)
    return value === usual ? undefined : value
  },
  write: (value) => ({ [name]: value }),
})

/** In the order in which an address has them. */
const FIELDS = {
  /** Undefined: the map chooses. */
  dataset: textField('dataset'),
  attribute: textField('attribute'),
  /** A second map beside the first is coloured by it. */
  beside: {
    read: (query) => colourChoice('with', shortText(query, 'with')),
    write: (choice) => ({ with: choiceText(choice) }),
  } satisfies Field<ColourChoice>,
  /** One map is coloured by the change from `beside` instead. */
  as: listedField('as', ['beside', 'change'], 'beside'),
  /** Undefined: the numbers decide. */
  classes: listedField('classes', CLASSINGS),
  /** Undefined: the zoom decides which level is coloured. */
  level: listedField('level', ['ward', 'lga', 'state']),
  /** Undefined: units show sums for each km² of land. */
  per: listedField('per', ['km2', 'total'], 'km2'),
  /** The map under the values, where the operator gave one. */
  base: listedField('base', ['on', 'off'], 'on'),
  /** Frames whose number lies between these, which both belong to it. */
  brush: { read: brushOf, write: (brush) => brush } satisfies Field<Brush>,
  /** Undefined: the map shows the whole index, or what was picked. */
  camera: {
    read: cameraOf,
    write: ({ lat, lon, zoom }) => ({ lat: String(lat), lon: String(lon), z: String(zoom) }),
  } satisfies Field<Camera>,
  /** Ask, Take along and SQL read only the frames that pass this condition. */
  where: {
    read: (query) => readCondition(typedText(query, 'where')),
    write: (filter) => ({ where: conditionText(filter) ?? '' }),
  } satisfies Field<Filter>,
  pick: { read: pickOf, write: pickFields } satisfies Field<Place>,
  /** A feature is looked at; what was picked stays. */
  feature: {
    read: featureOf,
    write: ({ layerId, no, id }) => ({ feature: `${layerId} ${no} ${id}` }),
  } satisfies Field<PickedFeature>,
  /** A person searches for this text. */
  search: textField('q', 'Search', QUESTION_MAX),
  /** A person asks this about what is picked, or about the whole index. */
  question: {
    read: (query) => questionOf(query),
    write: (question) => ({ question }),
  } satisfies Field<string>,
}

const eachField = Object.entries(FIELDS) as [keyof MapView, Field<unknown>][]

export type MapView = {
  [Name in keyof typeof FIELDS]?: ReturnType<(typeof FIELDS)[Name]['read']>
}

type Brush = { from?: string; to?: string }
type Camera = { lat: number; lon: number; zoom: number }

const ZOOM_MAX = 16
/** nginx takes addresses of 8 kB where nothing sets it up otherwise. */
export const SHAPE_MAX = 6000

export function viewOf(query: Query): MapView {
  // A fault of the place is said before all others.
  const pick = pickOf(query)
  return { ...(Object.fromEntries(eachField.map(([name, { read }]) => [name, read(query)])) as MapView), pick }
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
  const sent = eachField.flatMap(([name, { write }]) =>
    view[name] === undefined ? [] : Object.entries(write(view[name])),
  )
  return sent.length === 0 ? '' : `?${new URLSearchParams(sent).toString()}`
}

/** A person reads these texts in the forms, though the map cannot show them. That of a box or a shape may be at fault. */
export type Misread = { fault: string; box?: string; shape?: string; search?: string; question: string | undefined }

/** Reads what can be read: a page keeps a form as it was filled, and says what is wrong with it. */
export function readableView(query: Query): { view: MapView; misread?: Misread } {
  try {
    return { view: viewOf(query) }
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    const [dataset, attribute] = ['dataset', 'attribute'].map((name) => sentText(query, name) || undefined)
    const misread = {
      fault: error.message,
      ...(error.code === 'invalid_bbox' && { box: sentText(query, 'box') }),
      search: sentText(query, 'q'),
      question: questionOf(query),
    }
    return { view: { dataset, attribute }, misread }
  }
}

const sentText = (query: Query, name: string): string => {
  const [sent = ''] = query.get(name) ?? []
  return (decode(sent.replaceAll('+', ' ')) ?? sent).slice(0, PARAMETER_MAX)
}

function pickOf(query: Query): Place | undefined {
  const places = placesOf({
    frames: framesOf(query, 'frames') ?? framesOf(query, 'frame'),
    unit: unitOf(query),
    box: typedBox(shortText(query, 'box')),
    shape: shapeTyped(query),
  })
  if (places.length > 1) throw invalid('It names several places, and a map shows one.')
  return places[0]
}

/** Lists the fields of a form that keep what was picked. */
export function pickFields(place: Place): Readonly<Record<string, string>> {
  if ('frames' in place) return { [place.frames.length === 1 ? 'frame' : 'frames']: place.frames.join(',') }
  return 'box' in place ? { box: place.box.join(',') } : parametersOf(place)
}

/** The rules are those of the API, whose messages name its parameters. */
function inWords<Value>(fault: string, read: () => Value): Value {
  try {
    return read()
  } catch (error) {
    throw error instanceof ApiError ? invalid(fault) : error
  }
}

/** A form sends every field, blank ones too. */
function filled(query: Query, name: string): readonly string[] {
  const sent = query.get(name) ?? []
  return sent.some((value) => value !== '') ? sent : []
}

function framesOf(query: Query, name: string): string[] | undefined {
  const sent = filled(query, name)
  // Several texts are no list of ids once blanks join them.
  const text = sent.map((value) => decode(value) ?? '').join(' ')
  return sent.length === 0 ? undefined : inWords(framesFault(sent), () => readIds(text))
}

const UNIT_FAULT = 'An LGA has its state beside it, and a ward its LGA and its state.'
export const UNIT_TITLES = { state: 'State', lga: 'LGA', ward: 'Ward' }

function unitOf(query: Query): UnitPath | undefined {
  const names = UNIT_LEVELS.map((level) => {
    const sent = filled(query, level)
    const fault = typedFault(sent, UNIT_TITLES[level])
    if (fault !== undefined) throw invalid(fault)
    return sent[0] === undefined ? undefined : decode(sent[0].replaceAll('+', ' '))
  })
  if (names.some((name) => name !== undefined && !namePattern.test(name))) throw invalid(UNIT_FAULT)
  return inWords(UNIT_FAULT, () => readUnit(names))
}

function shortText(query: Query, name: string, label = name, most = PARAMETER_MAX): string | undefined {
  const [sent = '', ...more] = query.get(name) ?? []
  const fault = typedFault([sent], label)
  if (fault !== undefined) throw invalid(fault)
  const value = typedText(query, name) ?? ''
  if (more.length > 0 || value.length > most)
    throw invalid(`${label}: one text of at most ${most} characters is accepted.`)
  return value === '' ? undefined : value
}

/** The database reads it: this only bounds it. */
function shapeTyped(query: Query): string | undefined {
  const fault = typedFault(query.get('shape') ?? [], 'Shape')
  const value = typedText(query, 'shape') ?? ''
  if (fault !== undefined) throw invalid(fault)
  if (value.length > SHAPE_MAX)
    throw invalid(
      `This shape takes ${value.length} characters, and an address ${SHAPE_MAX}. frames export --shape takes 10,000 vertices.`,
    )
  return value === '' ? undefined : value
}

function featureOf(query: Query): PickedFeature | undefined {
  const sent = shortText(query, 'feature')
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

/** The rules of the insight call are checked where the question is asked: the form then keeps what was typed. */
export const questionOf = (query: Query): string | undefined => typedText(query, 'question') || undefined

function brushOf(query: Query): Brush | undefined {
  const [from, to] = ['from', 'to'].map((name) => {
    const sent = shortText(query, name)
    return sent && typedNumber(sent)
  })
  const wrong = [from, to].find((number) => number !== undefined && !isQueryNumber(number))
  if (wrong !== undefined) throw invalid(`A filter has a number at either end; "${wrong.slice(0, 20)}" is none.`)
  if (from !== undefined && to !== undefined && Number(from) > Number(to))
    throw invalid(`The filter begins at ${from}, and ends before that, at ${to}.`)
  if (from === undefined && to === undefined) return undefined
  return { ...(from !== undefined && { from }), ...(to !== undefined && { to }) }
}

function cameraOf(query: Query): Camera | undefined {
  const fault = `The middle of the map has a latitude up to 90, a longitude up to 180, and a zoom up to ${ZOOM_MAX}.`
  const number = (name: string, most: number): number | undefined => {
    const sent = inWords(fault, () => shortText(query, name))
    if (sent === undefined) return undefined
    if (isQueryNumber(sent) && Math.abs(Number(sent)) <= most) return Number(sent)
    throw invalid(fault)
  }
  const [lat, lon, zoom] = [number('lat', 90), number('lon', 180), number('z', ZOOM_MAX)]
  return lat === undefined || lon === undefined || zoom === undefined ? undefined : { lat, lon, zoom }
}
