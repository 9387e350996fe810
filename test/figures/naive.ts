/**
 * Computes figures in memory from their definition, and shares nothing with the statements: rows, properties, the frames
 * of features and the distances that PostGIS measures are read once; everything else is a loop over frames or features.
 */
import type { Database } from '../../src/core/db/connect.js'
import type {
  Bounds,
  Figure,
  Filter,
  FrameSet,
  Groups,
  Measure,
  Subject,
  Test,
  UnitLevel,
} from '../../src/core/figures/algebra.js'
import { statistic, sum } from './statistic.js'

type Frame = { id: string; units: Record<UnitLevel, string | null>; km2: number; values: Map<string, string> }
/** Lengths in km and areas in km² inside each frame; points have none. */
type Feature = { no: number; values: Map<string, string>; frames: Set<string>; extents: Map<string, number> }
type Thing = { frame: Frame } | { feature: Feature; layer: string }

export type World = {
  frames: Map<string, Frame>
  features: Map<string, Feature[]>
  /** Metres, rounded, from a frame's spot or from a feature to the features of a dataset that are near it. */
  metres: Map<string, Map<number, number>>
  /** The names of attributes and properties, with what they are. */
  subjects: { layer: string; name: string; type: string; isOfFeatures: boolean; classes: string[] }[]
  framesOf: (set: FrameSet) => Promise<Set<string>>
  /** What was found once: places, and figures of units. */
  cache: Map<string, unknown>
}

/** Distances beyond this are not read: no filter asks for more. */
export const FARTHEST = 6000

const PLAIN = /^[+-]?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,2})?$/
const numberOf = (text: string | undefined) =>
  text !== undefined && PLAIN.test(text.trim()) ? Number(text) : undefined
const nameOf = (layer: string, name: string) => `${layer}.${name}`

export async function readWorld(db: Database): Promise<World> {
  const rows = <Row>(text: string, args: unknown[] = []) => db.rows<Row>(text, args)
  const frames = new Map<string, Frame>()
  for (const { id, state, lga, ward, km2 } of await rows<
    Record<'id' | 'state' | 'lga' | 'ward', string> & { km2: string }
  >('select frame_id::text as id, state, lga, ward, area_km2::text as km2 from frame'))
    frames.set(id, { id, units: { state, lga, ward }, km2: Number(km2), values: new Map() })
  for (const { id, layer, recorded } of await rows<{ id: string; layer: string; recorded: Record<string, string> }>(
    'select frame_id::text as id, layer_id as layer, recorded from baseline_row join dataset using (version)',
  ))
    for (const [name, value] of Object.entries(recorded))
      if (value.trim() !== '') frames.get(id)?.values.set(nameOf(layer, name), value.trim())
  const features = new Map<string, Feature[]>()
  for (const { layer, no, properties, ids } of await rows<{
    layer: string
    no: number
    properties: Record<string, string | number | boolean | null>
    ids: string[]
  }>(`select layer_id as layer, feature_no as no, properties,
      array(select frame_id::text from feature_frame as pair where pair.version = feature.version and pair.feature_no = feature.feature_no) as ids
    from feature join dataset using (version) order by feature_no`)) {
    const entries = Object.entries(properties).filter(([, value]) => value !== null && String(value).trim() !== '')
    const values = new Map(entries.map(([name, value]) => [nameOf(layer, name), String(value).trim()]))
    features.set(layer, [...(features.get(layer) ?? []), { no, values, frames: new Set(ids), extents: new Map() }])
  }
  // Each part counts in whole millimetres or square metres: a stretch of a line on an edge in the frame with the lower id.
  for (const { layer, no, id, extent } of await rows<{ layer: string; no: number; id: string; extent: number }>(
    `select layer_id as layer, feature_no as no, frame_id::text as id,
      round(case kind when 'lines' then 1000 * ST_Length(part) else ST_Area(part) end) / 1e6 as extent
    from dataset join feature using (version) join feature_frame using (version, feature_no) join frame using (frame_id)
    cross join lateral (
      select ST_Union(lower.geom) as geom from feature_frame as pair join frame as lower using (frame_id)
      where kind = 'lines' and pair.version = feature.version and pair.feature_no = feature.feature_no
        and lower.frame_id < frame.frame_id and lower.geom && frame.geom
    ) as before
    cross join lateral (
      select ST_Difference(ST_Intersection(feature.geom, frame.geom), coalesce(before.geom, 'srid=4326;polygon empty'))::geography as part
    ) as cut where kind in ('lines', 'polygons')`,
  ))
    features
      .get(layer)
      ?.find((each) => each.no === no)
      ?.extents.set(id, extent)
  const metres: World['metres'] = new Map()
  const near = `with one as materialized (
      select 'frames ' || frame_id as key, ST_PointOnSurface(geom)::geography as place from frame
      union all select layer_id || ' ' || feature_no, geom::geography from feature join dataset using (version)
    ), other as materialized (select layer_id as layer, feature_no as no, geom::geography as place from feature join dataset using (version))
    select key, layer, no, round(ST_Distance(one.place, other.place))::int as metres
    from one join other on ST_DWithin(one.place, other.place, ${FARTHEST + 100})`
  for (const { key, layer, no, metres: distance } of await rows<{
    key: string
    layer: string
    no: number
    metres: number
  }>(near)) {
    const own = metres.get(`${key} ${layer}`) ?? new Map<number, number>()
    metres.set(`${key} ${layer}`, own.set(no, distance))
  }
  const subjects = await rows<World['subjects'][number]>(
    `select layer_id as layer, name, type, is_of_features as "isOfFeatures", array(
        select value from class where class.layer_id = listed.layer_id and class.name = listed.name order by value) as classes
    from (
      select layer_id, name, type, false as is_of_features from attribute where coalesce(shared, '{}') = '{}'
      union all select layer_id, name, type, true from property
    ) as listed order by 1, 2`,
  )
  const framesOf = async (set: FrameSet) => {
    const [row] = await rows<{ ids: string[] }>('select frame_set($1::text[])::text[] as ids', [set])
    return new Set(row?.ids)
  }
  return { frames, features, metres, subjects, framesOf, cache: new Map() }
}

