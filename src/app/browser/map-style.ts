/** Makes the style of the map: MapLibre compares it with the one before, and changes what differs. */
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  StyleSpecification,
} from './maplibre-gl.mjs'
import { baseLines, baseShapes, baseSources, hasBase } from './map-base.js'
import { colouringOf, cssColour, element, type LegendId } from './map-browser.js'
import type { Level } from '../map/classes.js'
import { FEATURES_FROM, hasFeatures, markLayers } from './map-marks.js'
import { appAddress, wholeBounds } from './map-view.js'

const FRAMES_ZOOM = Number(element('map').dataset['framesFrom'])
/** Frames are cells of the grid: their ids say where they lie. Of others the tiles have the shapes. */
export const hasCells = element('map').dataset['grid'] !== undefined

type StyleLevel = { level: Level; from: number; to: number }

/** Nothing is drawn at this zoom. */
const NEAREST = 24

/** Tiles have wards from this zoom on: sql/tiles/units_of_tile.sql. */
const WARDS_FROM = 8

/** Each level is coloured from one zoom to another. Tiles have LGAs from zoom 4 on. */
function styleLevels(): StyleLevel[] {
  const chosen = element('legend').dataset['level']
  if (chosen === 'state') return [{ level: 'state', from: 0, to: NEAREST }]
  const states: StyleLevel = { level: 'state', from: 0, to: 4 }
  if (chosen === 'lga') return [states, { level: 'lga', from: 4, to: NEAREST }]
  const [next, from] = chosen === 'ward' ? (['ward', WARDS_FROM] as const) : (['frame', FRAMES_ZOOM] as const)
  return [states, { level: 'lga', from: 4, to: from }, { level: next, from, to: NEAREST }]
}

/** Tiles of these zooms exist; nearer, MapLibre enlarges the last. */
const SOURCES: Readonly<Record<string, readonly [from: number, to: number]>> = {
  units: [0, 11],
  ...(!hasCells && { frames: [FRAMES_ZOOM, 14] }),
  features: [FEATURES_FROM, 14],
}

/** The tiles that have the shapes of each level. */
export const AREA_LAYERS = {
  state: { source: 'units', sourceLayer: 'states' },
  lga: { source: 'units', sourceLayer: 'lgas' },
  ward: { source: 'units', sourceLayer: 'wards' },
  frame: { source: 'frames', sourceLayer: 'frames' },
} as const

export const levelAt = (zoom: number): Level => styleLevels().findLast(({ from }) => zoom >= from)?.level ?? 'state'

const shapedLevels = () => styleLevels().filter(({ level }) => level !== 'frame' || !hasCells)

/** A click finds the shapes of units, and of frames that are no cells, in these layers. */
export const fillLayers = () => shapedLevels().map(({ level }) => `${level}-fill`)

const framesFrom = () => styleLevels().find(({ level }) => level === 'frame')?.from ?? NEAREST

/** The name of the stripes is their colour: a map that changes its scheme may still wait for those of the other. */
export const hatchName = () => cssColour('hatch')

type Picked = { outlines: unknown[]; unit: { state?: string; lga?: string | null; ward?: string | null } }

function picked(): Picked {
  const { outlines, unit } = element('panel').dataset
  return { outlines: JSON.parse(outlines ?? '[]') as unknown[], unit: JSON.parse(unit ?? '{}') as Picked['unit'] }
}

