/** Makes the style of the map: MapLibre compares it with the one before, and changes what differs. */
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  StyleSpecification,
} from './maplibre-gl.mjs'
import type { Paint } from '../map/legend.js'
import { cssColour, element } from './map-browser.js'
import { FEATURES_FROM, hasFeatures, markLayers } from './map-marks.js'
import { wholeBounds } from './map-view.js'

/** Each level is coloured from one zoom to another: src/app/tiles/ has tiles for these zooms. */
const FRAMES_ZOOM = Number(element('map').dataset['framesFrom'])
const STYLE_LEVELS = [
  { level: 'state', source: 'units', layer: 'states', from: 0, to: 4 },
  { level: 'lga', source: 'units', layer: 'lgas', from: 4, to: 6 },
  { level: 'block', source: 'blocks', layer: 'blocks', from: 6, to: FRAMES_ZOOM },
  { level: 'frame', source: 'frames', layer: 'frames', from: FRAMES_ZOOM, to: 24 },
] as const

/** Tiles of these zooms exist; nearer, MapLibre enlarges the last. */
const SOURCES = {
  units: [0, 5],
  outlines: [6, 11],
  blocks: [6, 8],
  frames: [FRAMES_ZOOM, 14],
  features: [FEATURES_FROM, 14],
} as const

/** Outlines are tiles of units without values: from zoom 6 on other levels are coloured. */
export const UNIT_SOURCES = [
  ['units', 0, 6],
  ['outlines', 6, 24],
] as const

export type StyleLevel = (typeof STYLE_LEVELS)[number]['level']

export const levelAt = (zoom: number): StyleLevel => STYLE_LEVELS.find(({ to }) => zoom < to)?.level ?? 'frame'

/** A click finds units and frames in these layers. */
export const fillLayers = STYLE_LEVELS.flatMap(({ level }) => [`${level}-fill`, `${level}-hatch`])

/** Each map has a legend. */
export type LegendId = 'legend' | 'legend-beside'

type Colouring = { dataset: string; attribute: string; paint: Paint }

/** Reads what the server wrote into the legend. */
function colouring(legend: LegendId): Colouring | undefined {
  const { dataset, attribute, paint } = element(legend).dataset
  if (dataset === undefined || attribute === undefined || paint === undefined) return undefined
  return { dataset, attribute, paint: JSON.parse(paint) as Paint }
}

const VALUE = ['get', 'value']
/** A unit without land has no density. */
const DENSITY = ['/', VALUE, ['max', ['coalesce', ['get', 'km2'], 0], 1e-6]]
/** A change from zero has no percentage: zero after zero is no change, and any other value lies past the outermost bound. */
const PERCENT = [
  'case',
  ['==', VALUE, ['get', 'before']],
  0,
  ['/', ['*', 100, ['-', VALUE, ['get', 'before']]], ['abs', ['get', 'before']]],
]

/** A shape belongs to the first class whose test it passes, and to the last class if it passes none. */
function testsOf(paint: Paint, level: StyleLevel): unknown[][] {
  if ('classes' in paint) return paint.colours.map((_, i) => ['==', ['get', 'class'], paint.classes[i]])
  if ('steps' in paint) {
    const { steps } = paint
    const less = [...steps.toReversed().map((step) => -step), 0]
    return [...less.map((bound) => ['<', PERCENT, bound]), ...[0, ...steps].map((bound) => ['<=', PERCENT, bound])]
  }
  const { bounds = [], isDensity = false } = paint.levels[level] ?? {}
  return bounds.map((bound) => ['<=', isDensity ? DENSITY : VALUE, bound])
}

function fillColour(paint: Paint, level: StyleLevel): ExpressionSpecification | string {
  const colours = ('levels' in paint ? paint.levels[level]?.colours : paint.colours) ?? []
  const last = cssColour('classes' in paint ? 'class-other' : (colours.at(-1) ?? 'map-plain'))
  const cases = testsOf(paint, level).flatMap((test, i) => [test, cssColour(colours[i] ?? 'map-plain')])
  return cases.length === 0 ? last : (['case', ...cases, last] as unknown as ExpressionSpecification)
}

const HAS_VALUE = ['any', ['has', 'value'], ['has', 'class']] as unknown as FilterSpecification
const HAS_CHANGE = [
  'all',
  ['has', 'before'],
  ['has', 'value'],
  ['any', ['!=', ['get', 'before'], 0], ['==', ['get', 'value'], 0]],
] as unknown as FilterSpecification

