/** Lists the statements that an answer sent, and the call and the SELECT by which a program gets the same. */
import { literal } from '../../api/inspect/literals.js'
import type { ExplainedCall } from '../../api/inspect/call.js'
import { type AlgebraFigure, INDEX, type Measure, type SentStatement } from '../../core/figures/index.js'
import type { InsightAnswer } from '../../core/insight/index.js'
import { parametersOf, type Place, setOf } from '../../core/place.js'
import { waysToPlace } from '../map/other-ways.js'
import type { NamedStatement } from '../shell/show-sql.js'
import { type MapView, queryOf } from '../map/view.js'
import type { AskedQuestion } from './spending-form.js'

type Answered = { asked: AskedQuestion; answer: InsightAnswer; page: { path: string; view: MapView; filter?: unknown } }

export const CATALOGUE = 'attributes_of_datasets'

/** Lists the statements that an answer sent. Those that made the headline come first. Each says which figures it made. */
export function statementsOf({ shown: { named, facets, statements } }: InsightAnswer): NamedStatement[] {
  const key = (each: SentStatement) => JSON.stringify([each.name, each.args])
  const made = new Map<string, NamedStatement & { labels: Set<string> }>()
  for (const { label, source, statements: own = [] } of [...named, ...facets]) {
    // A figure counts its frames first: the statement that names its dataset says more.
    const isOther = (each: SentStatement) => Number(!key(each).includes(`"${source.layerId}`))
    for (const each of own.filter(({ name }) => name !== CATALOGUE).toSorted((a, b) => isOther(a) - isOther(b))) {
      const known = made.get(key(each)) ?? { ...each, labels: new Set() }
      made.set(key(each), { ...known, labels: known.labels.add(label) })
    }
  }
  const others = statements.filter((each) => !made.has(key(each)))
  return [
    ...[...made.values()].map(({ labels, ...each }) => ({ ...each, makes: [...labels].join('; ') })),
    ...others.map((each) => ({ ...each, makes: 'what the answer as a whole needs' })),
  ]
}

/** A program asks the same; an analyst selects the first figure. No call takes the filter of a legend. */
export function waysTo({ asked: { question, place }, answer, page }: Answered) {
  const panel = { subject: question ?? 'Profile', at: page.path + queryOf({ ...page.view, question }) }
  const ofPlace = waysToPlace(place)
  const figure = firstFigure(place, answer)
  // A profile has the totals of the place. No view has any other figure.
  const isProfile = answer.shown.named.length === 0 || page.filter !== undefined
  const analyst =
    figure === undefined
      ? isProfile && ofPlace.analyst
      : { reason: FIRST_FIGURE, select: `select * from analyst.figure(${literal(figure)})` }
  if (page.filter && analyst) return { ...panel, analyst }
  if (question === undefined && !('frames' in place)) return { ...panel, ...ofPlace }
  const format = answer.narrative === undefined ? { format: 'figures' } : {}
  const named = 'frames' in place ? { frameIds: place.frames } : parametersOf(place)
  const body = JSON.stringify({ question, ...named, ...format })
  const call: ExplainedCall = { method: 'POST', path: '/tools/ask', body }
  return { ...panel, calls: [call] as const, ...(analyst && { analyst }) }
}

const FIRST_FIGURE = 'The function analyst.figure computes the first figure of the answer.'

/** These read the same in the algebra as in a source. */
const HOWS = ['sum', 'mean', 'weighted_mean', 'median', 'min', 'max', 'mode'] as const

/** The text of a figure of the algebra. A kept figure is the one that it was kept from. */
function firstFigure(place: Place, { shown }: InsightAnswer): string | undefined {
  const [first] = shown.named
  if (!first?.dataset) return undefined
  const { statements = [], source } = first
  const { layerId, attribute, unit, statistic, weight, where } = source
  const ofLayer = (statement: string) =>
    statements
      .map(({ name, args }) => name === statement && String(args[0]))
      .find((text) => text && text.includes(layerId))
  const asked = ofLayer('figure')
  if (asked) return asked
  const written = (of: Measure) => JSON.stringify({ of } satisfies AlgebraFigure)
  const how = HOWS.find((each) => each === statistic)
  const measured = ofLayer('summary')
  if (how && measured) return written({ ...(JSON.parse(measured) as Measure), how })
  const kept = statements.find(({ name }) => name === 'profile')?.args[0] as string[] | undefined
  if (!kept && where) return undefined
  const inPlace = { place: kept ?? (unit ? ['unit', ...unit] : setOf(place)) }
  if (statistic === 'count') return written({ things: layerId, ...inPlace, how: 'count' })
  if (!how) return undefined
  const weighing = weight === 'area' ? { of: INDEX.layerId, name: 'geom' } : weight && { of: layerId, name: weight }
  return written({ ...inPlace, subject: { of: layerId, name: attribute }, ...(weighing && { weight: weighing }), how })
}

/** The ids of thousands of frames that pass a condition are no text to read. */
const VALUES_SHOWN = 2000
export const shownOnes = <Sent extends { args: readonly unknown[] }>(statements: readonly Sent[]): Sent[] =>
  statements.filter(({ args }) => JSON.stringify(args).length <= VALUES_SHOWN)