export function mapStyle(legend: LegendId = 'legend'): StyleSpecification {
  const isColoured = colouringOf(legend) !== undefined
  const { outlines, unit } = picked()
  const lit = JSON.parse(document.querySelector<HTMLElement>('#asked')?.dataset['lit'] ?? '[]') as unknown[]
  const kept = lit.length > 0 ? lit : outlines
  const isDim = element('asked').dataset['dim'] !== undefined
  const sources: StyleSpecification['sources'] = {
    ...baseSources(),
    ...(isDim && kept.length > 0 && { others: shapeSource([allBut(kept)]) }),
    ...(lit.length > 0 && { lit: shapeSource(lit) }),
    ...(outlines.length > 0 && { picked: shapeSource(outlines) }),
  }
  for (const [name, [minzoom, maxzoom]] of Object.entries(SOURCES)) {
    if (name === 'features' && !hasFeatures()) continue
    // A feature may lie outside of all frames, and a base map does.
    const bounds = name === 'features' || hasBase() ? undefined : wholeBounds()
    const template = `${appAddress()}/tiles/${name}/{z}/{x}/{y}`
    // The tiles of frames have ids that a number of JavaScript may not hold as a property.
    const ids = name === 'frames' && { promoteId: 'id' }
    sources[name] = { type: 'vector', tiles: [template], minzoom, maxzoom, ...ids, ...(bounds && { bounds }) }
  }
  return {
    version: 8,
    sources,
    layers: [
      { id: 'ground', type: 'background', paint: { 'background-color': cssColour('map-ground') } },
      ...baseShapes({ paleTo: framesFrom(), pale: 1 - GROUND_OVER_BASE }),
      ...shapedLevels().flatMap((each) => levelLayers(each, isColoured)),
      ...(hasCells ? landLayers() : []),
      outsideLayer(),
      ...baseLines(),
      ...lineLayers(),
      ...markLayers(),
      ...(isDim ? dimLayers(kept.length > 0, unit) : []),
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

const stateOf = (name: string): ExpressionSpecification => ['feature-state', name]

/** The script gives each shape the colour of its class; one without a value shows the stripes below. */
function levelLayers({ level, from, to }: StyleLevel, isColoured: boolean): LayerSpecification[] {
  const { source, sourceLayer } = AREA_LAYERS[level]
  const common = { type: 'fill', source, 'source-layer': sourceLayer, minzoom: from, maxzoom: to } as const
  const when = (test: unknown) => ['case', test, 1, 0] as unknown as ExpressionSpecification
  const stripes = (id: string, pattern: string, test: unknown): LayerSpecification => ({
    ...common,
    id,
    paint: { 'fill-pattern': pattern, 'fill-opacity': when(test) },
  })
  const plain = cssColour('map-plain')
  const colour = isColoured ? (['to-color', stateOf('colour'), plain] as unknown as ExpressionSpecification) : plain
  return [
    {
      ...common,
      id: `${level}-fill`,
      paint: {
        'fill-color': colour,
        'fill-antialias': false,
        'fill-opacity': [
          'case',
          ['to-boolean', stateOf('isBlank')],
          0,
          ['to-boolean', stateOf('isOutside')],
          0.12,
          1,
        ] as unknown as ExpressionSpecification,
      },
    },
    ...(isColoured
      ? [
          stripes(`${level}-hatch`, hatchName(), ['to-boolean', stateOf('isBlank')]),
          ...[1, 2].map((degree) =>
            stripes(`${level}-unsure-${degree}`, unsureName(degree), ['==', stateOf('unsure'), degree]),
          ),
        ]
      : []),
  ]
}

/** The base map is as pale where nothing covers it. */
const GROUND_OVER_BASE = 0.6

const UNITS = { source: 'units', 'source-layer': 'states' } as const

/** The land in one colour: cells are drawn on it once their values have come. */
const landLayers = (): LayerSpecification[] => [
  {
    ...UNITS,
    id: 'land',
    type: 'fill',
    minzoom: framesFrom(),
    paint: { 'fill-color': cssColour('map-plain'), 'fill-antialias': false },
  },
]

/**
 * A cell that a boundary cuts is drawn whole: the ground covers the rest, and leaves a base map pale. MapLibre draws what
 * is opaque below the cells.
 */
const outsideLayer = (): LayerSpecification => ({
  ...UNITS,
  'source-layer': 'outside',
  id: 'outside',
  type: 'fill',
  minzoom: framesFrom(),
  paint: {
    'fill-color': cssColour('map-ground'),
    'fill-antialias': false,
    'fill-opacity': hasBase() ? GROUND_OVER_BASE : 0.999,
  },
})

export const unsureName = (degree: number): string => `${cssColour('unsure')} ${degree}`

/** Frames show their edges from the zoom at which they are some 20 pixels wide. */
const FRAME_EDGES_FROM = 10.5

/** Where units are small on the screen, broad lines would hide their colours. */
const narrower = (width: number) =>
  ['interpolate', ['linear'], ['zoom'], 4, width / 3, 8, width] as unknown as ExpressionSpecification

function lineLayers(): LayerSpecification[] {
  const edge = (level: string, layer: string, [minzoom, width]: [number, number]): LayerSpecification => ({
    id: `${level}-edge`,
    type: 'line',
    source: 'units',
    'source-layer': layer,
    minzoom,
    paint: { 'line-color': cssColour(`edge-${level}`), 'line-width': narrower(width) },
  })
  const frames = { source: 'frames', 'source-layer': 'frames', minzoom: FRAME_EDGES_FROM } as const
  return [
    ...(hasCells
      ? []
      : [
          {
            ...frames,
            id: 'frame-edge',
            type: 'line',
            paint: { 'line-color': cssColour('edge-frame'), 'line-width': 0.5 },
          } as const,
        ]),
    edge('ward', 'wards', [9, 0.5]),
    edge('lga', 'lgas', [4, 0.75]),
    edge('state', 'states', [0, 1.5]),
  ]
}

/** The frames that an answer rests on, or the frames and the units that it names. Their edges show them where they are smaller than a pixel. */
function litLayers(): LayerSpecification[] {
  const colour = cssColour('picked-core')
  return [
    { id: 'lit-halo', type: 'line', source: 'lit', paint: { 'line-color': cssColour('picked-halo'), 'line-width': 3 } },
    { id: 'lit-edge', type: 'line', source: 'lit', paint: { 'line-color': colour, 'line-width': 1.5 } },
  ]
}

type Shape = { type: string; coordinates: unknown[][] }

/** The whole world, with these polygons as holes. */
function allBut(shapes: readonly unknown[]): unknown {
  const world = [
    [-180, -85],
    [180, -85],
    [180, 85],
    [-180, 85],
    [-180, -85],
  ]
  const polygons = (shapes as readonly Shape[]).flatMap(({ type, coordinates }) =>
    type === 'Polygon' ? [coordinates[0]] : type === 'MultiPolygon' ? coordinates.map(([ring]) => ring) : [],
  )
  return { type: 'Polygon', coordinates: [world, ...polygons] }
}

/** While the statement behind a figure is open, all but its frames are dim: those of an answer, or of what is picked. */
function dimLayers(hasShapes: boolean, unit: Picked['unit']): LayerSpecification[] {
  const paint = { 'fill-color': cssColour('map-ground'), 'fill-opacity': 0.8, 'fill-antialias': false } as const
  if (hasShapes) return [{ id: 'dim', type: 'fill', source: 'others', paint }]
  if (unit.state === undefined) return []
  const { filter, ...tiles } = tilesOfUnit(unit)
  return [{ id: 'dim', type: 'fill', ...tiles, filter: ['!', filter] as unknown as FilterSpecification, paint }]
}

/** A broad line in the colour of the ground, and a thin one upon it that no ramp has, surround what is picked. */
const PICKED_LINES = [
  ['halo', 5],
  ['core', 2.5],
] as const

function tilesOfUnit({ state, lga, ward }: Picked['unit']) {
  const layer = ward ? 'wards' : lga ? 'lgas' : 'states'
  const filter = [
    'all',
    ['==', ['get', 'state'], state],
    ...(lga ? [['==', ['get', 'lga'], lga]] : []),
    ...(ward ? [['==', ['get', 'ward'], ward]] : []),
  ] as unknown as FilterSpecification
  return { source: 'units', 'source-layer': layer, filter } as const
}

const unitLayers = (unit: Picked['unit']): LayerSpecification[] =>
  PICKED_LINES.map(([part, width]) => ({
    id: `picked-unit-${part}`,
    type: 'line',
    ...tilesOfUnit(unit),
    paint: { 'line-color': cssColour(`picked-${part}`), 'line-width': width },
  }))

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
  const [red = 0, green = 0, blue = 0] = (/\d+, \d+, \d+/.exec(name)?.[0] ?? '').split(', ').map(Number)
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
