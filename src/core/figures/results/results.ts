/** The kinds of results by their name. A facet, a headline, a narrative and a card get their words here. */
import { countedNoun } from '../facet-text.js'
import { withUnit } from '../figure-text.js'
import { nounPhrases, type Told } from '../nouns.js'
import type { NamedFigure } from '../subject.js'
import type { Result, TypedFigure } from '../typed.js'
import * as amounts from './amounts.js'
import * as classes from './classes.js'
import * as composed from './composed.js'
import * as comparisons from './comparisons.js'
import * as groups from './groups.js'
import type { Kind } from './kind.js'
import * as names from './names.js'

const RESULTS: { [Form in Result['is']]: Kind<Form> } = {
  ...amounts,
  ...classes,
  ...comparisons,
  ...composed,
  ...groups,
  ...names,
}
const kindOf = ({ is }: Result) => RESULTS[is] as Kind<Result['is']>

export const labelOf = (named: NamedFigure, result: Result): string => kindOf(result).label(named, result)

/** `recorded` counts features: the figures of frames say it in another place. */
export function valueOf(
  named: NamedFigure,
  { result, recorded: some }: Pick<TypedFigure, 'result' | 'recorded'>,
): string {
  const { features = '' } = named.subject.named
  const isPart = result.is !== 'recorded' && some && some.count < some.of
  const note = isPart ? `; ${some.count} of ${countedNoun(String(some.of), features)} record it` : ''
  return kindOf(result).value(named, result, (decimal) => withUnit(decimal, named.subject.named.unit)) + note
}

/** A list of intervals stands beside the list of their totals, and has no sentence. */
export function wordingsOf(told: Told): string[] {
  const { result } = told.typed
  if ('by' in result && told.source.statistic === 'interval') return []
  return [kindOf(result).sentences(told, result, nounPhrases(told))].flat()
}
