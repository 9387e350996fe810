/** Names, descriptions and schemas of the tools, for models, which read all of them before their first call. */
import {
  answerOf,
  answerSchema,
  component,
  descriptionOf,
  listsToo,
  reference,
  schemaMembers,
  parametersOf,
  withDefinitions,
  type JsonObject,
  type ToolSchema,
} from './schemas.js'

export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: ToolSchema
  outputSchema: ToolSchema
  /** Hints of the protocol to clients: a client may call a tool that only reads without asking a person. */
  annotations: { readOnlyHint: boolean; destructiveHint?: boolean; idempotentHint?: boolean; openWorldHint: boolean }
}

/**
 * How many frames the tool `frames` gives where its call does not say, and at most: 5,000 would fill a model's context.
 */
export const FRAMES_USUAL = 100
export const FRAMES_OF_TOOL_MAX = 200

const text: JsonObject = { type: 'string' }
const count: JsonObject = { type: 'integer', minimum: 0 }
const listOf = (items: JsonObject): JsonObject => ({ type: 'array', items })
const object = (required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  required,
  properties,
})

/** The server says this to a model before it calls a tool. */
export const INSTRUCTIONS = `A national grid of frames, cells of about a kilometre. Find frames with frame_at (a point) or frames (a box, a shape, a unit, or ids), list the names of units with units and the datasets with datasets, then add up totals, read records or ask a question about frames, a unit, a box or a shape. State no number that a tool did not return: before you show a text about an answer of ask, give both to verify. A refusal has a code and says what would be accepted; rate_limited says how many seconds to wait.`

const SHAPE: JsonObject = {
  type: ['string', 'object'],
  description:
    'Frames that touch this polygon or multipolygon: WKT in degrees, with `SRID=...;` before it where it is in another system, or GeoJSON. At most 10,000 vertices, and 64 KiB with the rest of the message. A fault is named with its place.',
}

const READS = { readOnlyHint: true, openWorldHint: false }
/**
 * The protocol's readOnlyHint says that a tool "does not modify its environment". A charge or a counted answer is an entry
 * in the ledger: it adds, removes nothing, and comes again with each call.
 */
const SPENDS = { readOnlyHint: false, destructiveHint: false, idempotentHint: false, openWorldHint: false }

export const frameAt: ToolDescription = {
  name: 'frame_at',
  title: 'Frame at a point',
  annotations: READS,
  description: descriptionOf('/v1/frames/at', 'get'),
  // The call takes another spelling of lon too, which the schema of a tool would have to list.
  inputSchema: withMembers(parametersOf('/v1/frames/at'), { lon: { description: 'Longitude, degrees.' } }),
  outputSchema: answerOf('Frame'),
}

export const frames: ToolDescription = {
  name: 'frames',
  title: 'Frames of a box, a shape or a unit, or by id',
  annotations: READS,
  description: `${descriptionOf('/v1/frames', 'get')}\n\nThis tool gives the id, the box and the units of each frame, of at most ${FRAMES_OF_TOOL_MAX} in one call, and of ${FRAMES_USUAL} without \`limit\`. Their geometries come where \`geometry\` is true. A \`shape\` has pages, as a unit has. To add up or to ask, name the place itself in totals or ask: no list of frames is needed.`,
  inputSchema: listsToo(
    withMembers(parametersOf('/v1/frames'), {
      limit: {
        default: FRAMES_USUAL,
        maximum: FRAMES_OF_TOOL_MAX,
        description: `The most frames that are sent. More than ${FRAMES_OF_TOOL_MAX} counts as ${FRAMES_OF_TOOL_MAX}.`,
      },
      shape: SHAPE,
      geometry: { type: 'boolean', default: false, description: 'true: with the polygon of each frame.' },
    }),
  ),
  outputSchema: answerSchema(['frames'], {
    frames: listOf(
      object(['id', 'bbox'], {
        id: reference('FrameId'),
        bbox: reference('BBox'),
        admin: reference('FrameAdmin'),
        geometry: reference('Geometry'),
      }),
    ),
    truncated: { type: 'boolean' },
    next: text,
    hint: text,
  }),
}

export const units: ToolDescription = {
  name: 'units',
  title: 'Names of units',
  annotations: READS,
  description:
    'Names of administrative units, to choose frames by, with the number of their frames: the states; with `state`, its local government areas; with `state` and `lga`, the wards of the area.\n\nNeeds `frame.read`.',
  inputSchema: { ...parametersOf('/v1/wards'), required: [] },
  outputSchema: answerSchema(['units'], {
    units: listOf({ anyOf: [reference('Ward'), reference('Lga'), reference('State')] }),
    hint: text,
  }),
}

export const datasetsTool: ToolDescription = {
  name: 'datasets',
  title: 'Datasets that the key can read',
  annotations: READS,
  description:
    'The datasets whose records this key can read. `price` is what one call costs, in credits, in which the dataset contributes something; without it, reading is free.\n\nNeeds `frame.read`.',
  inputSchema: { type: 'object', properties: {}, additionalProperties: false },
  outputSchema: answerSchema(['datasets'], {
    datasets: listOf(
      object(['layerId', 'name', 'category', 'kind', 'orgId'], {
        layerId: text,
        name: text,
        category: text,
        kind: { enum: ['frames', 'points', 'lines', 'polygons'] },
        orgId: text,
        vintage: text,
        distanceTo: text,
        price: count,
      }),
    ),
  }),
}

/** Numbers are texts, so that no digit is lost. */
const TEXTS_OF_TOTAL = [
  'layerId',
  'attribute',
  'label',
  'unit',
  'summary',
  'total',
  'byArea',
  'lower',
  'upper',
  'class',
]

