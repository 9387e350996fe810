/** Draws figures at random: filters of trees three deep over ids, units, boxes, shapes and the index. */
import type {
  Bounds,
  Figure,
  Filter,
  FrameSet,
  Groups,
  Measure,
  Subject,
  UnitLevel,
} from '../../src/core/figures/algebra.js'
import { randomNumbers } from '../support/random-numbers.js'
import { FARTHEST, type World } from './naive.js'

type Draw = () => number
type Drawing = { world: World; draw: Draw; frames: string[]; layers: string[] }

/** The same seed draws the same figures. */
export function drawingOf(world: World, seed: number): Drawing {
  const draw = randomNumbers(seed)
  return { world, draw, frames: [...world.frames.keys()], layers: [...world.features.keys()] }
}

export function drawFigure(drawing: Drawing): { measure: Measure; groups: Groups | null } {
  const things = drawing.draw() < 0.6 ? 'frames' : one(drawing, drawing.layers)
  const among = drawing.draw() < 0.2 ? { among: filter(drawing, 'frames', 1) } : {}
  return {
    measure: { ...measure(drawing, things, placeOf(drawing), 2), ...among },
    groups: groupsOf(drawing, things),
  }
}

/** Two measures of one place, or of one each, with what is asked of their groups. */
export function drawArithmetic(drawing: Drawing): Figure {
  const { measure: of, groups } = drawFigure(drawing)
  const { measure: to } = drawFigure(drawing)
  const isOfEach = ({ things, how = 'count' }: Measure) => things === 'frames' && how !== 'distinct' && how !== 'mode'
  const each: Groups | null = isOfEach(of) && isOfEach(to) && of.place[0] !== 'unit' ? { each: true } : null
  const by = groups !== null && 'level' in groups ? { by: groups } : each && drawing.draw() < 0.5 ? { by: each } : {}
  const above = groups !== null && 'level' in groups && drawing.draw() < 0.3 ? { toBy: aboveOf(drawing, groups) } : {}
  const op = one(drawing, ['sum', 'difference', 'ratio', 'percent', 'change', undefined] as const)
  return {
    of,
    ...by,
    ...(op && { op, to: { ...to, place: drawing.draw() < 0.7 ? of.place : to.place }, ...above }),
    ...(op === 'ratio' && { times: one(drawing, [1, 1000]) }),
    ...(drawing.draw() < 0.3 && { having: bounds(drawing, [0, 1, 50, 5000]) }),
    ...(drawing.draw() < 0.5 && { order: one(drawing, ['highest', 'lowest'] as const), n: one(drawing, [1, 3, 10]) }),
  }
}

/** A level above, or the whole. */
const aboveOf = (drawing: Drawing, { level }: { level: UnitLevel }): Groups | null =>
  level === 'state' ? null : one(drawing, [null, { level: 'state' as const }])

function one<Value>(drawing: Drawing, values: readonly Value[]): Value {
  if (values.length === 0) throw new Error('There is nothing to choose from.')
  return values[Math.floor(drawing.draw() * values.length)] as Value
}

function measure(drawing: Drawing, things: string, place: FrameSet, depth: number): Measure {
  const how = one(drawing, [
    'count',
    'sum',
    'mean',
    'weighted_mean',
    'median',
    'quantile',
    'min',
    'max',
    'distinct',
    'mode',
  ] as const)
  const isOfClasses = how === 'distinct' || how === 'mode'
  const subject = subjectOf(drawing, things, isOfClasses ? 'category' : 'number', depth)
  if (subject === undefined || how === 'count') return { things, place, how: 'count', ...maybe(drawing, things, depth) }
  const weight = how === 'weighted_mean' ? subjectOf(drawing, things, 'number', 0) : undefined
  return {
    things,
    place,
    how,
    subject,
    ...(weight && { weight }),
    ...(how === 'quantile' && { at: one(drawing, [0, 0.1, 0.25, 0.9, 1]) }),
    ...maybe(drawing, things, depth),
  }
}

function maybe(drawing: Drawing, things: string, depth: number): { where?: Filter } {
  return drawing.draw() < 0.75 ? { where: filter(drawing, things, depth) } : {}
}

function placeOf(drawing: Drawing): FrameSet {
  const frame = drawing.world.frames.get(one(drawing, drawing.frames))
  const { state, lga, ward } = frame?.units ?? { state: null, lga: null, ward: null }
  const [west, south] = [drawing.draw() * 2 - 1, drawing.draw() * 1.6 - 0.8]
  const [east, north] = [west + drawing.draw() * 0.5, south + drawing.draw() * 0.5]
  return one(drawing, [
    () => ['unit'],
    () => ['unit', ...(state === null ? [] : [state])],
    () => ['unit', ...(state === null || lga === null ? [] : [state, lga])],
    () => ['unit', ...(state === null || lga === null || ward === null ? [] : [state, lga, ward])],
    () => Array.from({ length: 1 + Math.floor(drawing.draw() * 40) }, () => one(drawing, drawing.frames)),
    () => ['box', ...[west, south, east, north].map((corner) => corner.toFixed(3))],
    () => ['shape', `POLYGON((${west} ${south}, ${east} ${south}, ${west} ${north}, ${west} ${south}))`],
  ])()
}

