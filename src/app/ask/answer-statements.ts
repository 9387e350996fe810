/** Lists the statements that an answer sent, and the call and the SELECT by which a program gets the same. */
import { literal } from '../../api/inspect/literals.js'
import type { ExplainedCall } from '../../api/inspect/call.js'
import { type SentStatement, sumOf } from '../../core/figures/index.js'
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
  const analyst =
    figure === undefined
      ? ofPlace.analyst
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

/** The text of a figure of the algebra. A kept sum is the figure that it was kept from. */
function firstFigure(place: Place, { shown }: InsightAnswer): string | undefined {
  const [first] = shown.named
  const sent = first?.statements?.find(
    ({ name, args }) => name === 'figure' && String(args[0]).includes(first.source.layerId),
  )
  if (sent) return String(sent.args[0])
  if (!first?.dataset || first.source.statistic !== 'sum' || first.source.where) return undefined
  const { layerId, attribute, unit } = first.source
  return sumOf(unit ? ['unit', ...unit] : setOf(place), layerId, attribute)
}

/** The ids of thousands of frames that pass a condition are no text to read. */
const VALUES_SHOWN = 2000
export const shownOnes = <Sent extends { args: readonly unknown[] }>(statements: readonly Sent[]): Sent[] =>
  statements.filter(({ args }) => JSON.stringify(args).length <= VALUES_SHOWN)
