/** The tools of /mcp. A tool calls the function of its call: the same checks, records, charges and figures. */
import { visibleDatasets } from '../../core/datasets/visible.js'
import { withDeadline } from '../../core/db/connect.js'
import { insightBody, questionBody } from '../http/body.js'
import { hangUpSignal, type Call } from '../http/call.js'
import { recordedMembers } from '../http/geojson.js'
import { decode, type Query } from '../http/query.js'
import type { Pieces } from '../http/send.js'
import type { Reader } from '../../core/db/replicas/reader.js'
import type { InsightRequest } from '../../core/insight/answer.js'
import { didYouMean } from '../../core/nearest.js'
import { chooseFrames } from '../routes/frames.js'
import type { FindFrame } from '../routes/frames-at.js'
import { answerData } from '../routes/frames-data.js'
import { answerAsked } from '../routes/frames-insight.js'
import { listLgas } from '../routes/lgas.js'
import { listStates } from '../routes/states.js'
import { listWards } from '../routes/wards.js'
import type { Services } from '../../services.js'
import { queryOf } from './arguments.js'
import * as descriptions from './descriptions.js'
import { framesInShape, placeIn, totalsIn } from './places.js'
import type { JsonObject } from './schemas.js'
import * as texts from './texts.js'
import type { Tool, ToolAnswer, ToolDescription } from './tool.js'
import { verifyText } from './verify-text.js'

export function toolsOf(services: Services, findFrame: FindFrame): Tool[] {
  return [
    reading(descriptions.frameAt, async (call) => {
      const frame = JSON.parse(await findFrame(call)) as texts.Frame
      return { data: frame, text: texts.frameText(frame) }
    }),
    reading(descriptions.frames, async (call, { shape }) => {
      const limited = { ...call, asked: withLimit(call.asked) }
      if (shape !== undefined) return framesAnswer(await framesInShape(services, limited, shape))
      const pieces = await chooseFrames(services, limited)
      if (!pieces) return undefined
      const answer = framesAnswer(pieces)
      const isEmpty = 'features' in answer.data && (answer.data.features as unknown[]).length === 0
      return isEmpty ? { ...answer, text: `${answer.text}${await unknownUnit(services, call)}` } : answer
    }),
    reading(descriptions.units, async (call) => {
      const units = (await listUnits(services, call)) as texts.Unit[] | undefined
      if (!units) return undefined
      const hint = units.length === 0 ? await unknownUnit(services, call) : ''
      return { data: { units }, text: `${texts.unitsText(units)}${hint}` }
    }),
    reading(descriptions.datasets, async (call) => {
      const datasets = await listDatasets(services, call)
      return { data: { datasets }, text: texts.datasetsText(datasets) }
    }),
    reading(descriptions.totals, (call, given) => totalsIn(services, call, given)),
    reading(descriptions.records, async (call) => {
      const answer = await answerData(services, call)
      const data = answer && (JSON.parse(answer.text) as texts.Records)
      return data && { data, text: texts.recordsText(data) }
    }),
    {
      ...descriptions.ask,
      capability: 'ask.query',
      run: async (given, { caller, req, res }) => {
        const call = { caller, id: req.context.id, hangUp: () => hangUpSignal(res) }
        const request = await askedOf(given, services.readerForRequest(req.context.deadline))
        const answer = await answerAsked(services, call, request, req)
        if (!answer) return undefined
        const { sent, sentences } = answer
        // A number of `figures` is a place among the facets, from 0.
        const worded = sentences.length === 0 ? {} : { sentences }
        return { data: { ...sent, ...worded }, text: texts.insightText(sent) }
      },
    },
    { ...descriptions.verify, capability: undefined, run: async (given) => verifyText(given) },
  ]
}

async function askedOf(given: JsonObject, reader: Reader): Promise<InsightRequest> {
  const { place, rest } = await placeIn(given, reader)
  return place ? questionBody(rest, place) : insightBody(rest)
}

/** A tool of a call that needs `frame.read`. */
type Answering = (call: Call, given: JsonObject) => Promise<ToolAnswer | undefined>
const reading = (description: ToolDescription, answer: Answering): Tool => ({
  ...description,
  capability: 'frame.read',
  run: async (given, { caller, req, res }) => {
    const { shape: _shape, ...parameters } = given
    const names = Object.keys(description.inputSchema['properties'] as JsonObject)
    const asked = queryOf(names.includes('shape') ? parameters : given, names)
    const call: Call = {
      caller,
      id: req.context.id,
      asked,
      deadline: req.context.deadline,
      hangUp: () => hangUpSignal(res),
      // An agent has no cache.
      unlessCached: async (_reader, { read }) => await read(),
    }
    return await answer(call, given)
  },
})

/** Models read every frame that comes: fewer come where the call does not say how many. */
const withLimit = (asked: Query): Query =>
  asked.has('limit') ? asked : new Map([...asked, ['limit', [String(descriptions.FRAMES_USUAL)]]])

function framesAnswer({ pieces, release }: Pieces): ToolAnswer {
  const found = JSON.parse(pieces.map(String).join('')) as texts.Frame[] | texts.FrameCollection
  release?.()
  const data = Array.isArray(found) ? { frames: found } : found
  return { data, text: texts.framesText(data) }
}

function listUnits(services: Services, call: Call): Promise<object[] | undefined> {
  if (call.asked.has('lga')) return listWards(services, call)
  return call.asked.has('state') ? listLgas(services, call) : listStates(services, call)
}

/** Says which name of a call no unit has: " No state is named MAREMBEE. Did you mean MAREMBE?" */
async function unknownUnit(services: Services, call: Call): Promise<string> {
  const asked = (name: string) => call.asked.get(name)?.[0]?.replaceAll('+', ' ')
  const listedUnder = async (...names: string[]) => {
    const some = new Map([...call.asked].filter(([name]) => names.includes(name)))
    return ((await listUnits(services, { ...call, asked: some })) ?? []) as texts.Unit[]
  }
  for (const [level, ...above] of [['state'], ['lga', 'state'], ['ward', 'state', 'lga']] as const) {
    const sent = asked(level)
    const name = sent === undefined ? undefined : (decode(sent) ?? sent).trim()
    if (name === undefined) return ''
    const names = (await listedUnder(...above)).flatMap((unit) => unit[level] ?? [])
    const isKnown = names.some((known) => known.toLowerCase() === name.toLowerCase())
    if (!isKnown) return ` No ${level} is named ${name.slice(0, 60)}.${didYouMean(name, names)}`
  }
  return ''
}

async function listDatasets(services: Services, { caller, deadline }: Call): Promise<texts.Dataset[]> {
  const reader = services.readerForRequest(deadline)
  const visible = await visibleDatasets(withDeadline(services.authorityReader, deadline), reader, caller)
  return visible.map(({ version: _version, ...dataset }) => recordedMembers(dataset) as texts.Dataset)
}
