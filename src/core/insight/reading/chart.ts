/**
 * A chart parser: fragments of a question join by productions, bottom-up, into larger ones. Of one category and one span
 * it keeps the cheapest.
 */

export type Edge = { from: number; to: number; category: string; value: unknown; cost: number }
/** `build` returns undefined where the parts do not go together. */
export type Rule = {
  category: string
  parts: readonly string[]
  cost: number
  build: (values: readonly unknown[]) => unknown
}

const KEPT = 6

/** `isFree`: the word at a place may be left out behind a fragment. */
export function chartOf(
  length: number,
  words: readonly Edge[],
  rules: readonly Rule[],
  isFree: (at: number) => boolean,
) {
  const byFirst = rulesByFirst(rules)
  const starting: Map<string, Edge[]>[] = Array.from({ length: length + 1 }, () => new Map())
  const fresh: Edge[] = []

  function keep(edge: Edge) {
    const all = starting[edge.from]?.get(edge.category) ?? []
    const same = all.filter(({ to }) => to === edge.to)
    const key = JSON.stringify(edge.value)
    const known = same.find(({ value }) => JSON.stringify(value) === key)
    if (known && known.cost <= edge.cost) return
    if (same.length >= KEPT && same.every(({ cost }) => cost <= edge.cost)) return
    const others = all.filter((each) => each !== known)
    starting[edge.from]?.set(edge.category, [...others, edge])
    fresh.push(edge)
    if (edge.to < length && isFree(edge.to)) keep({ ...edge, to: edge.to + 1 })
  }

  /** Edges of these categories, one behind another, from a place to another. */
  function matches(parts: readonly string[], from: number, to: number): Edge[][] {
    const [category = '', ...rest] = parts
    const own = (starting[from]?.get(category) ?? []).filter((edge) =>
      rest.length === 0 ? edge.to === to : edge.to < to,
    )
    return rest.length === 0
      ? own.map((edge) => [edge])
      : own.flatMap((edge) => matches(rest, edge.to, to).map((more) => [edge, ...more]))
  }

  function apply(rule: Rule, found: readonly Edge[], from: number, to: number) {
    const value = rule.build(found.map((edge) => edge.value))
    if (value === undefined) return
    const cost = found.reduce((sum, edge) => sum + edge.cost, rule.cost)
    keep({ from, to, category: rule.category, value, cost })
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
      for (const [category] of starting[from] ?? [])
        for (const rule of byFirst.get(category) ?? [])
          if (rule.parts.length > 1) for (const found of matches(rule.parts, from, to)) apply(rule, found, from, to)
      close()
    }
  return (from: number, category: string): Edge[] =>
    (starting[from]?.get(category) ?? []).filter(({ to }) => to === length).toSorted((a, b) => a.cost - b.cost)
}

function rulesByFirst(rules: readonly Rule[]): ReadonlyMap<string, Rule[]> {
  const byFirst = new Map<string, Rule[]>()
  for (const rule of rules) {
    const [first = ''] = rule.parts
    byFirst.set(first, [...(byFirst.get(first) ?? []), rule])
  }
  return byFirst
}
