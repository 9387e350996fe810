/**
 * Draws the base map, of the layers that Protomaps gives their names (docs.protomaps.com/basemaps/layers): land and
 * waters below the values, and lines above them. map-labels.ts writes its places.
 */
import type {
  ExpressionSpecification,
  FilterSpecification,
  LayerSpecification,
  StyleSpecification,
} from './maplibre-gl.mjs'
import { cssColour, element } from './map-browser.js'
import { appAddress } from './map-view.js'

export const BASE = 'base'

const source = () => element('map').dataset['base']

/** The address says that a person took it out. */
export const hasBase = (): boolean =>
  source() !== undefined && new URLSearchParams(location.search).get('base') !== 'off'

export function baseSources(): StyleSpecification['sources'] {
  if (!hasBase()) return {}
  const { version, ...reach } = JSON.parse(source() ?? '{}') as { version: string }
  return { [BASE]: { type: 'vector', tiles: [`${appAddress()}/tiles/base/{z}/{x}/{y}?of=${version}`], ...reach } }
}

const GREEN = ['forest', 'wood', 'park', 'nature_reserve', 'national_park', 'protected_area', 'grassland', 'scrub']

const layerOf = (name: string, kinds: readonly string[] = []) => ({
  source: BASE,
  'source-layer': name,
  ...(kinds.length > 0 && { filter: ['in', 'kind', ...kinds] as unknown as FilterSpecification }),
})

/** Waters are lines and points, too. */
const AREAS = ['==', '$type', 'Polygon'] as const

/** Up to a zoom, they are pale by themselves. */
export function baseShapes({ paleTo, pale }: { paleTo: number; pale: number }): LayerSpecification[] {
  if (!hasBase()) return []
  const fill = (name: string, colour: string, kinds: readonly string[] = []): LayerSpecification => {
    const { filter, ...layer } = layerOf(name, kinds)
    const areas = (filter ? ['all', AREAS, filter] : AREAS) as unknown as FilterSpecification
    const opacity = ['step', ['zoom'], pale, paleTo, 1] as unknown as ExpressionSpecification
    const paint = { 'fill-color': cssColour(colour), 'fill-antialias': false, 'fill-opacity': opacity }
    return { ...layer, id: `base-${name}`, type: 'fill', filter: areas, paint }
  }
  return [fill('earth', 'base-earth'), fill('landuse', 'base-green', GREEN), fill('water', 'base-water')]
}

/** Minor roads are a thicket where the map shows a town whole. */
const MINOR_FROM = 12

/** Thin lines leave the colours of the values to be seen. */
const WIDER = [6, 14] as const

export function baseLines(): LayerSpecification[] {
  if (!hasBase()) return []
  const line = (id: string, layer: object, colour: string, width: number): LayerSpecification =>
    ({
      ...layer,
      id: `base-${id}`,
      type: 'line',
      paint: {
        'line-color': cssColour(colour),
        'line-width': [
          'interpolate',
          ['linear'],
          ['zoom'],
          WIDER[0],
          width / 2,
          WIDER[1],
          2 * width,
        ] as unknown as ExpressionSpecification,
      },
    }) as LayerSpecification
  const roads = (kinds: readonly string[], minzoom = 0) => ({ ...layerOf('roads', kinds), minzoom })
  const broad = ['highway', 'major_road']
  return [
    line('shores', layerOf('water'), 'base-shore', 0.7),
    line('minor', roads(['minor_road'], MINOR_FROM), 'base-road', 0.4),
    line('major-edge', roads(broad), 'base-road-edge', 1.8),
    line('major', roads(broad), 'base-road', 0.8),
    line('highway', roads(['highway']), 'base-road', 1.3),
    line('borders', layerOf('boundaries', ['country']), 'base-border', 0.8),
  ]
}
