/** The tools of /mcp and /tools. A tool calls the function of its call: the same checks, records, charges and figures. */
import { Ajv } from 'ajv'
import type { Request, Response } from 'express'
import { type Call, callOf } from '../http/call.js'
import { frameJson, recordedMembers } from '../http/geojson.js'
import { afterParam, limitParam, placesParam } from '../http/params.js'
import type { Query } from '../http/query.js'
import type { Pieces } from '../http/send.js'
import * as descriptions from './descriptions.js'
import { ANSWER_MAX, type ToolDescription, verify } from './descriptions.js'
import { isListArgument, type JsonObject, outline } from './schemas.js'
import * as texts from './texts.js'
import type { FindFrame } from '../routes/frames-at.js'
import { answerData } from '../routes/frames-data.js'
import { answerAsked } from '../routes/frames-insight.js'
import { chooseFrames } from '../routes/frames.js'
import { listUnits } from '../routes/units.js'
import type { Authority, Capability } from '../../core/access/index.js'
import { visibleDatasets } from '../../core/datasets/index.js'
import { type Reader, withDeadline } from '../../core/db/index.js'
import { framesById } from '../../core/db/statements.js'
import { defined } from '../../core/defined.js'
import { invalid, invalidBox, invalidPoint } from '../../core/errors.js'
import { parseRounded } from '../../core/exact-json.js'
import {
  areNotes,
  citesOf,
  factsOf,
  insightBody,
  type InsightRequest,
  isSource,
  questionBody,
  type ReturnedAnswer,
  unaccountedNumbers,
} from '../../core/insight/index.js'
import {
  computeFigure,
  type FrameSet,
  type ProfileFigure,
  profileOf,
  type Reads,
  readsOf,
  setOfPlace,
} from '../../core/figures/index.js'
import { foldName, type Place, UNIT_LEVELS } from '../../core/place.js'
import { missingUnit } from '../../core/place-reads.js'
import { didYouMean } from '../../core/nearest.js'
import { shapeOf } from '../../core/shape.js'
import type { Services } from '../../services.js'

/** `text` says in short what `data` holds, for clients that read text alone. */
type ToolAnswer = { data: object; text: string }
export type Tool = ToolDescription & {
  /** Undefined for a tool that reads nothing. */
  capability: Capability | undefined
  /** Undefined: the client hung up. */
  run: (
    given: JsonObject,
    request: { caller: Authority; req: Request; res: Response },
  ) => Promise<ToolAnswer | undefined>
}

/** A key is shown the tools that it may call. The others would cost a model its tokens, and their calls are refused. */
export const toolsFor = (tools: readonly Tool[], { capabilities }: Authority): ToolDescription[] =>
  tools
    .filter(({ capability }) => capability === undefined || capabilities.includes(capability))
    .map(({ capability: _capability, run: _run, inputSchema, outputSchema, ...tool }) => ({
      ...tool,
      inputSchema: outline(inputSchema),
      outputSchema: outline(outputSchema),
    }))

export function toolsOf(services: Services, findFrame: FindFrame): Tool[] {
  return [
    reading(descriptions.frameAt, async (call) => {
      const frame = JSON.parse(await findFrame(call)) as texts.FrameInText
      return { data: frame, text: texts.frameText(frame) }
    }),
    reading(descriptions.frames, async (call, given) => {
      const data = await framesOfCall(services, call, given)
      if (!data) return undefined
      const isUnit = data.frames.length === 0 && call.asked.has('state')
      return withHint(
        data,
        texts.framesText(data),
        isUnit && (await unknownUnit(services, call, placesParam(call.asked)[0])),
      )
    }),
    reading(descriptions.units, (call, given) => unitsOfCall(services, call, given)),
    reading(descriptions.datasetsTool, async (call) => {
      const datasets = await datasetsOfCall(services, call)
      return { data: { datasets }, text: texts.datasetsText(datasets) }
    }),
    reading(descriptions.totals, (call, given) => totalsIn(services, call, given)),
    reading(descriptions.records, async (call) => {
      const answer = await answerData(services, call)
      const data = answer && (parseRounded(answer.text) as texts.Records)
      return data && { data, text: texts.recordsText(data) }
    }),
    {
      ...descriptions.askTool,
      capability: 'ask.query',
      run: async (given, { caller, req, res }) => {
        const call = callOf(caller, req, res)
        const request = await askedOf(given, services.readerForRequest(req.context.deadline))
        const answer = await answerAsked(services, call, request, req)
        if (!answer) return undefined
        const { sent, sentences } = answer
        // A number of `figures` is a place among the facets, from 0.
        const worded = sentences.length === 0 ? {} : { sentences }
        const hint = sent.facets.length === 0 && (await unknownUnit(services, call, request.place))
        return withHint({ ...sent, ...worded }, texts.insightText(sent), hint)
      },
    },
    { ...descriptions.verify, capability: undefined, run: async (given) => verifyText(given) },
  ]
}

