/** A small catalogue, and plans of a played model, for the tests of planning. */
import type { PlannedQuestion } from '../../src/core/insight/reading/by-model.js'
import type { Catalogue } from '../../src/core/insight/reading/catalogue.js'
import { nameIndex } from '../../src/core/insight/reading/names.js'
import type { Topic } from '../../src/core/insight/reading/topic.js'
import type { PlannedFigure, PlannedTest, ReadingPlan } from '../../src/core/insight/reading/plan.js'
import type { Reading } from '../../src/core/insight/reading/reading.js'
import { unitNamesOf } from '../../src/core/insight/reading/unit-names.js'
import { type MessagesBody, userText } from '../support/wording-server.js'

const attribute = (layerId: string, name: string): Topic['subject'] => ({ kind: 'attribute', layerId, attribute: name })
const property = (name: string): Topic['subject'] => ({ kind: 'property', layerId: 'lyr_clinics', property: name })
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
const CLASSES = { type: 'category', summary: 'mode' } as const

const people2025 = topic(attribute('lyr_population', 'p2025'), 'Population, 2025', {
  years: [2025],
  unit: 'people',
})
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
  ...CLASSES,
  classes: ['Forest', 'Built-up'],
})
export const clinics = topic({ kind: 'features', layerId: 'lyr_clinics' }, 'Clinics', {
  type: 'features',
  summary: 'count',
  kind: 'points',
})
const beds = topic(property('beds'), 'beds')
const kind = topic(property('kind'), 'kind', { ...CLASSES, classes: ['Mobile', 'Mission'] })
/** Their ids are t1 to t7. */
export const topics = [people2025, people2026, elevation, cover, clinics, beds, kind]

type UnitNamed = Parameters<typeof unitNamesOf>[0][number]
const PLACES: UnitNamed[] = [
  { level: 'state', name: 'MAREMBE', units: 1 },
  { level: 'lga', name: 'MAREMBE', units: 1 },
  { level: 'ward', name: 'WEST QUAY', units: 1 },
  { level: 'ward', name: 'MAREMO', units: 1 },
]
export const catalogueOf = (some: readonly Topic[], places: readonly UnitNamed[] = PLACES): Catalogue => ({
  topics: some,
  names: nameIndex(some, new Map()),
  stemOf: (word) => word,
  units: unitNamesOf(places).byWords,
  allUnits: unitNamesOf(places).byWords,
  suggestions: new Map(),
  placeCues: new Map(),
})

/** The grammar's reading of a question that it did not understand. */
export const leftOver = (...unknown: string[]): Reading => ({ asks: [], unknown, unanswered: [], wants: 'figures' })

export const asked = (question: string, more: Partial<PlannedQuestion> = {}): PlannedQuestion => ({
  question,
  catalogue: catalogueOf(topics),
  reading: leftOver(question),
  priced: new Set(),
  about: '5 frames',
  level: undefined,
  ...more,
})

/** Rows of plans leave out the words of figures and tests that have all of the question. */
type Worded<Part> = Omit<Part, 'words'> & { words?: string }
type RowTest = Worded<PlannedTest>
type RowFigure = Worded<Omit<PlannedFigure, 'where' | 'whole'>> & { where?: RowTest[][]; whole?: RowTest[][] }
export type PlanRow = Partial<Omit<ReadingPlan, 'figures'>> & { figures?: RowFigure[] }

export function planOfRow(
  question: string,
  { figures = [], combine, harmless = [], rest = [] }: PlanRow,
  idOf: (name: string) => string = (name) => name,
): ReadingPlan {
  const testsOf = (tests: RowTest[][]) =>
    tests.map((any) =>
      any.map((test) => ({
        words: question,
        ...test,
        subject: idOf(test.subject),
        ...(test.only !== undefined && { only: idOf(test.only) }),
      })),
    )
  const made = figures.map(({ where, whole, other, by, ...figure }) => ({
    words: question,
    ...figure,
    measure: idOf(figure.measure),
    ...(where && { where: testsOf(where) }),
    ...(whole && { whole: testsOf(whole) }),
    ...(other !== undefined && { other: idOf(other) }),
    ...(by !== undefined && { by: idOf(by) }),
  }))
  return { figures: made, ...(combine && { combine }), harmless, rest }
}

/** Finds the id under which a prompt has a label, or a class of it: "Land cover: Forest". Names of the index are ids. */
export function idIn(body: MessagesBody, name: string): string {
  const [label = '', value] = name.split(': ')
  const [owner = '', own] = label.split(', ')
  const lines = userText(body).split('\n')
  const lineOf = (text: string) => lines.find((each) => each.startsWith('t') && each.includes(text))
  const [ownerId = ''] = lineOf(` "${owner}": `)?.split(' ') ?? []
  const line = lineOf(` "${label}": `) ?? lineOf(` "${own}" of ${ownerId}: `)
  const [id = name] =
    value === undefined ? (line?.split(' ') ?? []) : (new RegExp(`t\\d+c\\d+(?= "${value}")`).exec(line ?? '') ?? [])
  return id
}
