/** A production joins fragments that stand side by side into one. Each has an example, which the suite asks. */
import type { Bounds } from '../../figures/index.js'
import type { UnitOfMeasure } from '../../numbers/index.js'
import type { UnitLevel } from '../../place.js'
import type { Rule } from './chart.js'
import type { Adjective, Bound, CueName } from './cues.js'
import type { Amount, Calculation, Condition, FigureFragment, Things } from './fragments.js'
import type { ClassNamed, PlaceNamed } from './lexicon.js'
import type { Topic } from './topic.js'

/** "Within 2 km": `isBeyond` where things lie farther away. */
export type Reach = { metres: number; isBeyond: boolean }

/** What an edge of each category holds. */
export type Values = { [Cue in CueName]: true } & {
  here: true
  comma: true
  bound: Bound
  boundBehind: Bound
  'more-than': Adjective
  'most-of': Adjective
  number: string
  year: string
  ordinal: number
  quantity: { number: string; unit: UnitOfMeasure }
  measure: UnitOfMeasure
  place: PlaceNamed
  name: string
  verb: true
  proper: string
  rate: string
  series: Topic[]
  category: Topic
  features: Topic
  property: Topic
  flag: Topic
  kind: Topic
  class: ClassNamed
  'feature-class': ClassNamed
  range: Bounds
  'measured-range': { bounds: Bounds; unit: UnitOfMeasure }
  reach: Reach
  level: UnitLevel
  places: PlaceNamed[]
  classes: Condition
  things: Things
  condition: Condition
  amount: Amount
  calculation: Calculation
  figure: FigureFragment
}
type Category = keyof Values
type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text]
type Parts<Names> = Names extends [infer First, ...infer Rest]
  ? [First extends Category ? Values[First] : never, ...Parts<Rest>]
  : []

export type Production = Rule & { example: string }
type MadeBy<Text> = Text extends `${infer Made extends Category} < ${infer Names}` ? [Made, Parts<Split<Names>>] : never

/** "things < classes things": things are made of classes and things. */
export function row<const Text extends string>(
  text: Text,
  example: string,
  build: (parts: MadeBy<Text>[1]) => Values[MadeBy<Text>[0]] | undefined | false,
  cost = 1,
): Production {
  const [category = '', parts = ''] = text.split(' < ')
  const made = (values: readonly unknown[]) => build(values as MadeBy<Text>[1]) || undefined
  return { category, parts: parts.split(' '), example, build: made, cost }
}