/** Without a place, the question is about the whole index. */
async function askedOf(given: JsonObject, reader: Reader): Promise<InsightRequest> {
  const { place = { unit: [] }, rest } = await placeIn(given, reader)
  return rest['frameIds'] === undefined ? questionBody(rest, place) : insightBody(rest)
}

/** A tool of a call that needs `frame.read`. */
type Answering = (call: Call, given: JsonObject) => Promise<ToolAnswer | undefined>
const reading = (description: ToolDescription, answer: Answering): Tool => ({
  ...description,
  capability: 'frame.read',
  run: async (given, { caller, req, res }) => {
    const { shape: _shape, ...parameters } = given
    const names = Object.keys(description.inputSchema['properties'] as JsonObject)
    const asked = queryOfArguments(names.includes('shape') ? parameters : given, names)
    // An agent has no cache.
    const call: Call = { ...callOf(caller, req, res), asked, unlessCached: async (_reader, { read }) => await read() }
    return await answer(call, given)
  },
})

/** Models read every frame that comes: fewer come than in a call, with their units in place of their geometries. */
async function framesOfCall(services: Services, call: Call, given: JsonObject): Promise<texts.FoundFrames | undefined> {
  const isWithGeometry = flagArgument('geometry', given['geometry'])
  const most = Math.min(limitParam(call.asked, descriptions.FRAMES_USUAL), descriptions.FRAMES_OF_TOOL_MAX)
  const limited = { ...call, asked: new Map([...call.asked, ['limit', [String(most)]]]) }
  const { shape } = given
  const answer =
    shape === undefined ? await chooseFrames(services, limited) : await framesInShape(services, limited, shape)
  if (!answer) return undefined
  const found = JSON.parse(answer.pieces.map(String).join('')) as Frame[] | FrameCollection
  answer.release?.()
  if (Array.isArray(found)) return { frames: found.map((frame) => shownFrame(frame, isWithGeometry)) }
  const { features, truncated, next } = found
  const ids = features.map(({ id }) => id)
  const rows = ids.length === 0 ? [] : await framesById(services.readerForRequest(call.deadline), ids)
  const frames = rows.map((row) => shownFrame(JSON.parse(frameJson(row)) as Frame, isWithGeometry))
  return { frames, ...(truncated && { truncated }), ...(next !== undefined && { next }) }
}

type Frame = texts.FrameInText & { geometry: object }
type FrameCollection = { features: { id: string }[]; truncated?: boolean; next?: string }

function shownFrame(whole: Frame, isWithGeometry: boolean): texts.FrameInText {
  const { geometry: _geometry, ...frame } = whole
  return isWithGeometry ? whole : frame
}

function flagArgument(name: string, value: unknown): boolean {
  if (value === undefined || value === false || value === 'false') return false
  if (value === true || value === 'true') return true
  throw invalid(`${name}: true or false is accepted.`)
}

/** An agent that knows the name of an area alone asks for its state by it. */
async function unitsOfCall(services: Services, call: Call, { lga }: JsonObject): Promise<ToolAnswer | undefined> {
  const { asked } = call
  const name = typeof lga === 'string' ? lga : ''
  const isByName = !asked.has('state') && name.trim() !== ''
  const level = isByName || (asked.has('state') && !asked.has('lga')) ? 'lgas' : asked.has('lga') ? 'wards' : 'states'
  const listed = isByName ? { ...call, asked: new Map() } : call
  const units = (await listUnits(services, level, listed)) as texts.UnitInText[] | undefined
  if (!units) return undefined
  const ofName = units.filter((unit) => !isByName || foldName(unit.lga ?? '') === foldName(name))
  const hint =
    ofName.length > 0
      ? undefined
      : isByName
        ? hintFor('lga', name, new Set(units.map((unit) => unit.lga ?? '')))
        : await unknownUnit(services, call, placesParam(asked)[0])
  return withHint({ units: ofName }, texts.unitsText(ofName), hint)
}

