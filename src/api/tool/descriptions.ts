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
export const INSTRUCTIONS = `A national grid of frames, cells of about a kilometre. Find frames with frame_at (a point) or frames (a box, a shape, a unit, or ids), list the names of units with units and the datasets with datasets, then add up totals, read records or ask a question about frames, a unit, a box or a shape. State no number that a tool did not return: before you show a text about an answer of ask, give both to verify. A refusal has a code and says what would be accepted; rate_limited says how many seconds to wait. A table of many places is work for a program: POST /tools/enrich of this server takes CSV with the same key, and adds columns to each row.`

/** The place of a tool. A model reads it three times. */
const PLACE = {
  state: { description: 'Name of a state, in upper or lower case.' },
  lga: { description: 'Name of a local government area; with `state`.' },
  ward: { description: 'Name of a ward; with `state` and `lga`.' },
  bbox: { description: '`minLon,minLat,maxLon,maxLat`, degrees.' },
  shape: {
    type: ['string', 'object'],
    description:
      'A polygon or a multipolygon: GeoJSON, or WKT in degrees, with `SRID=...;` before it where it is in another system. At most 10,000 vertices, and 64 KiB with the rest.',
  },
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
  description: `The frames of a unit (\`state\`, \`lga\`, \`ward\`), of a box (\`bbox\`) or a \`shape\`, an edge being enough, or by \`ids\`: one of these ways. Each has its id, its box and its units, and its polygon where \`geometry\` is true. They come in the order of their ids, ${FRAMES_USUAL} of them, or \`limit\`, of at most ${FRAMES_OF_TOOL_MAX} in one call; \`truncated\` says that there are more. A unit and a shape have pages: send \`next\` back as \`after\`. A box has none: ask for a smaller one. There is no search by radius: a box of 0.01 degrees to each side of a point holds its frame and the neighbours. To add up or to ask, name the place itself in totals or ask: no list of frames is needed.\n\nNeeds \`frame.read\`.`,
  inputSchema: listsToo(
    withMembers(parametersOf('/v1/frames'), {
      ...PLACE,
      limit: {
        default: FRAMES_USUAL,
        maximum: FRAMES_OF_TOOL_MAX,
        description: `The most frames that are sent. More than ${FRAMES_OF_TOOL_MAX} counts as ${FRAMES_OF_TOOL_MAX}.`,
      },
      after: { description: 'The `next` of the page before.' },
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
    'Names of administrative units, to choose frames by, with the number of their frames: the states; with `state`, its local government areas; with `state` and `lga`, the wards of the area; with `lga` alone, the areas of that name with their states.\n\nNeeds `frame.read`.',
  inputSchema: {
    ...withMembers(parametersOf('/v1/wards'), { state: PLACE['state'], lga: PLACE['lga'] }),
    required: [],
  },
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
        cite: reference('Cite'),
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
  outputSchema: withMembers(answerOf('Insight'), { hint: text }),
}

function placesToo({ required: _required, ...schema }: ToolSchema): ToolSchema {
  return withMembers(schema, placeMembers())
}

function placeMembers(): Record<string, JsonObject> {
  const known = membersOf(parametersOf('/v1/frames'))
  return Object.fromEntries(Object.entries(PLACE).map(([name, of]) => [name, { ...known[name], ...of }]))
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