/** Each tile of a layer with stripes waits until the page hands their picture to the worker, also where none are drawn. */
const hasGaps = (paint: Paint, level: StyleLevel): boolean =>
  !('levels' in paint) || (paint.levels[level]?.hasGaps ?? true)

/** The name of the stripes is their colour: a map that changes its scheme may still wait for those of the other. */
export const hatchName = () => cssColour('hatch')

type Picked = { outlines: unknown[]; unit: { state?: string; lga?: string | null; ward?: string | null } }

function picked(): Picked {
  const { outlines, unit } = element('panel').dataset
  return { outlines: JSON.parse(outlines ?? '[]') as unknown[], unit: JSON.parse(unit ?? '{}') as Picked['unit'] }
}

export function mapStyle(legend: LegendId = 'legend'): StyleSpecification {
  const colour = colouring(legend)
  const { outlines, unit } = picked()
  const lit = JSON.parse(document.querySelector<HTMLElement>('#asked')?.dataset['lit'] ?? '[]') as unknown[]
  const tiles = element('map').dataset['tiles'] ?? ''
  const query = colour ? tileQuery(colour) : ''
  const sources: StyleSpecification['sources'] = {
    ...(lit.length > 0 && { lit: shapeSource(lit) }),
    ...(outlines.length > 0 && { picked: shapeSource(outlines) }),
  }
  for (const [name, [minzoom, maxzoom]] of Object.entries(SOURCES)) {
    if (name === 'features' && !hasFeatures()) continue
    const isPlain = name === 'outlines' || name === 'features'
    const path = `${name === 'outlines' ? 'units' : name}/{z}/{x}/{y}${isPlain ? '' : query}`
    // A feature may lie outside of all frames.
    const bounds = name === 'features' ? undefined : wholeBounds()
    const template = `${location.origin}${tiles}/${path}`
    sources[name] = { type: 'vector', tiles: [template], minzoom, maxzoom, ...(bounds && { bounds }) }
  }
  return {
    version: 8,
    sources,
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': cssColour('map-ground') } },
      ...STYLE_LEVELS.flatMap((each) => levelLayers(each, colour)),
      ...lineLayers(),
      ...markLayers(),
      ...(lit.length > 0 ? litLayers() : []),
      ...(unit.state === undefined ? [] : unitLayers(unit)),
      ...(outlines.length > 0 ? outlineLayers() : []),
    ],
  }
}

const shapeSource = (geometries: readonly unknown[]): StyleSpecification['sources'][string] => ({
  type: 'geojson',
  data: {
    type: 'FeatureCollection',
    features: geometries.map((geometry) => ({ type: 'Feature', properties: {}, geometry })),
  } as never,
})

const tileQuery = ({ dataset, attribute, paint }: Colouring): string =>
  `?${new URLSearchParams({ dataset, attribute, ...('before' in paint && { with: paint.before }) }).toString()}`

function levelLayers(
  { level, source, layer, from, to }: (typeof STYLE_LEVELS)[number],
  colour: Colouring | undefined,
): LayerSpecification[] {
  const common = { type: 'fill', source, 'source-layer': layer, minzoom: from, maxzoom: to } as const
  const plain = { 'fill-color': cssColour('map-plain'), 'fill-antialias': false }
  if (!colour) return [{ ...common, id: `${level}-fill`, paint: plain }]
  const { paint } = colour
  const filter = 'before' in paint ? HAS_CHANGE : HAS_VALUE
  return [
    {
      ...common,
      id: `${level}-fill`,
      filter,
      paint: { 'fill-color': fillColour(paint, level) as never, 'fill-antialias': false },
    },
    ...(hasGaps(paint, level)
      ? [{ ...common, id: `${level}-hatch`, filter: ['!', filter] as never, paint: { 'fill-pattern': hatchName() } }]
      : []),
    ...('isUnsure' in paint && paint.isUnsure ? [1, 2] : []).map((degree): LayerSpecification => ({
      ...common,
      id: `${level}-unsure-${degree}`,
      filter: unsureBy(degree) as never,
      paint: { 'fill-pattern': unsureName(degree) },
    })),
  ]
}

export const unsureName = (degree: number): string => `${cssColour('unsure')} ${degree}`

/** The bounds are wider apart than half the value, or than the value. */
const unsureBy = (degree: number): unknown[] => [
  'all',
  ['has', 'upper'],
  ['>', ['-', ['get', 'upper'], ['get', 'lower']], ['*', degree / 2, ['get', 'value']]],
  ...(degree === 1 ? [['!', unsureBy(2)]] : []),
]

/** Frames show their edges from the zoom at which they are some 20 pixels wide. */
const FRAME_EDGES_FROM = 10.5