/** True, false, or undefined where a value is lacking. */
type Verdict = boolean | undefined

export async function measureNaively(
  world: World,
  measure: Measure,
  groups: Groups | null,
): Promise<Map<string, Group>> {
  const place = await world.framesOf(measure.place)
  const inside = new Set<string>()
  for (const id of place) {
    const frame = world.frames.get(id)
    if (frame && (measure.among === undefined || (await passes(world, { frame }, measure.among)) === true))
      inside.add(id)
  }
  const passing: Thing[] = []
  for (const thing of thingsOn(world, measure.things ?? 'frames', inside))
    if (measure.where === undefined || (await passes(world, thing, measure.where)) === true) passing.push(thing)
  const found = new Map<string, Thing[]>()
  for (const thing of passing)
    for (const group of await groupsOf(world, thing, groups, inside)) {
      const own = found.get(group)
      if (own) own.push(thing)
      else found.set(group, [thing])
    }
  const figures = new Map<string, Group>()
  const level = groups !== null && 'level' in groups ? groups.level : undefined
  for (const [group, things] of found) {
    // A feature has its extent inside the place, in each unit of a level.
    const isOfUnit = (id: string) => level !== undefined && pathOf(world.frames.get(id), level) === group
    const own = level === undefined ? inside : new Set([...inside].filter(isOfUnit))
    figures.set(group, await figureOf(world, measure, { things, inside: own }))
  }
  return figures
}

function thingsOn(world: World, things: string, inside: Set<string>): Thing[] {
  if (things === 'frames') return [...inside].flatMap((id) => world.frames.get(id) ?? []).map((frame) => ({ frame }))
  const all = world.features.get(things) ?? []
  return all
    .filter(({ frames }) => [...frames].some((id) => inside.has(id)))
    .map((feature) => ({ feature, layer: things }))
}

async function groupsOf(world: World, thing: Thing, groups: Groups | null, inside: Set<string>): Promise<string[]> {
  if (groups === null) return ['']
  if ('each' in groups) return 'frame' in thing ? [`# ${thing.frame.id}`] : []
  if ('level' in groups) {
    const homes = 'frame' in thing ? [thing.frame.id] : [...thing.feature.frames].filter((id) => inside.has(id))
    const paths = homes.map((id) => pathOf(world.frames.get(id), groups.level))
    return [...new Set(paths.flatMap((path) => path ?? []))]
  }
  if ('class' in groups) return [`: ${(await textOf(world, thing, groups.class)) ?? ''}`]
  const number = await valueOf(world, thing, groups.of)
  if (number === undefined) return [': ']
  return [`: ${groups.bands.filter((band) => number >= band).length}`]
}

type Members = { things: Thing[]; inside: ReadonlySet<string> }

