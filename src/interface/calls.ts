/** The calls of the interface, one by one, in the order in which they are shown. */
import { invalid, invalidBody, invalidBox, invalidPoint, notFound } from '../errors.js'
import { FEATURES_MAX } from '../datasets/records.js'
import { DATASETS_MAX, FRAMES_MAX, IDS_MAX, schemas } from '../http/param-schemas.js'
import type { Call, Parameter } from './call.js'
import * as had from './examples.js'
import * as insight from './insight-examples.js'
import { caching } from './responses.js'
import { list, ref } from './schema.js'

const name = (description: string): Parameter => ({ schema: schemas.name, description })
const anyCase = 'Upper and lower case, and blanks around or doubled, make no difference. A no-break space is a blank.'
const state = name(`Name of a state. ${anyCase}`)
const lga = name('Name of a local government area; `state` has to be given, too.')
const ids: Parameter = {
  schema: schemas.ids,
  description: `Ids of frames, separated by commas, at most ${IDS_MAX} as sent. A repeated id counts once.`,
}
const wardToo = ['?state=marembe&ward=x', invalid('ward: this list takes state and lga.')] as const
const lgaAlone = ['?lga=lakeside', invalid('lga: needs state beside it.')] as const

const reads = { capability: 'frame.read', head: true, tagged: 'sometimes', kept: caching.untilChanged } as const

const at: Call = {
  ...reads,
  path: '/v1/frames/at',
  id: 'frameAt',
  tag: 'Frames',
  summary: 'The frame that contains a point',
  description:
    'A point on an edge or a corner that frames share belongs to the one with the lowest id, and a point on the outer boundary of the grid is inside.',
  parameters: {
    lat: { schema: schemas.lat, description: 'Latitude, degrees.', required: true },
    lon: {
      schema: schemas.lon,
      description: 'Longitude, degrees. `lng` is accepted as a spelling of it; both, only when they are equal.',
      required: true,
    },
  },
  data: ref('Frame'),
  kept: caching.tenMinutes,
  tagged: 'never',
  examples: { point: { summary: 'A point', query: { lat: '0.105', lon: '0.205' }, data: had.frame } },
  refusals: [
    ['?lat=0.105', invalidPoint('lon: missing; both lat and lon are needed, in degrees.')],
    ['?lat=north&lon=0.205', invalidPoint('lat: a decimal number from -90 to 90 is accepted, "north" was sent.')],
    ['?lat=45&lon=90', notFound('No frame contains this point.')],
  ],
}

const frames: Call = {
  ...reads,
  path: '/v1/frames',
  id: 'frames',
  tag: 'Frames',
  summary: 'Frames by box, by administrative unit or by id',
  description: `One of three ways of choosing is given:

- \`bbox\`: every frame that touches the box, an edge being enough. Boxes have no pages: where more than ${FRAMES_MAX} frames (or \`limit\`) touch it, the collection says \`truncated: true\` and carries those with the lowest ids. Ask for a smaller box.
- \`state\`, or \`state\` and \`lga\`, or all of \`state\`, \`lga\` and \`ward\`: every frame of the unit, in pages. A page that is not the last says \`truncated: true\` and \`next\`; send the same names again with \`after\` set to it.
- \`ids\`: these frames, whole, as a list in the order asked. Ids that the index does not know are left out.

Frames come in the order of their ids. There is no search by radius: a box of 0.01 degrees to each side of a point holds its frame and the neighbours.`,
  parameters: {
    bbox: {
      schema: schemas.bbox,
      description:
        '`minLon,minLat,maxLon,maxLat`, degrees. The smaller comes first; longitudes go from -180 to 180, latitudes from -90 to 90.',
    },
    state,
    lga,
    ward: name('Name of a ward; `state` and `lga` have to be given, too.'),
    ids,
    limit: {
      schema: schemas.limit,
      description: `The most frames that are sent, of a box or a unit. More than ${FRAMES_MAX} counts as ${FRAMES_MAX}.`,
    },
    after: { schema: schemas.frameId, description: 'The `next` of the page before; with a unit alone.' },
  },
  data: { oneOf: [ref('FrameCollection'), list(ref('Frame'))] },
  examples: {
    box: { summary: 'Frames in a box', query: { bbox: '0.202,0.101,0.208,0.109' }, data: had.box },
    unit: {
      summary: 'The first page of a ward',
      query: { state: 'Marembe', lga: 'Lakeside', ward: 'Lake Island', limit: '1' },
      data: had.pageOfWard,
    },
    ids: { summary: 'Frames by id', query: { ids: '324378020,1' }, data: [had.frame] },
  },
  refusals: [
    ['', invalidBox('One of bbox, ids or state (with lga and ward) is needed.')],
    ['?bbox=0.3,0.2,0.1,0.4', invalidBox('bbox: minLon 0.3 is greater than maxLon 0.1.')],
    lgaAlone,
    ['?bbox=0,0,1,1&after=5', invalid('after: only with state, lga or ward; boxes and ids have no pages.')],
    ['?ids=324378020&state=marembe', invalid('ids and a unit: one way of choosing frames is accepted, not more.')],
  ],
}

