/** Records of datasets, and answers to questions, as the description names them. */
import { FEATURES_MAX } from '../datasets/records.js'
import type { DatasetRow } from '../db/statements.js'
import type { ErrorCode } from '../errors.js'
import { insightSchema } from '../http/body.js'
import type { Answer } from '../insight/answer.js'
import type { Statistic } from '../insight/figures.js'
import { list, object, oneOf, ref, text, type Members, type Schema } from './schema.js'

const kinds: Record<DatasetRow['kind'], string> = {
  frames: 'a baseline, one row a frame',
  points: 'features',
  lines: 'features',
  polygons: 'features',
}
const engines: Record<Answer['engine'], string> = {
  claude: 'words by a model, every number accounted for',
  deterministic: 'no words, and `notice` says why',
}
const intents: Record<Answer['intent'], string> = { frames: 'figures of the frames asked' }
const confidences: Record<Answer['confidence'], string> = { exact: 'computed from stored values, never estimated' }
const registers: Record<Answer['register'], string> = { plain: 'plain English' }
const statistics: Record<Statistic, string> = {
  sum: 'added up',
  mean: 'the average',
  weighted_mean: 'the average, weighted',
  min: 'the lowest',
  max: 'the highest',
  mode: 'the most common',
  share: 'a share of the frames',
  count: 'how many',
  frames: 'on how many frames',
  value: 'as recorded',
  odd: 'values that are no plain numbers',
}
const leftOutReasons = { insufficient_credits: 'the credits of the organisation do not cover it' }

/** What each code means, and what to do about it. */
export const codes: Record<ErrorCode, string> = {
  invalid_point: '`lat` or `lon` is missing, given twice, or not a decimal number in range',
  invalid_bbox: 'the box is malformed or turned round, or no way of choosing frames was given',
  invalid: 'another parameter is wrong, given twice, blank, or does not go with the others',
  invalid_body: 'the body of a question is not as it should be',
  unauthorized: 'no key was sent',
  invalid_key: 'the key is not known, has expired or was revoked: ask for another',
  insufficient_scope: 'the key lacks the capability that the message names',
  not_found: 'the point is outside the grid, or there is nothing at this path',
  rate_limited: 'a bucket is spent: wait the seconds of `Retry-After`',
  internal: 'a fault of the server: try once more',
}

const layerId = text('Id of the dataset.', { pattern: '^lyr_[0-9A-Za-z_]+$' })
const charged = list(layerId, {
  description: 'The per-query datasets that this call was charged for, once each.',
})
const leftOut = list(ref('LeftOut'), { description: 'The per-query datasets that the credits did not cover.' })

const dataSchemas: Members = {
  DatasetEntry: object(
    'What a dataset records on the frame: `values` of a baseline, `features` of any other.',
    {
      layerId,
      name: text('Name of the dataset.'),
      category: text('Such as Population, or Built environment.'),
      kind: oneOf(kinds, 'What the dataset is made of'),
      orgId: text('The organisation that owns it.', { pattern: '^org_[0-9A-Za-z]{12}$' }),
    },
    {
      values: {
        type: 'object',
        description: 'The row of the frame: each value as text, exactly as stored. Attributes not recorded are absent.',
        additionalProperties: { type: 'string' },
      },
      features: list(ref('FeatureRecord'), {
        maxItems: FEATURES_MAX,
        description: `The features that touch the frame, at most ${FEATURES_MAX} a dataset and call.`,
      }),
      truncated: {
        type: 'boolean',
        const: true,
        description: `There when the ${FEATURES_MAX} features of the call ended here.`,
      },
    },
  ),
  FeatureRecord: object('A feature of a dataset, as a GeoJSON Feature.', {
    type: { type: 'string', const: 'Feature' },
    id: text('Id of the feature in its dataset.'),
    geometry: ref('Geometry'),
    properties: { type: 'object', description: 'Whatever the dataset records of it.', additionalProperties: true },
  }),
  LeftOut: object('A dataset that was left out of the answer.', {
    layerId,
    name: text('Name of the dataset.'),
    reason: oneOf(leftOutReasons, 'Why'),
    price: { type: 'integer', minimum: 1, description: 'Credits that it costs a call.' },
  }),
  FrameRecords: object(
    'A frame that was asked for. One that the index does not know has no bbox and no datasets.',
    { id: ref('FrameId'), datasets: list(ref('DatasetEntry')) },
    { bbox: ref('BBox') },
  ),
  FrameData: object(
    'Records on frames, in the order asked; or, for `price=true`, no frames, and what their records would cost.',
    { frames: list(ref('FrameRecords')), charged, leftOut },
    { price: ref('Price') },
  ),
  Price: object(
    'There for `price=true`: what the call would be charged now. `charged` and `leftOut` say what they would say.',
    {
      credits: { type: 'integer', minimum: 0, description: 'Credits in all.' },
      datasets: list(ref('PricedDataset'), { description: 'The datasets that would be charged, in order.' }),
    },
  ),
  PricedDataset: object('A dataset that records something on the frames, at a price.', {
    layerId,
    name: text('Name of the dataset.'),
    price: { type: 'integer', minimum: 1, description: 'Credits that it costs a call.' },
  }),
}