/** Says which name of a call no unit has: "No state is named MAREMBEE. Did you mean MAREMBE?" */
async function unknownUnit(
  { readerForRequest }: Services,
  { deadline }: Pick<Call, 'deadline'>,
  place: Place | undefined,
): Promise<string | undefined> {
  const missing = place && 'unit' in place && (await missingUnit(readerForRequest(deadline), place.unit))
  if (!missing) return undefined
  return hintFor(missing.level, missing.name, missing.known)
}

const hintFor = (level: string, name: string, known: Iterable<string>) =>
  `No ${level} is named ${name.trim().slice(0, 60)}.${didYouMean(name.trim(), known)}`

/** Nothing was found: the hint says which name was misspelt. */
const withHint = (data: object, text: string, hint: string | false | undefined): ToolAnswer =>
  hint ? { data: { ...data, hint }, text: `${text} ${hint}` } : { data, text }

async function datasetsOfCall(services: Services, { caller, deadline }: Call): Promise<texts.Dataset[]> {
  const reader = services.readerForRequest(deadline)
  const visible = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller)
  return visible.map(({ version: _version, ...dataset }) => recordedMembers(dataset) as texts.Dataset)
}

const PLACE_MEMBERS = [...UNIT_LEVELS, 'bbox', 'shape'] as const
const ONE_WAY = 'One way of choosing frames is accepted: ids, a unit (state, lga, ward), bbox or shape.'

/** `place` is undefined where the arguments name none; `rest` has the others. */
async function placeIn(given: JsonObject, reader: Reader): Promise<{ place?: Place | undefined; rest: JsonObject }> {
  const named = PLACE_MEMBERS.filter((name) => given[name] !== undefined)
  const rest = Object.fromEntries(Object.entries(given).filter(([name]) => !named.some((each) => each === name)))
  if (named.length === 0) return { rest }
  const isArea = named.includes('bbox') || named.includes('shape')
  if (rest['frameIds'] !== undefined || rest['ids'] !== undefined || (isArea && named.length > 1))
    throw invalid(ONE_WAY)
  if (named.includes('shape')) return { place: { shape: await shapeOf(reader, shapeArgument(given['shape'])) }, rest }
  const query = queryOfArguments(Object.fromEntries(named.map((name) => [name, given[name]])), PLACE_MEMBERS)
  return { place: placesParam(query)[0], rest }
}

/** Models write GeoJSON as an object or as its text. */
function shapeArgument(value: unknown): string {
  if (typeof value === 'string') return value
  if (typeof value === 'object' && value !== null && !Array.isArray(value)) return JSON.stringify(value)
  throw invalid('shape: a text of WKT or GeoJSON is accepted, or an object of GeoJSON.')
}

/** The frames that touch a shape, page after page. */
async function framesInShape(services: Services, call: Call, shape: unknown): Promise<Pieces | undefined> {
  const { asked, deadline } = call
  if (['ids', ...PLACE_MEMBERS].some((name) => asked.has(name))) throw invalid(ONE_WAY)
  const [limit, after] = [limitParam(asked), afterParam(asked)]
  const place = { shape: await shapeOf(services.readerForRequest(deadline), shapeArgument(shape)) }
  return await chooseFrames(services, call, { place, after, limit })
}

/** The totals that imports keep for units, and those of a box or a shape over whole frames and by area. */
async function totalsIn(services: Services, call: Call, given: JsonObject): Promise<ToolAnswer> {
  const { deadline, caller } = call
  const reader = services.readerForRequest(deadline)
  const { place = { unit: [] } } = await placeIn(given, reader)
  const datasets = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller)
  const reads = readsOf(reader, datasets)
  const found = await profileOf(reads, setOfPlace(place, 0))
  const { frames = 0, km2 = '0', km2Inside = null, figures = [] } = found ?? {}
  const summed = figures.filter(({ summary }) => summary !== 'none')
  const set = setOfPlace(place, frames)
  const facets = await Promise.all(summed.map((of) => facetOfTotal(reads, set, of)))
  const cites = await citesOf({ reader, datasets }, set, facets)
  const data = {
    frames,
    km2,
    ...(km2Inside !== null && { km2Inside }),
    totals: summed.map((of, i) => ({ ...totalMembers(of), ...defined({ cite: cites[i] }) })),
    notRead: datasets.filter(({ price }) => price !== null).map(({ layerId }) => layerId),
  }
  return withHint(data, texts.totalsText(data), frames === 0 && (await unknownUnit(services, call, place)))
}

