/**
 * Finds what a "not", an "except", a "without" or a "neither" covers: the whole list behind it, and never its first
 * alone.
 */
import { has, refuse, use, type Clause } from './clause.js'
import { isCue, matchAt, type Item } from './items.js'
import { isOfUnits } from './topic.js'

/** A member of a list is a place or a class, a thing, or frames within bounds. `items` begin with what joins it. */
type Member = { core: Item; items: Item[]; end: number; hasPreposition: boolean }

const PATTERNS = {
  named: 'in|of|from? unit|frames|ground? of? class|unknown|detail unit|frames|ground?',
  things: 'in|of|from? frames? with? detail? topic',
  bounds: 'in|of|from? bound number measure? in|of|from? topic?',
}
const steps = (pattern: string) => pattern.split(' ')

/** "The states but N'Dara": "but" excludes from all of them. */
const isExceptBut = (items: readonly Item[], i: number): boolean => {
  const [unit, item] = [items[i - 1], items[i]]
  return isBut(item) && (isCue(items[i - 2], 'each') || /^(all|any)$/.test(unit?.before ?? ''))
}
const isBut = (item: Item | undefined) => isCue(item, 'and') && /^but$/i.test(item.text)

export function readNegations(clause: Clause): void {
  const { items, negated } = clause
  for (const [i, negator] of items.entries()) {
    if (!isCue(negator, 'not', 'without', 'except') && !isExceptBut(items, i)) continue
    const members = listBehind(clause, i)
    // Figures that are compared each have their own places and classes.
    if (has(clause, 'compare') && members.some(({ core }) => !isThingOrBound(core))) {
      refuse(clause, [negator, ...members.flatMap((member) => member.items)])
      continue
    }
    const list = members.map(({ core }) => core)
    const isPlaced =
      isCue(negator, 'except', 'and') ||
      isCue(items[i - 1], 'in', 'of', 'from') ||
      /^(outside|without)\b/i.test(negator.text) ||
      members.some(({ core, hasPreposition }) => hasPreposition || isOnlyPlace(core))
    for (const member of members)
      if (!negated.has(member.core)) negated.set(member.core, { negator, items: member.items, list, isPlaced })
  }
}

/** Whether the item is negated. Whoever asks reads it so: that accounts for the words of the negation. */
export function takeNegation(clause: Clause, item: Item | undefined): boolean {
  const negation = item && clause.negated.get(item)
  if (!item || !negation) return false
  clause.negated.delete(item)
  return use(clause, negation.negator, ...negation.items.filter((each) => each !== item))
}

/**
 * Refuses a negation that no rule has read, since its opposite would be answered, and a figure both in and outside a
 * place.
 */
export function refuseNegations(clause: Clause): void {
  const { items, negated, places, where } = clause
  for (const [item, { negator }] of negated) refuse(clause, [negator, item])
  const denied = [
    ...places.flatMap(({ text, isExcluded }) => (isExcluded ? [text] : [])),
    ...where.flatMap(({ test }) => (test.test === 'not_class' ? [test.value] : [])),
  ]
  const named = [
    ...places.flatMap(({ text, isExcluded }) => (isExcluded ? [] : [text])),
    ...where.flatMap(({ test }) => (test.test === 'class' ? [test.value] : [])),
  ]
  const both = new Set(denied.filter((text) => named.includes(text)).map((text) => text.toLowerCase()))
  refuse(clause, items.filter(({ text }) => both.has(text.toLowerCase()))) // prettier-ignore
}

