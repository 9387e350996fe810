/** A production joins fragments that stand side by side into one. Each has an example, which the suite asks. */
import type { Bounds } from '../../figures/index.js'
import type { UnitOfMeasure } from '../../numbers/index.js'
import type { UnitLevel } from '../../place.js'
import type { Catalogue } from './catalogue.js'
import type { Rule } from './chart.js'
import type { Adjective, Bound, CueName, Orders } from './cues.js'
import type { Amount, Calculation, Condition, FigureFragment, Grouping, Things } from './fragments.js'
import type { ClassNamed, PlaceNamed } from './tokens.js'
import type { Topic } from './topic.js'

/** "3 to 5 km". */
export type Range = { bounds: Bounds; unit: UnitOfMeasure }
/** "Either" is one set of places, and else each has its own figure. */
export type Places = { places: PlaceNamed[]; isEither: boolean }

/** Without a second year, up to the newest. */
export type Years = [from: string, to?: string]
/** "Grew fastest", "lost the most people since 2025": a change is in percent, a difference in numbers. */
export type Growth = { op: 'change' | 'difference'; order: 'highest' | 'lowest'; amount?: Amount; years?: Years }

/** What an edge of each category holds. */
export type Values = { [Cue in Exclude<CueName, 'away' | 'with' | 'or' | keyof Orders>]: true } & Orders & {
    /** "Of" or "from". */
    away: string
    /** "With", "have" or another word that begins so. */
    with: string
    or: 'or'
    comma: true
    verb: true
    bound: Bound
    boundBehind: Bound
    adjective: Adjective
    'more-than': Adjective
    'most-of': Adjective
    number: string
    numbers: string[]
    year: string
    lastYear: string
    percentage: string
    ordinal: number
    quantity: { number: string; unit: UnitOfMeasure }
    measure: UnitOfMeasure
    place: PlaceNamed
    name: string
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
    openRanges: Bounds[]
    'measured-range': Range
    sized: Condition
    ranges: Range[]
    part: Bounds
    level: UnitLevel
    places: Places
    classes: Condition
    things: Things
    condition: Condition
    conditions: Condition[]
    amount: Amount
    calculation: Calculation
    items: Calculation[]
    figure: FigureFragment
    figures: FigureFragment[]
    lead: Condition[]
    grouping: Grouping
    years: Years
    since: Bounds
    dated: string
    growth: Growth
    pronoun: true
    beside: true
  }
type Category = keyof Values
type Split<Text extends string> = Text extends `${infer First} ${infer Rest}` ? [First, ...Split<Rest>] : [Text]
type Part<Name> = Name extends Category
  ? Values[Name]
  : Name extends `${infer Own}?`
    ? Part<Own> | undefined
    : Name extends `${infer One}|${infer Other}`
      ? Part<One> | Part<Other>
      : never
type Parts<Names> = Names extends [infer First, ...infer Rest] ? [Part<First>, ...Parts<Rest>] : []

export type Production = Rule<Catalogue> & { example: string }
type MadeBy<Text> = Text extends `${infer Made extends Category} < ${infer Names}` ? [Made, Parts<Split<Names>>] : never

/** "things < classes things": things are made of classes and things. "most|least": one or the other. "years?": or none. */
export function row<const Text extends string>(
  text: Text,
  example: string,
  build: (parts: MadeBy<Text>[1], catalogue: Catalogue) => Values[MadeBy<Text>[0]] | undefined | false,
  cost = 1,
): Production {
  const [category = '', parts = ''] = text.split(' < ')
  const made = (values: readonly unknown[], catalogue: Catalogue) =>
    build(values as MadeBy<Text>[1], catalogue) || undefined
  return { category, parts: parts.split(' '), example, build: made, cost }
}