export const totals: ToolDescription = {
  name: 'totals',
  title: 'Totals over a unit, a box or a shape',
  annotations: READS,
  description:
    'What each dataset adds up to over a unit, a box or a shape of any size; over the whole index without any of them. `total` is of the whole frames that touch. Boxes and shapes cut frames: `byArea` takes of each frame the share of its area that lies inside, and counts the features that touch the shape itself. `lower` and `upper` are the 95 % interval of a modelled total, where the dataset has draws of its model. Datasets with a price are not read, and are listed as `notRead`.\n\nNeeds `frame.read`; datasets of features need `feature.read`.',
  inputSchema: listsToo({ type: 'object', properties: placeMembers(), additionalProperties: false }),
  outputSchema: answerSchema(['frames', 'km2', 'totals', 'notRead'], {
    frames: count,
    km2: text,
    km2Inside: text,
    totals: listOf(
      object(['layerId', 'attribute', 'label', 'summary', 'recorded'], {
        ...Object.fromEntries(TEXTS_OF_TOTAL.map((name) => [name, text])),
        classFrames: count,
        recorded: count,
      }),
    ),
    notRead: listOf(text),
    hint: text,
  }),
}

export const records: ToolDescription = {
  name: 'records',
  title: 'Records on frames, or their price',
  annotations: SPENDS,
  // A tool has neither HEAD nor ETag.
  description: descriptionOf('/v1/frames/data', 'get').replace(/\n+HEAD is refused[^\n]*/, ''),
  inputSchema: listsToo(parametersOf('/v1/frames/data')),
  outputSchema: answerOf('FrameData'),
}

export const askTool: ToolDescription = {
  name: 'ask',
  title: 'Question about frames',
  annotations: SPENDS,
  description: `${descriptionOf('/v1/frames/insight', 'post')}\n\nIn place of \`frameIds\`, \`state\` with \`lga\` and \`ward\`, \`bbox\` or \`shape\` asks about all frames of a unit, a box or a shape, of any number; without any of them, the question is about the whole index. Datasets with a price are read for \`frameIds\` alone.`,
  inputSchema: listsToo(placesToo(component('InsightBody'))),
  outputSchema: answerOf('Insight'),
}

function placesToo({ required: _required, ...schema }: ToolSchema): ToolSchema {
  return withMembers(schema, placeMembers())
}

function placeMembers(): Record<string, JsonObject> {
  const { state = {}, lga = {}, ward = {}, bbox = {} } = membersOf(parametersOf('/v1/frames'))
  return { state, lga, ward, bbox, shape: SHAPE }
}

/**
 * The process takes no other call while it checks a text: 25 ms of processor time at most within these limits. `ANSWER_MAX` counts the
 * headline, the labels and the values together.
 */
const QUESTION_TEXT_MAX = 10_000
export const ANSWER_MAX = 10_000
const FACETS_OF_SCHEMA = 500
const FRAMES_OF_ANSWER_MAX = 50

export const verify: ToolDescription = {
  name: 'verify',
  title: 'Are the numbers of a text those of an answer?',
  annotations: READS,
  description:
    'Looks for every number of a text, in digits or in words, among the figures of an answer of `ask`, the count of its frames and their ids. A number that no figure has, or has with another unit of measure, currency or common noun (people, households, schools), is listed, and so is a number in a form that no figure has: rounded, a sum, a fraction, a Roman numeral of two letters or more, an ordinal such as “first”, “second” or “2nd”, “several”, “a pair”. Give such a text without them. A change, a limit and a year of a label are figures behind words that say so: “grew by 3,880”, “within 2 km”, “in 2026”. Says nothing of other nouns, of “no”, “none” and “both”, of other languages, nor whether a true number stands on the right thing. Reads nothing and charges nothing.',
  inputSchema: withDefinitions({
    type: 'object',
    required: ['text', 'answer'],
    properties: {
      text: { type: 'string', maxLength: QUESTION_TEXT_MAX, description: 'The text that somebody is to read.' },
      answer: {
        ...withMembers(schemaMembers('Insight', ['headline', 'facets', 'frameIds']), {
          frames: { type: 'integer', minimum: 0, description: 'An answer about a unit or a box counts its frames.' },
          notes: { type: 'object' },
          sources: { type: 'array', items: { type: 'object' }, maxItems: FACETS_OF_SCHEMA },
          facets: { maxItems: FACETS_OF_SCHEMA },
          frameIds: { maxItems: FRAMES_OF_ANSWER_MAX },
        }),
        description: `The answer of \`ask\`, whole or with these members alone. Its notes and sources say which numbers of the headline and of the labels are figures. The headline, labels and values have at most ${ANSWER_MAX} characters together.`,
      },
    },
    additionalProperties: false,
  }),
  outputSchema: answerSchema(['ok', 'numbers'], {
    ok: { type: 'boolean' },
    numbers: listOf(object(['text', 'at', 'why'], { text, at: count, why: text })),
  }),
}

function membersOf(schema: ToolSchema): Record<string, JsonObject> {
  return schema['properties'] as Record<string, JsonObject>
}

/** Adds to the members of an object what `more` has of them. */
function withMembers(schema: ToolSchema, more: Record<string, JsonObject>): ToolSchema {
  const known = membersOf(schema)
  const changed = Object.entries(more).map(([name, each]) => [name, { ...known[name], ...each }])
  return { ...schema, properties: { ...known, ...Object.fromEntries(changed) } }
}