/** Where units are small on the screen, broad lines would hide their colours. */
const narrower = (width: number) =>
  ['interpolate', ['linear'], ['zoom'], 4, width / 3, 8, width] as unknown as ExpressionSpecification

function lineLayers(): LayerSpecification[] {
  const frames = { type: 'line', source: 'frames', 'source-layer': 'frames', minzoom: FRAME_EDGES_FROM } as const
  const edge = (level: string, layer: string, [least, width]: [number, number]) =>
    UNIT_SOURCES.filter(([, , to]) => to > least).map(([source, from, to]): LayerSpecification => ({
      id: `${level}-${source}`,
      type: 'line',
      source,
      'source-layer': layer,
      minzoom: Math.max(from, least),
      maxzoom: to,
      paint: { 'line-color': cssColour(`edge-${level}`), 'line-width': narrower(width) },
    }))
  return [
    { ...frames, id: 'frame-edge', paint: { 'line-color': cssColour('edge-frame'), 'line-width': 0.5 } },
    ...edge('ward', 'wards', [9, 0.5]),
    ...edge('lga', 'lgas', [4, 0.75]),
    ...edge('state', 'states', [0, 1.5]),
  ]
}

/** The frames that an answer rests on, or the frames and the units that it names. Their edges show them where they are smaller than a pixel. */
function litLayers(): LayerSpecification[] {
  const colour = cssColour('picked-core')
  return [
    { id: 'lit-fill', type: 'fill', source: 'lit', paint: { 'fill-color': colour, 'fill-opacity': 0.3 } },
    { id: 'lit-edge', type: 'line', source: 'lit', paint: { 'line-color': colour, 'line-width': 1.5 } },
  ]
}

/** A broad line in the colour of the ground, and a thin one upon it that no ramp has, surround what is picked. */
const PICKED_LINES = [
  ['halo', 5],
  ['core', 2.5],
] as const

function unitLayers({ state, lga, ward }: Picked['unit']): LayerSpecification[] {
  const layer = ward ? 'wards' : lga ? 'lgas' : 'states'
  const filter = [
    'all',
    ['==', ['get', 'state'], state],
    ...(lga ? [['==', ['get', 'lga'], lga]] : []),
    ...(ward ? [['==', ['get', 'ward'], ward]] : []),
  ] as unknown as FilterSpecification
  return PICKED_LINES.flatMap(([part, width]) =>
    UNIT_SOURCES.map(([source, minzoom, maxzoom]): LayerSpecification => ({
      id: `picked-${source}-${part}`,
      type: 'line',
      source,
      'source-layer': layer,
      minzoom,
      maxzoom,
      filter,
      paint: { 'line-color': cssColour(`picked-${part}`), 'line-width': width },
    })),
  )
}

function outlineLayers(): LayerSpecification[] {
  const isPoint = ['in', ['geometry-type'], ['literal', ['Point', 'MultiPoint']]] as unknown as FilterSpecification
  return PICKED_LINES.flatMap(([part, width]): LayerSpecification[] => {
    const colour = cssColour(`picked-${part}`)
    return [
      {
        id: `picked-${part}`,
        type: 'line',
        source: 'picked',
        paint: { 'line-color': colour, 'line-width': width },
      },
      {
        id: `picked-point-${part}`,
        type: 'circle',
        source: 'picked',
        filter: isPoint,
        paint: {
          'circle-radius': 10,
          'circle-opacity': 0,
          'circle-stroke-color': colour,
          'circle-stroke-width': width,
        },
      },
    ]
  })
}

const HATCH = 8
/** Stripes of unsure values run the other way, and lie closer the less sure a value is. */
const UNSURE = [HATCH, 10, 6]

/** Draws stripes of a colour from corner to corner, which join at the edges of the picture. */
export function hatchImage(name: string): { width: number; height: number; data: Uint8Array } {
  const [red = 0, green = 0, blue = 0] = (/\d+ \d+ \d+/.exec(name)?.[0] ?? '').split(' ').map(Number)
  const degree = Number(/ ([12])$/.exec(name)?.[1] ?? 0)
  const size = UNSURE[degree] ?? HATCH
  const data = new Uint8Array(size * size * 4)
  for (let row = 0; row < size; row += 1) {
    const column = degree > 0 ? row : (size - row) % size
    data.set([red, green, blue, 255], 4 * (row * size + column))
    // Beside the dark line of an unsure value a light one shows on dark colours.
    data.set(degree > 0 ? [255, 255, 255, 190] : [red, green, blue, 90], 4 * (row * size + ((column + 1) % size)))
  }
  return { width: size, height: size, data }
}