const data: Call = {
  ...reads,
  path: '/v1/frames/data',
  id: 'frameData',
  tag: 'Records',
  summary: 'What datasets record on frames',
  description: `A baseline gives its row as \`values\`, any other dataset its \`features\`. Datasets that record nothing on a frame are not in its list.

- A key without \`feature.read\` sees baselines alone.
- A key narrowed to some datasets sees those alone; the others are absent, not refused.
- At most ${FEATURES_MAX} features of a dataset come in an answer, in the order in which the frames were asked; \`truncated\` says where they ended.
- A dataset licensed per query is charged once a call in which it contributed something, and named in \`charged\`. One that the credits do not cover is left out, and named in \`leftOut\`; the rest is answered. A call that ends in an error costs nothing.

HEAD is refused, as a call may charge. The answer has no \`ETag\` when it charged something, or could not.`,
  parameters: {
    ids: { ...ids, required: true },
    datasets: {
      schema: schemas.datasets,
      description: `Ids of datasets, separated by commas, at most ${DATASETS_MAX}: these alone are read and charged. Those that the key cannot read are absent, as are unknown ones. Without it, every dataset that the key can read.`,
    },
    price: {
      schema: schemas.price,
      description:
        '`true` reads and charges nothing: `charged` and `leftOut` are what they would be now, and `price` says what that costs.',
    },
  },
  data: ref('FrameData'),
  head: false,
  examples: {
    charged: {
      summary: 'Two datasets that are free and one that costs 2 credits; a frame that is not there',
      query: { ids: '321786013,1' },
      data: had.charged,
    },
    notCovered: {
      summary: 'The same, with too few credits',
      query: { ids: '321786013,1' },
      data: had.notCovered,
    },
    price: {
      summary: 'What one dataset would cost, before it is read',
      query: { ids: '321786013,1', datasets: 'lyr_market', price: 'true' },
      data: had.price,
    },
  },
  refusals: [
    ['', invalid(`ids: missing; up to ${IDS_MAX} frame ids are needed, separated by commas.`)],
    [
      '?ids=1&datasets=market',
      invalid('datasets: ids such as lyr_population are accepted, separated by commas; "market" came.'),
    ],
    ['?ids=1&price=2', invalid('price: true or false is accepted, "2" was sent.')],
    ['?ids=abc', invalid('ids: frame ids of digits are accepted, separated by commas; "abc" came.')],
  ],
}

const question: Call = {
  path: '/v1/frames/insight',
  id: 'insight',
  tag: 'Questions',
  summary: 'A worded answer about frames',
  description: `The figures are computed from stored values; words are written around them, and returned only when every number in them is among the figures. Otherwise \`narrative\` is absent, \`engine\` reads \`deterministic\`, and \`notice\` says why.

Worded answers count against a monthly allowance of the organisation (by plan: 100, 2,000 or 20,000; at most 1,000 a day); past it each costs a credit. An unworded answer costs nothing. Datasets are seen, narrowed and charged as in \`GET /v1/frames/data\`. The call spends from a bucket of its own, too.`,
  capability: 'ask.query',
  parameters: {},
  body: 'InsightBody',
  data: ref('Insight'),
  kept: caching.never,
  head: false,
  tagged: 'never',
  examples: {
    worded: {
      summary: 'A question',
      body: { frameIds: ['322074005', '322074006'], question: 'How many people live here?' },
      data: insight.worded,
    },
    unworded: { summary: 'A profile, without words', body: { frameIds: ['322074005'] }, data: insight.unworded },
  },
  refusals: [
    [' {"frameIds":[]}', invalidBody('frameIds: an array of 1 to 50 strings of digits is accepted.')],
    [
      ' {"frameIds":["322074005"],"tone":"glad"}',
      invalidBody('"tone" is not a field: frameIds, question and format are.'),
    ],
  ],
}

const units = { ...reads, tag: 'Units' } as const

export const calls: readonly Call[] = [
  at,
  frames,
  data,
  question,
  {
    ...units,
    path: '/v1/states',
    id: 'states',
    summary: 'Every state',
    description: 'Sorted by name. The names are those to send as `state`.',
    parameters: {},
    data: list(ref('State')),
    examples: { all: { summary: 'All', data: had.states } },
    refusals: [['?state=marembe', invalid('state: this list takes no unit.')]],
  },
  {
    ...units,
    path: '/v1/lgas',
    id: 'lgas',
    summary: 'Local government areas',
    description: 'Of one state, or of all; sorted by state and name. An unknown state has none.',
    parameters: { state },
    data: list(ref('Lga')),
    examples: { state: { summary: 'Of a state', query: { state: 'Marembe' }, data: had.lgas } },
    refusals: [
      ['?state=', invalid('state: given without a value.')],
      ['?state=marembe&lga=lakeside', invalid('lga: this list takes state.')],
    ],
  },
  {
    ...units,
    path: '/v1/wards',
    id: 'wards',
    summary: 'Wards',
    description: 'Of a state, or of one of its areas; sorted by area and name.',
    parameters: { state: { ...state, required: true }, lga },
    data: list(ref('Ward')),
    examples: { area: { summary: 'Of an area', query: { state: 'Marembe', lga: 'Lakeside' }, data: had.wards } },
    refusals: [['', invalid('state: missing; wards are listed for a named state.')], wardToo],
  },
  {
    ...units,
    path: '/v1/frames/admin',
    id: 'adminTree',
    summary: 'Administrative units as a tree',
    description: 'States and their areas; under a named state, the wards, too.',
    parameters: { state, lga },
    data: ref('AdminTree'),
    examples: { area: { summary: 'Of an area', query: { state: 'Marembe', lga: 'Lakeside' }, data: had.tree } },
    refusals: [lgaAlone, wardToo],
  },
]