async function figureOf(
  world: World,
  { subject, how, weight, at = 0.5 }: Measure,
  { things, inside }: Members,
): Promise<Group> {
  if (how === undefined || how === 'count')
    return { things: things.length, recorded: things.length, number: things.length }
  if (how === 'mode' || how === 'distinct') {
    const counts = new Map<string, number>()
    for (const thing of things) {
      const text = subject && (await textOf(world, thing, subject))
      if (text !== undefined) counts.set(text, (counts.get(text) ?? 0) + 1)
    }
    const all = [...counts.values()]
    const number = how === 'distinct' ? counts.size : all.length === 0 ? undefined : Math.max(...all)
    return { things: things.length, recorded: sum(all), number }
  }
  const pairs: { number: number; share: number }[] = []
  for (const thing of things) {
    const number = subject && (await valueOf(world, thing, subject, inside))
    if (number !== undefined)
      pairs.push({ number, share: (weight && (await valueOf(world, thing, weight, inside))) ?? 0 })
  }
  const counted = how === 'weighted_mean' ? pairs.filter(({ share }) => share > 0) : pairs
  return {
    things: things.length,
    recorded: counted.length,
    number: statistic(how, pairs, how === 'quantile' ? at : 0.5),
  }
}

async function passes(world: World, thing: Thing, filter: Filter): Promise<Verdict> {
  if ('all' in filter) return every(await Promise.all(filter.all.map((each) => passes(world, thing, each))))
  if ('any' in filter)
    return not(every((await Promise.all(filter.any.map((each) => passes(world, thing, each)))).map(not)))
  if ('not' in filter) return not(await passes(world, thing, filter.not))
  if ('in' in filter) {
    const inside = await cached(world, JSON.stringify(filter.in), () => world.framesOf(filter.in))
    return framesOfThing(thing).some((id) => inside.has(id))
  }
  if ('on' in filter) {
    const frames = framesOfThing(thing).flatMap((id) => world.frames.get(id) ?? [])
    const verdicts = await Promise.all(frames.map((frame) => passes(world, { frame }, filter.on)))
    return verdicts.includes(true)
  }
  if ('near' in filter) return await isNear(world, thing, filter)
  if ('units' in filter) return 'named' in filter ? isInNamed(thing, filter) : await isInUnit(world, thing, filter)
  return await isValue(world, thing, filter)
}

async function isNear(
  world: World,
  thing: Thing,
  { near, where, metres }: Extract<Filter, { near: string }>,
): Promise<boolean> {
  const key = 'frame' in thing ? `frames ${thing.frame.id}` : `${thing.layer} ${thing.feature.no}`
  for (const [no, distance] of world.metres.get(`${key} ${near}`) ?? []) {
    const isItself = 'feature' in thing && thing.layer === near && thing.feature.no === no
    if (distance > metres || isItself) continue
    const feature = world.features.get(near)?.find((each) => each.no === no)
    if (feature && (where === undefined || (await passes(world, { feature, layer: near }, where)) === true)) return true
  }
  return false
}

function isInNamed(thing: Thing, { units, named }: Extract<Filter, { named: string[] }>): Verdict {
  const name = 'frame' in thing ? thing.frame.units[units] : null
  return name === null ? undefined : named.includes(name)
}

async function isInUnit(world: World, thing: Thing, filter: Extract<Filter, { figure: Figure }>): Promise<Verdict> {
  const { units, figure } = filter
  const asked: Figure = { ...figure, by: { level: units } }
  const values = await cached(world, JSON.stringify(asked), () => figureNaively(world, asked))
  const path = 'frame' in thing ? pathOf(thing.frame, units) : undefined
  const number = path === undefined ? undefined : values.get(path)
  if ('is' in filter) throw new Error('The examples test classes of units.')
  return number === undefined ? undefined : isWithin(number, filter)
}

async function isValue(
  world: World,
  thing: Thing,
  filter: Subject & (Test | (Bounds & { minus: Subject })),
): Promise<Verdict> {
  if ('is' in filter) {
    const text = await textOf(world, thing, filter)
    return text === undefined ? undefined : filter.is.includes(text)
  }
  const number = await valueOf(world, thing, filter)
  if ('recorded' in filter) return number !== undefined || (await textOf(world, thing, filter)) !== undefined
  if ('has' in filter) throw new Error('The examples look for words.')
  if ('minus' in filter) {
    const other = await valueOf(world, thing, filter.minus)
    return number === undefined || other === undefined ? undefined : isWithin(number - other, filter)
  }
  return number === undefined ? undefined : isWithin(number, filter)
}

async function textOf(world: World, thing: Thing, { of, name = '' }: Subject): Promise<string | undefined> {
  const [values, layer] = 'frame' in thing ? [thing.frame.values, of ?? ''] : [thing.feature.values, thing.layer]
  const isCategory = world.subjects.some(
    (each) => each.layer === layer && each.name === name && each.type === 'category',
  )
  return isCategory ? values.get(nameOf(layer, name)) : undefined
}

