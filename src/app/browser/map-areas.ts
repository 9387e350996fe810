/** Colours the areas of a map by the values that the page keeps, and finds the area at a point. */
import type { Map as MapLibreMap, Point } from './maplibre-gl.mjs'
import type { FrameRun, UnitValue } from '../tiles/values.js'
import { type Colouring, colouringOf, cssColour, darkScheme, type LegendId } from './map-browser.js'
import { FIRST_CLASS, openCells, OUTSIDE, SIDE } from './map-cells.js'
import { type Area, beforeOf, type Brush, type Classes, classesOf, isInside, type Level } from '../map/classes.js'
import { AREA_LAYERS, fillLayers, hasCells, levelAt } from './map-style.js'
import type { MapValues } from './map-values.js'
import { type MapBounds, type Square, squaresIn } from './map-view.js'

type AreaOnMap = Area & { id: string }
export type FoundArea = AreaOnMap & Partial<Record<'state' | 'lga' | 'ward', string>>

export type Areas = {
  /** Colours what is in view, as the legend now says. */
  draw: () => void
  /** Undefined where nothing lies, and null where the values have not come yet. */
  at: (point: Point) => FoundArea | null | undefined
}

export function openAreas(map: MapLibreMap, legend: LegendId, values: MapValues): Areas {
  const shown = readAreas(legend, values)
  return { draw: drawAreas(map, shown), at: (point) => areaAt(map, shown, point) }
}

type UnitLevel = Exclude<Level, 'frame'>
/** On a map of the change, `before` has the earlier values of the same frames. */
type Frames = { now: readonly FrameRun[]; before: readonly FrameRun[] | undefined }

/** The classes of the legend, and the values that they colour. Each is undefined while it is under way. */
type ShownAreas = {
  colouring: () => Colouring | undefined
  frames: (square: Square) => Frames | undefined
  units: (level: UnitLevel) => Map<string, AreaOnMap> | undefined
}

function readAreas(legend: LegendId, values: MapValues): ShownAreas {
  const colouring = () => colouringOf(legend)
  const frames = (square: Square) => {
    const chosen = colouring()
    const now = values.square(chosen?.values, square)
    const earlier = chosen && beforeOf(chosen.paint)
    const before = earlier && values.square(earlier, square)
    return now && (!earlier || before) ? { now, before } : undefined
  }
  const units = (level: UnitLevel) => {
    const chosen = colouring()
    const now = chosen && values.units(chosen.values, level)
    const earlier = chosen && beforeOf(chosen.paint)
    const before = earlier && values.units(earlier, level)
    return now && (!earlier || before) ? compared(now, before ?? []) : undefined
  }
  return { colouring, frames, units }
}

/** Totals are compared where as many frames record both: of other frames, they would tell of these. */
function compared(now: readonly UnitValue[], earlier: readonly UnitValue[]): Map<string, AreaOnMap> {
  const known = new Map(earlier.map((unit) => [unit.id, unit]))
  return new Map(
    now.map((unit): [string, AreaOnMap] => {
      const before = known.get(unit.id)
      return [unit.id, { ...unit, before: before?.recorded === unit.recorded ? before.value : undefined }]
    }),
  )
}

/** The map keeps the pictures of so many squares. */
const SQUARES_KEPT = 300

function drawAreas(map: MapLibreMap, { colouring, frames, units }: ShownAreas): () => void {
  const cells = openCells()
  /** The values from which each square and each level was drawn last. */
  const drawn = new Map<string, string>()
  let isReady = false
  /** Paints anew where the classes or their colours changed, and clears what has no values yet. */
  const update = (key: string, found: object | undefined, { paint, clear }: Record<'paint' | 'clear', () => void>) => {
    const state = found ? JSON.stringify([colouring(), darkScheme.matches]) : ''
    if ((drawn.get(key) ?? '') === state) return
    drawn.set(key, state)
    clear()
    if (found) paint()
  }
  const drawSquare = (square: Square, classes: Classes) => {
    const found = frames(square)
    update(square.join(' '), found, {
      clear: () => cells.remove(square),
      paint: () => {
        if (!found) return
        const brush = colouring()?.brush
        if (hasCells) cells.put(square, texelsOf(square, found, { classes, brush }))
        else for (const area of areasOf(found)) setState(map, 'frame', { area, classes, brush })
      },
    })
  }
  const drawUnits = (level: UnitLevel, classes: Classes) => {
    const found = units(level)
    update(level, found, {
      clear: () => map.removeFeatureState(AREA_LAYERS[level]),
      paint: () => {
        for (const area of found?.values() ?? []) setState(map, level, { area, classes })
      },
    })
  }
  const draw = () => {
    if (!isReady) return
    map.moveLayer('cells', 'outside')
    const level = levelAt(map.getZoom())
    const named = classesOf(colouring()?.paint, level)
    const classes = { ...named, palette: named.palette.map(cssColour) }
    cells.isShown = level === 'frame' && hasCells
    cells.colour(cellColours(classes))
    if (drawn.size > SQUARES_KEPT) {
      drawn.clear()
      cells.clear()
    }
    if (level === 'frame') for (const square of squaresIn(boundsOf(map))) drawSquare(square, classes)
    else if (colouring()) drawUnits(level, classes)
    map.triggerRepaint()
  }
  map.on('style.load', () => {
    // A style that changes in part keeps the layer.
    if (!map.getLayer('cells')) map.addLayer(cells, 'outside')
    isReady = true
    drawn.clear()
    draw()
  })
  map.on('zoom', () => (cells.isShown = levelAt(map.getZoom()) === 'frame' && hasCells))
  return draw
}

