/**
 * What colours the map. GET /app/values/{lon}/{lat} has the frames of a square of 1 degree with the values of an
 * attribute, and GET /app/values/{level} what the attribute adds up to in units.
 */
import type { RequestHandler } from 'express'
import { unlessCached } from '../../api/http/etag.js'
import { invalid, notFound } from '../../core/errors.js'
import { roundOutwards } from '../../core/decimal.js'
import { areUnchanged } from '../../core/datasets/index.js'
import type { Reader } from '../../core/db/index.js'
import { UNIT_LEVELS, type UnitLevel } from '../../core/place.js'
import type { Services } from '../../services.js'
import type { Value } from '../map/classes.js'
import { personAuthority } from '../shell/person-authority.js'
import { sessionOf } from '../shell/session.js'
import { colourOf, type MapColour } from './colour.js'
import { sendCoded } from './route.js'
import { valuesOfSquare, valuesOfUnits } from './statements.js'

/** Frames whose ids follow one another, from the first. */
export type FrameRun = { first: string; values: readonly Value[] } & Partial<Bounds>
type Bounds = Record<'lower' | 'upper', readonly (number | null)[]>
export type UnitValue = { id: string; value: Value; recorded: number; frames: number; km2: number } & Partial<
  Record<'lower' | 'upper', number>
>

export function squareRoute(services: Services): RequestHandler {
  return valuesRoute(services, 'frames', (req) => {
    const [lon, lat] = [wholeNumber(req.params['lon'], 180), wholeNumber(req.params['lat'], 90)]
    if (lon === undefined || lat === undefined)
      throw notFound('A square has whole degrees: a longitude from -180 to 179 and a latitude from -90 to 89.')
    return (reader, colour) => framesOfSquare(reader, [lon, lat], colour)
  })
}

export function unitValuesRoute(services: Services): RequestHandler {
  return valuesRoute(services, 'units', (req) => {
    const level = UNIT_LEVELS.find((each) => each === req.params['level'])
    if (!level) throw notFound(`There are values of ${UNIT_LEVELS.join(', ')} and of squares.`)
    return (reader, colour) => {
      if (!colour) throw invalid('dataset: units have values of a dataset alone, and none was sent.')
      return unitsOfLevel(reader, level, colour)
    }
  })
}

type Read = (reader: Reader, colour: MapColour | undefined) => Promise<readonly (FrameRun | UnitValue)[]>

/**
 * The licence is checked for the whole answer, before anything is read. The address may say the version of the dataset:
 * a page that knows of a new one then asks anew.
 */
function valuesRoute(
  services: Services,
  layer: 'frames' | 'units',
  readOf: (req: Parameters<RequestHandler>[0]) => Read,
): RequestHandler {
  return async (req, res) => {
    const read = readOf(req)
    const person = personAuthority(sessionOf(req))
    const reader = services.readerForRequest(req.context.deadline)
    const colour = await colourOf(services, req.context, reader, { person, layer })
    const datasets = colour ? [colour.dataset] : []
    const values = await unlessCached(
      { reader, req, res },
      {
        // An answer that a person has from another organisation is not current.
        question: [person.orgId, colour?.dataset.layerId, colour?.dataset.version, colour?.attribute],
        read: () => read(reader, colour),
        isStill: async () => datasets.length === 0 || (await areUnchanged(reader, datasets)),
      },
    )
    if (values) await sendCoded(res, 'application/json; charset=utf-8', Buffer.from(JSON.stringify(values)))
  }
}

function wholeNumber(text: unknown, most: number): number | undefined {
  const number = typeof text === 'string' && /^(0|-?[1-9]\d{0,2})$/.test(text) ? Number(text) : NaN
  return number >= -most && number < most ? number : undefined
}

export async function framesOfSquare(
  reader: Reader,
  [lon, lat]: readonly [number, number],
  colour: MapColour | undefined,
): Promise<FrameRun[]> {
  const runs = await valuesOfSquare(reader, lon, lat, colour?.dataset.layerId ?? null, colour?.attribute ?? null)
  return runs.map(({ first, numbers, classes, lower, upper }) => ({
    first,
    values: classes.length > 0 ? classes : numbers,
    ...(upper.length > 0 && (colour?.isDrawn ? roundedBounds({ lower, upper }) : { lower, upper })),
  }))
}

async function unitsOfLevel(reader: Reader, level: UnitLevel, colour: MapColour): Promise<UnitValue[]> {
  const units = await valuesOfUnits(reader, level, colour.dataset.layerId, colour.attribute)
  return units.map(({ id, value, class: named, recorded, frames, km2, lower, upper }) => ({
    id,
    value: named ?? value,
    recorded,
    frames,
    km2: km2 ?? 0,
    ...(lower !== null && upper !== null && roundedPair(lower, upper)),
  }))
}

/** As a panel writes them; the squares are shorter, too. */
function roundedPair(lower: number, upper: number): Record<'lower' | 'upper', number> {
  const round = roundOutwards({ lower: String(lower), upper: String(upper) })
  return { lower: Number(round.lower), upper: Number(round.upper) }
}

function roundedBounds({ lower, upper }: Bounds): Bounds {
  const pairs = lower.map((bound, i) => {
    const other = upper[i] ?? null
    return bound === null || other === null ? undefined : roundedPair(bound, other)
  })
  return { lower: pairs.map((pair) => pair?.lower ?? null), upper: pairs.map((pair) => pair?.upper ?? null) }
}