function groupsOf(drawing: Drawing, things: string): Groups | null {
  const kind = drawing.draw()
  if (kind < 0.4) return null
  if (kind < 0.75) return { level: one<UnitLevel>(drawing, ['state', 'lga', 'ward']) }
  if (kind < 0.9) {
    const classes = subjectOf(drawing, things, 'category', 0)
    return classes ? { class: classes } : null
  }
  const of = subjectOf(drawing, things, 'number', 0)
  return of ? { bands: [1, 5, 300], of } : null
}

function subjectOf(drawing: Drawing, things: string, type: 'number' | 'category', depth: number): Subject | undefined {
  const isOfFrames = things === 'frames'
  const fitting = drawing.world.subjects.filter(
    (each) => each.type === type && (isOfFrames ? !each.isOfFeatures || type === 'number' : each.layer === things),
  )
  if (isOfFrames && type === 'number' && drawing.draw() < 0.4) {
    const of = one(drawing, ['frames', ...drawing.layers])
    if (of === 'frames') return { of, name: 'geom' }
    const numbers = drawing.world.subjects.filter((each) => each.layer === of && each.type === 'number')
    const name = numbers.length > 0 && drawing.draw() < 0.6 ? { name: one(drawing, numbers).name } : {}
    const measured: Subject = hasExtents(drawing, of) && drawing.draw() < 0.5 ? { extent: true } : name
    return { of, ...measured, ...(depth > 0 ? maybe(drawing, of, depth - 1) : {}) }
  }
  if (type === 'number' && hasExtents(drawing, things) && drawing.draw() < 0.5) return { extent: true }
  if (fitting.length === 0) return undefined
  const { layer, name, isOfFeatures } = one(drawing, fitting)
  if (!isOfFrames) return { name }
  return { of: layer, name, ...(isOfFeatures && depth > 0 ? maybe(drawing, layer, depth - 1) : {}) }
}

const hasExtents = ({ world }: Drawing, layer: string) =>
  world.features.get(layer)?.some(({ extents }) => extents.size > 0) === true

function filter(drawing: Drawing, things: string, depth: number): Filter {
  const kind = drawing.draw()
  if (depth > 0 && kind < 0.5) {
    const parts = Array.from({ length: 1 + Math.floor(drawing.draw() * 3) }, () => filter(drawing, things, depth - 1))
    return one(drawing, [{ all: parts }, { any: parts }, { not: filter(drawing, things, depth - 1) }])
  }
  if (kind < 0.6) return { in: placeOf(drawing) }
  if (kind < 0.7) {
    const near = one(drawing, drawing.layers)
    const measured = one(drawing, [...drawing.world.metres.values()])
    // Many lie exactly at such a distance.
    const metres = one(
      drawing,
      [0, 1000, FARTHEST, ...measured.values()].filter((each) => each <= FARTHEST),
    )
    return { near, metres, ...(depth > 0 ? maybe(drawing, near, depth - 1) : {}) }
  }
  if (kind < 0.75 && things !== 'frames' && depth > 0) return { on: filter(drawing, 'frames', depth - 1) }
  if (kind < 0.78 && things === 'frames') {
    const units = one<UnitLevel>(drawing, ['state', 'lga', 'ward'])
    const name = drawing.world.frames.get(one(drawing, drawing.frames))?.units[units] ?? 'NOWHERE'
    if (drawing.draw() < 0.3) return { units, named: [name] }
    return {
      units,
      figure: { of: measure(drawing, one(drawing, ['frames', ...drawing.layers]), ['unit'], 0) },
      ...bounds(drawing, [10, 100, 5000]),
    }
  }
  return test(drawing, things, depth)
}

function test(drawing: Drawing, things: string, depth: number): Filter {
  const subject = subjectOf(drawing, things, drawing.draw() < 0.7 ? 'number' : 'category', depth)
  if (subject === undefined) return { in: placeOf(drawing) }
  const known = drawing.world.subjects.find(
    (each) => each.layer === (subject.of ?? things) && each.name === subject.name,
  )
  const isOfFeatures = things === 'frames' && (subject.of === undefined || drawing.world.features.has(subject.of))
  if (known && !isOfFeatures && drawing.draw() < 0.15) return { ...subject, recorded: true }
  if (known?.type === 'category' && !isOfFeatures) {
    const classes = known.classes.length > 0 ? known.classes : ['none']
    return { ...subject, is: [one(drawing, classes), one(drawing, classes)] }
  }
  const minus = subjectOf(drawing, things, 'number', 0)
  if (minus && drawing.draw() < 0.15) return { ...subject, minus, ...bounds(drawing, [0, 10, -50]) }
  return { ...subject, ...bounds(drawing, isOfFeatures ? [0, 1, 2] : [0, 1, 3, 120, 400, 5000]) }
}

function bounds(drawing: Drawing, numbers: readonly number[]): Bounds {
  const number = one(drawing, numbers)
  return one<Bounds>(drawing, [
    { above: number },
    { atLeast: number },
    { below: number },
    { atMost: number },
    { equals: number },
    { above: number, atMost: number * 2 + 1 },
  ])
}