function boundsOf(map: MapLibreMap): MapBounds {
  const { _sw: southWest, _ne: northEast } = map.getBounds()
  return [southWest.lng, southWest.lat, northEast.lng, northEast.lat]
}

type Drawn = { classes: Classes; brush?: Brush | undefined }

function setState(map: MapLibreMap, level: Level, { area, classes, brush }: Drawn & { area: AreaOnMap }): void {
  const place = classes.classOf(area)
  map.setFeatureState(
    { ...AREA_LAYERS[level], id: area.id },
    {
      colour: classes.palette[place],
      isBlank: place < 0,
      unsure: place < 0 ? 0 : classes.unsureOf(area),
      isOutside: !isInside(brush, area),
    },
  )
}

function areaAt(map: MapLibreMap, { frames, units }: ShownAreas, point: Point): ReturnType<Areas['at']> {
  const level = levelAt(map.getZoom())
  const layers = ['outside', ...fillLayers()].filter((id) => map.getLayer(id))
  const [found] = map.queryRenderedFeatures(point, { layers })
  const { lng, lat } = map.unproject(point)
  if (level === 'frame' && hasCells) {
    const cell = Math.floor((lat + 90) * SIDE) * CELLS_AROUND + Math.floor((lng + 180) * SIDE)
    if (found?.layer.id === 'outside') return undefined
    const near = frames([Math.floor(lng), Math.floor(lat)])
    return near ? frameIn(near, String(cell)) : null
  }
  if (!found) return undefined
  const names = found.properties as { id?: string; state?: string; lga?: string; ward?: string }
  const id = names.id ?? String(found.id)
  if (level !== 'frame') return { ...units(level)?.get(id), value: units(level)?.get(id)?.value ?? null, ...names, id }
  // A frame is in the square of a point inside it, which may lie beside that of the mouse.
  const around = squaresIn([lng - 1, lat - 1, lng + 1, lat + 1]).map(frames)
  return around.map((near) => near && frameIn(near, id)).find((each) => each !== undefined)
}

/** The id of a cell is so many times its row, and its column. */
const CELLS_AROUND = 36_000

/** An id may have more digits than a number of JavaScript. */
function frameIn({ now, before }: Frames, id: string): AreaOnMap | undefined {
  const placeIn = ({ first, values }: FrameRun) => {
    const place = Number(BigInt(id) - BigInt(first))
    return place >= 0 && place < values.length ? place : undefined
  }
  const run = now.find((each) => placeIn(each) !== undefined)
  const earlier = before?.find((each) => placeIn(each) !== undefined)
  return run && areaOf(run, placeIn(run) ?? 0, id, earlier?.values[placeIn(earlier) ?? 0])
}

const areaOf = ({ values, lower, upper }: FrameRun, i: number, id: string, before?: Area['before']): AreaOnMap => ({
  id,
  value: values[i] ?? null,
  before,
  lower: lower?.[i],
  upper: upper?.[i],
})

/** Both answers are of the same frames. */
const areasOf = ({ now, before }: Frames): AreaOnMap[] =>
  now.flatMap((run, r) =>
    run.values.map((_value, i) => areaOf(run, i, String(BigInt(run.first) + BigInt(i)), before?.[r]?.values[i])),
  )

function texelsOf([lon, lat]: Square, { now, before }: Frames, { classes, brush }: Drawn): Uint8Array {
  const texels = new Uint8Array(2 * SIDE * SIDE)
  const corner = (lat + 90) * SIDE * CELLS_AROUND + (lon + 180) * SIDE
  for (const [r, run] of now.entries()) {
    const from = Number(run.first) - corner
    const start = Math.floor(from / CELLS_AROUND) * SIDE + (from % CELLS_AROUND)
    for (let i = 0; i < run.values.length; i += 1) {
      const area = areaOf(run, i, '', before?.[r]?.values[i])
      const place = classes.classOf(area)
      texels[2 * (start + i)] = place < 0 ? 1 : FIRST_CLASS + place
      texels[2 * (start + i) + 1] = (place < 0 ? 0 : classes.unsureOf(area)) + (isInside(brush, area) ? 0 : OUTSIDE)
    }
  }
  return texels
}

const cellColours = ({ palette }: Classes) => ({
  palette,
  ground: cssColour('map-ground'),
  hatch: cssColour('hatch'),
  unsure: cssColour('unsure'),
  edge: cssColour('edge-frame'),
})
