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
  /** It is read as this name, which says more. */
  readAs?: string
  leaves?: readonly Edge[]
}
/** `build` returns undefined where the parts do not go together. */
export type Rule<Context> = {
  category: string
  parts: readonly string[]
  cost: number
  build: (values: readonly unknown[], context: Context) => unknown
}
/** Rules by their parts: those that begin alike share a way. */
export type Grammar<Context> = { ends: Rule<Context>[]; next: Map<string, Grammar<Context>> }
/** Words that may be left out up to a place, behind a fragment. Free words cost nothing, and are not lost. */
export type Skip = { to: number; cost: number }
type Chart<Context> = {
  length: number
  words: readonly Edge[]
  grammar: Grammar<Context>
  context: Context
  skips: readonly (readonly Skip[])[]
}
/** The first parts of rules, found side by side. */
type Begun<Context> = { found: readonly Edge[]; cost: number; rest: Grammar<Context> }

const KEPT = 6
/** A fragment reaches over so many words that are left out. */
const LOST_MAX = 8

export function grammarOf<Context>(rules: readonly Rule<Context>[]): Grammar<Context> {
  const grammar: Grammar<Context> = { ends: [], next: new Map() }
  for (const rule of rules.flatMap(variantsOf)) {
    let ways = [grammar]
    for (const part of rule.parts)
      ways = ways.flatMap((way) =>
        part.split('|').map((own) => {
          const next: Grammar<Context> = way.next.get(own) ?? { ends: [], next: new Map() }
          way.next.set(own, next)
          return next
        }),
      )
    for (const way of ways) way.ends.push(rule)
  }
  return grammar
}

/** The rule with and without each part that may be missing: "years?". The value of a missing part is undefined. */
function variantsOf<Context>(rule: Rule<Context>): Rule<Context>[] {
  const at = rule.parts.findIndex((part) => part.endsWith('?'))
  if (at < 0) return [rule]
  const build: Rule<Context>['build'] = (values, context) => rule.build(values.toSpliced(at, 0, undefined), context)
  return [
    { ...rule, parts: rule.parts.with(at, rule.parts[at]?.slice(0, -1) ?? '') },
    { ...rule, parts: rule.parts.toSpliced(at, 1), build },
  ].flatMap(variantsOf)
}

/** Keeps the cheapest fragments of each category over each span. `fresh`: those kept since it was emptied. */
function fragmentsOf(length: number) {
  const spans: Map<string, Edge[]>[][] = Array.from({ length }, () => [])
  const keyOf = keysOfValues()
  const fresh: Edge[] = []
  function keep(edge: Edge) {
    const { from, to, category, cost } = edge
    const starting = spans[from] ?? []
    const span = starting[to] ?? new Map<string, Edge[]>()
    const same = span.get(category) ?? []
    const key = keyOf(edge.value)
    const place = same.findIndex(({ value }) => keyOf(value) === key)
    if (place >= 0 && (same[place]?.cost ?? 0) <= cost) return
    const others = same.filter((_, i) => i !== place).concat(edge).toSorted((a, b) => a.cost - b.cost) // prettier-ignore
    if (others.length > KEPT && others.pop() === edge) return
    span.set(category, others)
    starting[to] = span
    fresh.push(edge)
  }
  return { spans, fresh, keep }
}

/** Returns the fragments of a category over a span, the cheapest first. */
export function chartOf<Context>({ length, words, grammar, context, skips }: Chart<Context>) {
  const { spans, fresh, keep } = fragmentsOf(length)

  /** A fragment of words may end behind the words after it that the reading leaves out, and so may all that end with it. */
  function keepWords(edge: Edge) {
    keep(edge)
    const { to, cost, lost } = edge
    for (const skip of (skips[to] ?? []).filter((each) => each.cost === 0 || lost.length < LOST_MAX))
      keepWords({ ...edge, to: skip.to, cost: cost + skip.cost, lost: skip.cost > 0 ? [...lost, to] : lost })
  }

  function apply(rule: Rule<Context>, found: readonly Edge[], sum: number) {
    const [first] = found
    const last = found.at(-1)
    if (!first || !last) return
    const cost = sum + rule.cost
    const same = spans[first.from]?.[last.to]?.get(rule.category) ?? []
    if (same.length === KEPT && (same.at(-1)?.cost ?? 0) <= cost) return
    const value = rule.build(
      found.map((edge) => edge.value),
      context,
    )
    if (value !== undefined)
      keep({ from: first.from, to: last.to, category: rule.category, value, cost, lost: found.flatMap(({ lost }) => lost), leaves: found.flatMap(leavesOf) }) // prettier-ignore
  }

  /** One part alone is another category: "schools" are things. */
  function close() {
    for (let edge = fresh.shift(); edge; edge = fresh.shift())
      for (const rule of grammar.next.get(edge.category)?.ends ?? []) apply(rule, [edge], edge.cost)
  }

  const begun: Begun<Context>[][][] = Array.from({ length }, () => [])
  /** Takes a part behind others: rules that end with it make a fragment, and the others wait for more. */
  function go({ found, cost, rest }: Begun<Context>, edge: Edge) {
    const way = rest.next.get(edge.category)
    if (!way) return
    const [sum, parts] = [cost + edge.cost, [...found, edge]]
    if (parts.length > 1) for (const rule of way.ends) apply(rule, parts, sum)
    const from = parts[0]?.from ?? 0
    if (way.next.size > 0) ((begun[from] ??= [])[edge.to] ??= []).push({ found: parts, cost: sum, rest: way })
  }

  for (let to = 1; to <= length; to++)
    for (let from = to - 1; from >= 0; from--) {
      for (const edge of words) if (edge.from === from && edge.to === to) keepWords(edge)
      close()
      for (let end = from + 1; end < to; end++) {
        const span = spans[end]?.[to]
        if (!span) continue
        for (const begin of begun[from]?.[end] ?? [])
          for (const [category, edges] of span)
            if (begin.rest.next.has(category)) for (const edge of edges) go(begin, edge)
      }
      close()
      for (const edges of spans[from]?.[to]?.values() ?? [])
        for (const edge of edges) go({ found: [], cost: 0, rest: grammar }, edge)
    }
  return (from: number, to: number, category: string): readonly Edge[] => spans[from]?.[to]?.get(category) ?? []
}

export const leavesOf = (edge: Edge): readonly Edge[] => edge.leaves ?? [edge]

/** Values that are alike have one key. Parts of a value, such as its topic, are looked at once. */
function keysOfValues(): (value: unknown) => string {
  const known = new WeakMap<object, string>()
  const numbers = new Map<string, string>()
  return function keyOf(value: unknown): string {
    if (typeof value !== 'object' || value === null) return JSON.stringify(value) ?? ''
    const own = known.get(value)
    if (own !== undefined) return own
    const text = Array.isArray(value)
      ? `[${value.map(keyOf).join()}]`
      : `{${Object.entries(value).map(([name, each]) => (each === undefined ? '' : `${name}:${keyOf(each)}`)).join()}}` // prettier-ignore
    const key = numbers.get(text) ?? `#${numbers.size}`
    numbers.set(text, key)
    known.set(value, key)
    return key
  }
}