const insightSchemas: Members = {
  InsightBody: { description: 'A question about frames.', ...insightSchema },
  Facet: object('A figure, as a person reads it.', { label: text('What it is.'), value: text('With its unit.') }),
  Source: object(
    'Where the facet in the same place comes from: with `frameIds`, enough to compute it again.',
    {
      label: text('The label of the facet.'),
      layerId: text('Id of the dataset; `frames` for the index itself.'),
      dataset: text('Name of the dataset.'),
      attribute: text('Name of the attribute; `feature` where features are counted.'),
      statistic: oneOf(statistics, 'How the figure is made'),
      frames: { type: 'integer', minimum: 0, description: 'How many of the frames the figure stands on.' },
    },
    {
      weight: text(
        'Of a weighted mean: `area`, the area of each frame in km², or the attribute of the same dataset that weights it.',
      ),
      class: text('The value whose frames are counted, where the figure is the share of one value.'),
      frameId: ref('FrameId'),
      vintage: text('The time that the dataset tells of, where recorded.'),
      method: text('How the values were made, such as a modelled estimate, where recorded.'),
    },
  ),
  Table: object('The values, a row a frame.', {
    columns: list(
      object('A column.', { key: text('Member of the rows.'), label: text('Heading.') }, { unit: text('Unit.') }),
    ),
    rows: list({
      type: 'object',
      required: ['frameId'],
      properties: { frameId: ref('FrameId') },
      additionalProperties: { type: 'string' },
    }),
  }),
  Insight: object(
    'An answer. The figures are always there; the words only where every number in them is among the figures.',
    {
      intent: oneOf(intents, 'What was understood'),
      headline: text('The answer in a line.'),
      facets: list(ref('Facet')),
      followUps: list({ type: 'string' }, { description: 'Questions that the same frames can answer.' }),
      confidence: oneOf(confidences, 'How sure the figures are'),
      engine: oneOf(engines, 'Who wrote the words'),
      register: oneOf(registers, 'How the words are put'),
      frameIds: list(ref('FrameId'), { description: 'The frames that the answer is about.' }),
      sources: list(ref('Source'), { description: 'One a facet, in the same order.' }),
      table: ref('Table'),
      charged,
      leftOut,
    },
    {
      narrative: text('The reply to show. Absent when no words could be had, or they could not be verified.'),
      model: text('The model that wrote the words.'),
      notice: text('There when the answer is unworded: says why.'),
    },
  ),
}

const errorMembers = (code: Schema) => ({
  error: object('What went wrong.', {
    code,
    message: text('For people; may be reworded. Programs branch on `code`.', { minLength: 1 }),
  }),
})

/** The envelope of failures, with the codes that can come in it. */
export const errorSchema = (allowed: readonly ErrorCode[]): Schema =>
  object('A failure.', errorMembers({ type: 'string', enum: [...allowed] }))

const errorSchemas: Members = {
  ErrorCode: oneOf(codes, 'Stable within a version'),
  Error: object('Every failure.', errorMembers(ref('ErrorCode'))),
}

export const recordSchemas: Members = { ...dataSchemas, ...insightSchemas, ...errorSchemas }
