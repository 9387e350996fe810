/** A small catalogue, and plans of a played model, for the tests of planning. */
import type { Catalogue } from '../../src/core/insight/reading/catalogue.js'
import { nameIndex } from '../../src/core/insight/reading/names.js'
import type { Topic } from '../../src/core/insight/reading/topic.js'
import type { PlannedAsk, PlannedCondition, ReadingPlan } from '../../src/core/insight/reading/plan.js'
import type { Reading } from '../../src/core/insight/reading/reading.js'
import type { MessagesBody } from '../support/wording-server.js'

const attribute = (layerId: string, name: string): Topic['subject'] => ({ kind: 'attribute', layerId, attribute: name })
const topic = (subject: Topic['subject'], label: string, more: Partial<Topic> = {}): Topic => ({
  subject,
  label,
  names: [label],
  datasetNames: [],
  type: 'number',
  summary: 'sum',
  unit: undefined,
  kind: 'frames',
  years: [],
  series: label.replace(/\d{4}/, ''),
  classes: [],
  ...more,
})

export const people2025 = topic(attribute('lyr_population', 'p2025'), 'Population, 2025', { years: [2025] })
export const people2026 = topic(attribute('lyr_population', 'p2026'), 'Population, 2026', {
  years: [2026],
  names: ['Population, 2026', 'people'],
  unit: 'people',
})
export const elevation = topic(attribute('lyr_relief', 'mean'), 'Mean elevation', {
  summary: 'weighted_mean',
  unit: 'm',
})
export const cover = topic(attribute('lyr_cover', 'class'), 'Land cover', {
  type: 'category',
  summary: 'mode',
  classes: ['Forest', 'Built-up'],
})
export const clinics = topic({ kind: 'features', layerId: 'lyr_clinics' }, 'Clinics', {
  type: 'features',
  summary: 'count',
  kind: 'points',
})
/** Their ids are t1 to t5. */
export const topics = [people2025, people2026, elevation, cover, clinics]
export const catalogueOf = (some: readonly Topic[], places: readonly string[] = []): Catalogue => ({
  topics: some,
  names: nameIndex(some, new Map()),
  stemOf: (word) => word,
  units: new Map(places.map((place) => [place, []])),
  suggestions: new Map(),
})
/** No question names a place. */
export const catalogue = catalogueOf(topics)

export const ask = (words: string, subject: string, more: Partial<PlannedAsk> = {}): PlannedAsk => ({
  words,
  subject,
  operation: 'usual',
  other: 'none',
  n: '',
  by: 'none',
  places: [],
  ...more,
})
/** A figure of each LGA, or of each of other groups. */
export const groups = (words: string, subject: string, more: Partial<PlannedAsk> = {}): PlannedAsk =>
  ask(words, subject, { by: 'index_lga', ...more })
export const condition = (
  words: string,
  subject: string,
  test: PlannedCondition['test'],
  number = '',
): PlannedCondition => ({ words, subject, test, number })

export const plan = (more: Partial<ReadingPlan>): ReadingPlan => ({
  asks: [],
  conditions: [],
  notRecorded: [],
  notComputable: [],
  ...more,
})

/** The deterministic reading of a question that it did not understand. */
export const leftOver = (...unknown: string[]): Reading => ({
  asks: [],
  unknown,
  unanswered: [],
  wants: 'figures',
})

/** Finds the id under which the catalogue of a prompt has a subject. */
export const subjectIdIn = ({ messages }: MessagesBody, name: RegExp): string =>
  messages[0]?.content
    .split('\n')
    .find((line) => name.test(line))
    ?.split(' ')[0] ?? 'none'