/** The extent of a feature is that inside some frames, or inside all of the index. */
async function valueOf(
  world: World,
  thing: Thing,
  { of = '', name, where, extent }: Subject,
  inside?: ReadonlySet<string>,
): Promise<number | undefined> {
  if ('feature' in thing && extent) {
    const { extents } = thing.feature
    if (extents.size === 0) return undefined
    return sum([...extents].flatMap(([id, part]) => (inside === undefined || inside.has(id) ? part : [])))
  }
  if ('feature' in thing) return numberOf(thing.feature.values.get(nameOf(thing.layer, name ?? '')))
  if (of === 'frames') return thing.frame.km2
  const features = world.features.get(of)
  if (features === undefined) return numberOf(thing.frame.values.get(nameOf(of, name ?? '')))
  const numbers: (number | undefined)[] = []
  for (const feature of features)
    if (
      feature.frames.has(thing.frame.id) &&
      (where === undefined || (await passes(world, { feature, layer: of }, where)) === true)
    )
      numbers.push(
        extent
          ? feature.extents.get(thing.frame.id)
          : name === undefined
            ? 1
            : numberOf(feature.values.get(nameOf(of, name))),
      )
  const known = numbers.flatMap((number) => number ?? [])
  return numbers.length > 0 && known.length === 0 ? undefined : sum(known)
}

async function cached<Value>(world: World, key: string, make: () => Promise<Value>): Promise<Value> {
  const value = (world.cache.get(key) as Value | undefined) ?? (await make())
  world.cache.set(key, value)
  return value
}
/** The value of each group, in which units of the place without anything to count have 0. */
export async function figureNaively(
  world: World,
  { of, op, to, times = 1, by, toBy = by, having }: Figure,
): Promise<Map<string, number | undefined>> {
  const one = await measureNaively(world, of, by ?? null)
  const two = to && (await measureNaively(world, to, toBy ?? null))
  const names = new Set([...one.keys(), ...(toBy === by ? (two?.keys() ?? []) : [])])
  // Units that have frames of either place are told.
  if (by && 'level' in by)
    for (const { place, among } of to && toBy === by ? [of, to] : [of])
      for (const name of (await measureNaively(world, { place, ...(among && { where: among }) }, by)).keys())
        names.add(name)
  const values = new Map<string, number | undefined>()
  if (by === undefined) names.add('')
  for (const name of names) {
    const above =
      toBy === by ? name : [...(two?.keys() ?? [])].find((each) => each === '' || `${name}/`.startsWith(`${each}/`))
    const value = combined(op, Number(times), numberIn(of, one.get(name)), to && numberIn(to, two?.get(above ?? name)))
    if (having === undefined || (value !== undefined && isWithin(value, having))) values.set(name, value)
  }
  return values
}

/** Nothing adds up to 0; frames that record nothing have no sum. */
export function numberIn({ how, things }: Measure, group: Group | undefined): number | undefined {
  const isAdded = how === undefined || how === 'count' || how === 'sum'
  return group?.number ?? (isAdded && (group === undefined || (things ?? 'frames') !== 'frames') ? 0 : undefined)
}

function combined(
  op: Figure['op'],
  times: number,
  one: number | undefined,
  two: number | undefined,
): number | undefined {
  if (op === undefined) return one
  if (one === undefined || two === undefined) return undefined
  if (op === 'sum') return one + two
  if (op === 'difference') return one - two
  if (two === 0) return undefined
  return op === 'ratio'
    ? (times * one) / two
    : op === 'percent'
      ? (100 * one) / two
      : (100 * (one - two)) / Math.abs(two)
}

export type Group = { things: number; recorded: number; number: number | undefined }

const framesOfThing = (thing: Thing): string[] => ('frame' in thing ? [thing.frame.id] : [...thing.feature.frames])

function pathOf(frame: Frame | undefined, level: UnitLevel): string | undefined {
  if (frame?.units[level] === null || frame === undefined) return undefined
  const levels: UnitLevel[] = ['state', 'lga', 'ward']
  return levels
    .slice(0, levels.indexOf(level) + 1)
    .map((each) => frame.units[each])
    .join('/')
}

const not = (verdict: Verdict): Verdict => (verdict === undefined ? undefined : !verdict)
const every = (verdicts: Verdict[]): Verdict =>
  verdicts.includes(false) ? false : verdicts.includes(undefined) ? undefined : true

const isWithin = (
  number: number,
  { above = -Infinity, atLeast = -Infinity, below = Infinity, atMost = Infinity, equals = number }: Bounds,
) =>
  number > Number(above) &&
  number >= Number(atLeast) &&
  number < Number(below) &&
  number <= Number(atMost) &&
  number === Number(equals)