/** The figure that `frames verify` computes from the cite of a total: the read that has the totals has nearly all of them. */
async function facetOfTotal(reads: Reads, set: FrameSet, { dataset, attribute: name, summary }: ProfileFigure) {
  if (summary === 'none') return undefined
  const attribute = dataset.kind === 'frames' ? name : 'feature'
  const statistic = summary === 'length' || summary === 'area' ? 'extent' : summary
  return await computeFigure(reads, set, { layerId: dataset.layerId, attribute, statistic })
}

function totalMembers(of: ProfileFigure): texts.TotalInText {
  const { dataset, attribute, label, unit, summary, number: total, byArea } = of
  const { lower, upper, class: commonest, classFrames, recorded } = of
  const value = { total, byArea, lower, upper, class: commonest, classFrames, recorded }
  return recordedMembers({ layerId: dataset.layerId, attribute, label, unit, summary, ...value }) as texts.TotalInText
}

const isVerifyInput = new Ajv().compile<{ text: string; answer: ReturnedAnswer }>(verify.inputSchema)

function verifyText(given: unknown): ToolAnswer {
  if (!isVerifyInput(given)) {
    const [fault] = isVerifyInput.errors ?? []
    const place = fault?.instancePath.slice(1).replaceAll('/', ', ')
    throw invalid(`${place || 'verify'}: this ${fault?.message}; a text, and an answer as ask gives it, are accepted.`)
  }
  const { headline, facets, notes, sources = [] } = given.answer
  if ((notes !== undefined && !areNotes(notes)) || !sources.every((source) => isSource(source)))
    throw invalid('answer: its notes and its sources are accepted as ask gives them.')
  const length = facets.reduce((sum, { label, value }) => sum + label.length + value.length, headline.length)
  if (length > ANSWER_MAX)
    throw invalid(
      `answer: its headline, labels and values have ${length} characters together; at most ${ANSWER_MAX} are accepted. Leave out facets that the text does not use.`,
    )
  const numbers = unaccountedNumbers(given.text, factsOf(given.answer))
  const faults = numbers.map(({ text, at, why }) => `"${text}" (character ${at + 1}): ${why}`)
  const ok = numbers.length === 0
  return {
    data: { ok, numbers },
    text: ok ? 'Every number is accounted for.' : `Not accounted for:\n${faults.join('\n')}`,
  }
}

/**
 * `accepted`: the names of the arguments. A call ignores unknown parameters; a tool refuses them, since a model that
 * invents one would take the answer for what it asked.
 */
function queryOfArguments(given: JsonObject, accepted: readonly string[]): Query {
  const unknown = Object.keys(given).find((name) => !accepted.includes(name))
  if (unknown !== undefined)
    throw invalid(
      `"${unknown.slice(0, 40)}" is no argument of this tool: ${accepted.join(', ') || 'none'} are accepted.`,
    )
  return new Map(Object.entries(given).map(([name, value]) => [name, [encodeURIComponent(argumentText(name, value))]]))
}

function argumentText(name: string, value: unknown): string {
  // A lone surrogate has no UTF-8.
  if (typeof value === 'string' && !/\p{Cs}/u.test(value)) return value
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  if (Array.isArray(value) && isListArgument(name)) {
    if (!value.every((each) => typeof each === 'string' || typeof each === 'number'))
      throw refusalFor(name)(`${name}: a list of texts or numbers is accepted.`)
    return argumentText(name, value.join(','))
  }
  if (Array.isArray(value)) throw refusalFor(name)(`${name}: a list came; one value is accepted.`)
  throw refusalFor(name)(`${name}: a text, a number or true or false is accepted, as the schema of the tool says.`)
}

function refusalFor(name: string): typeof invalid {
  if (name === 'bbox') return invalidBox
  return ['lat', 'lon', 'lng'].includes(name) ? invalidPoint : invalid
}