function listBehind(clause: Clause, at: number): Member[] {
  const { items } = clause
  const negator = items[at]
  // "Excluding those who live in Marembe".
  const first = memberAt(items, isCue(items[at + 1], 'who') ? at + 2 : at + 1, {
    isOfThings: isCue(negator, 'without'),
  })
  if (!first) return []
  const members = [first]
  for (let last = first; ;) {
    // "Not in forest or above 100 m": "or above" is one phrase, which means another bound behind a number.
    const orBound = matchAt(items, last.end, ['bound', 'number', 'measure?']) ?? []
    if (/^or /i.test(orBound[0]?.text ?? '')) refuse(clause, orBound)
    const { next, joiner } = memberBehind(items, last)
    if (!next) return members
    const isSame = isOfKind(first.core, next.core)
    const isOr = joiner === 'or' || (joiner === ',' && !isSame && endsInOr(items, next))
    if (!isOr && !isSame && (next.hasPreposition || joiner === ',')) return members
    // "Not in Marembe and in N'Dara", "not in Marembe and urban" may mean one or the other.
    const isOpen = next.hasPreposition && isCue(negator, 'not')
    if (!isOr && (isOpen || !isSame)) {
      refuse(clause, next.items)
      return members
    }
    members.push(next)
    last = next
  }
}

type Behind = { next?: Member | undefined; joiner?: 'or' | 'and' | ',' }

/** "And with a school", "and over 5 km from a clinic" are conditions of their own. */
function memberBehind(items: readonly Item[], { core, end }: Pick<Member, 'core' | 'end'>): Behind {
  const item = items[end]
  if (!item || item.mark === 'strong' || isBut(item)) return {}
  const isOfThings = core.kind === 'topic' || isCue(core, 'bound')
  const isOr = isCue(item, 'or') || (isCue(item, 'without') && /^nor$/i.test(item.text))
  const isAnd = isCue(item, 'and')
  if (!isOr && !isAnd && item.mark === '') return {}
  const next = memberAt(items, isOr || isAnd ? end + 1 : end, { isOfThings })
  if (!next || (!isOr && next.items.some((each) => isCue(each, 'with', 'bound')))) return {}
  if (!isOr && !isAnd) return { next, joiner: ',' }
  return { next: { ...next, items: [item, ...next.items] }, joiner: isOr ? 'or' : 'and' }
}

function endsInOr(items: readonly Item[], member: Member): boolean {
  const { next, joiner } = memberBehind(items, member)
  return next !== undefined && (joiner === 'or' || (joiner === ',' && endsInOr(items, next)))
}

/** Without "with", a thing is a member only where the list is one of things: people do not live in schools. */
function memberAt(items: readonly Item[], at: number, { isOfThings }: { isOfThings: boolean }): Member | undefined {
  const named = matchAt(items, at, steps(PATTERNS.named))
  const things = named ? undefined : matchAt(items, at, steps(PATTERNS.things))
  const thing = things?.at(-1)
  const isThing = thing?.kind === 'topic' && !thing.isCounted && (isOfThings || things?.some((each) => isCue(each, 'with'))) // prettier-ignore
  const found = named ?? (isThing ? things : undefined) ?? matchAt(items, at, steps(PATTERNS.bounds))
  const core = found?.find((item) => isCoreOf(item, isThing === true))
  if (!found || !core) return undefined
  return { core, items: found, end: at + found.length, hasPreposition: isCue(found[0], 'in', 'of', 'from') }
}

const isCoreOf = (item: Item, isThing: boolean): boolean =>
  isThing ? item.kind === 'topic' : /^(class|unknown|detail)$/.test(item.kind) || isCue(item, 'bound')

const topicsOfClass = (item: Item) => (item.kind === 'class' ? item.meanings.map(({ topic }) => topic) : [])
export const isOfPlaces = (item: Item): boolean => item.kind === 'unknown' || topicsOfClass(item).some(isOfUnits)
const isOnlyPlace = (item: Item) => item.kind === 'class' && topicsOfClass(item).every(isOfUnits)
const isThingOrBound = (item: Item) => item.kind === 'topic' || isCue(item, 'bound')

function isOfKind(one: Item, other: Item): boolean {
  if (isThingOrBound(one) || isThingOrBound(other)) return isThingOrBound(one) && isThingOrBound(other)
  const topics = topicsOfClass(one)
  return (isOfPlaces(one) && isOfPlaces(other)) || topicsOfClass(other).some((topic) => topics.includes(topic))
}
