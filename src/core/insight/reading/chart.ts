/**
 * A chart parser: fragments of a question join by productions, bottom-up, into larger ones. Of one category and one span
 * it keeps the cheapest.
 */

/** `lost`: words that the fragment leaves out. `leaves`: the fragments of words that it is made of. */
export type Edge = {
  from: number
  to: number
  category: string
  value: unknown
  cost: number
  lost: readonly number[]
  leaves?: readonly Edge[]
}
/** `build` returns undefined where the parts do not go together. */
export type Rule<Context> = {
  category: string
  parts: readonly string[]
  cost: number
  build: (values: readonly unknown[], context: Context) => unknown
}
/** Words that may be left out up to a place, behind a fragment. Free words cost nothing, and are not lost. */
export type Skip = { to: number; cost: number }
type Chart<Context> = {
  length: number
  words: readonly Edge[]
  rules: readonly Rule<Context>[]
  context: Context
  skips: readonly (readonly Skip[])[]
}

const KEPT = 6

/** By where fragments begin, by their category, and by where they end. */
type Starting = Map<string, Edge[][]>[]

/** Returns the fragments of a category over a span, the cheapest first. */
export function chartOf<Context>({ length, words, rules, context, skips }: Chart<Context>) {
  const byFirst = rulesByFirst(rules)
  const starting: Starting = Array.from({ length: length + 1 }, () => new Map())
  const ending = Array.from({ length: length + 1 }, () => new Set<string>())
  const keys = new Map<unknown, string>()
  const fresh: Edge[] = []

  function keep(edge: Edge) {
    const { from, to, category, cost } = edge
    const all = starting[from]?.get(category) ?? []
    const same = all[to] ?? []
    const place = same.findIndex(({ value }) => keyIn(keys, value) === keyIn(keys, edge.value))
    if (place >= 0 && (same[place]?.cost ?? 0) <= cost) return
    const others = same.filter((_, i) => i !== place).concat(edge).toSorted((a, b) => a.cost - b.cost) // prettier-ignore
    if (others.length > KEPT && others.pop() === edge) return
    all[to] = others
    starting[from]?.set(category, all)
    ending[to]?.add(category)
    fresh.push(edge)
    for (const skip of skips[to] ?? [])
      keep({ ...edge, to: skip.to, cost: cost + skip.cost, lost: skip.cost > 0 ? [...edge.lost, to] : edge.lost })
  }

  function apply(rule: Rule<Context>, found: readonly Edge[], from: number, to: number) {
    const cost = found.reduce((sum, edge) => sum + edge.cost, rule.cost)
    const same = starting[from]?.get(rule.category)?.[to] ?? []
    if (same.length === KEPT && (same.at(-1)?.cost ?? 0) <= cost) return
    const value = rule.build(
      found.map((edge) => edge.value),
      context,
    )
    if (value !== undefined)
      keep({ from, to, category: rule.category, value, cost, lost: found.flatMap(({ lost }) => lost), leaves: found.flatMap(leavesOf) }) // prettier-ignore
  }

  /** One part alone is another category: "schools" are things. */
  function close() {
    for (let edge = fresh.shift(); edge; edge = fresh.shift())
      for (const rule of byFirst.get(edge.category) ?? [])
        if (rule.parts.length === 1) apply(rule, [edge], edge.from, edge.to)
  }

  for (let to = 1; to <= length; to++)
    for (let from = to - 1; from >= 0; from--) {
      for (const edge of words) if (edge.from === from && edge.to === to) keep(edge)
      close()
      for (const category of starting[from]?.keys() ?? [])
        for (const rule of byFirst.get(category) ?? [])
          if (rule.parts.length > 1 && ending[to]?.has(rule.parts.at(-1) ?? ''))
            for (const found of matches(starting, rule.parts, from, to)) apply(rule, found, from, to)
      close()
    }
  return (from: number, to: number, category: string): readonly Edge[] => starting[from]?.get(category)?.[to] ?? []
}

export const leavesOf = (edge: Edge): readonly Edge[] => edge.leaves ?? [edge]

function keyIn(keys: Map<unknown, string>, value: unknown): string {
  const key = keys.get(value) ?? JSON.stringify(value)
  keys.set(value, key)
  return key
}

/** Edges of these categories, one behind another, from a place to another. */
function matches(starting: Starting, parts: readonly string[], from: number, to: number): Edge[][] {
  const [category = '', ...rest] = parts
  const all = starting[from]?.get(category)
  if (!all) return []
  if (rest.length === 0) return (all[to] ?? []).map((edge) => [edge])
  const found: Edge[][] = []
  for (let end = from + 1; end < to; end++) {
    const own = all[end]
    const more = own ? matches(starting, rest, end, to) : []
    if (own && more.length > 0) for (const edge of own) for (const others of more) found.push([edge, ...others])
  }
  return found
}

function rulesByFirst<Context>(rules: readonly Rule<Context>[]): ReadonlyMap<string, Rule<Context>[]> {
  const byFirst = new Map<string, Rule<Context>[]>()
  for (const rule of rules) {
    const [first = ''] = rule.parts
    byFirst.set(first, [...(byFirst.get(first) ?? []), rule])
  }
  return byFirst
}
