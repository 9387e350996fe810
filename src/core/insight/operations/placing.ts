/** Limits figures to the places that the question names. A figure of other frames must not pass for that of the place. */
import type { Figures } from '../figures/figures.js'
import { framesPassing } from './conditions.js'
import type { Reads } from './reads.js'
import { figureSubject } from './subject.js'
import type { Ask, Condition, NamedPlace, Subject } from '../reading/reading.js'
import { plainWordsOf } from '../reading/words.js'

/** `absent`: no frame lies there. `partial`: some do. A place that all frames lie in needs no condition, and one outside which all lie. */
export type Placing = { absent: string[]; partial: string[]; conditions: ReadonlyMap<NamedPlace, Condition[]> }

/** The units of one kind that the frames lie in. */
type Level = { subject: Subject; names: readonly string[] }

export async function placingOf(
  reads: Reads,
  frameIds: readonly string[],
  { places, figures }: { places: readonly NamedPlace[]; figures: Figures },
): Promise<Placing> {
  const absent: string[] = []
  const partial: string[] = []
  const conditions = new Map<NamedPlace, Condition[]>()
  for (const place of places) {
    const levels = levelsOf(place, figures)
    if (levels.length === 0) continue
    const found = levels.flatMap(({ subject, names }) => {
      const same = names.filter((name) => isNameOf(name, place))
      return same.length === 0 ? [] : [same.map((value): Condition => ({ subject, test: { test: 'class', value } }))]
    })
    const [first] = found
    if (!first && place.otherwise) conditions.set(place, [place.otherwise])
    else if (!first && !place.isExcluded) absent.push(nameOfPlace(place))
    else if (!first) continue
    else if (place.isExcluded) conditions.set(place, first.map(excluding))
    else if (!(await anyHasAll(reads, frameIds, found.flat()))) {
      partial.push(nameOfPlace(place))
      conditions.set(place, first)
    }
  }
  return { absent: [...new Set(absent)], partial: [...new Set(partial)], conditions }
}

/** "Central LGA": the frames may lie in a ward of the same name. */
const nameOfPlace = ({ text, unit }: NamedPlace) =>
  unit === undefined || figureNamed(unit) === undefined ? text : `${text} ${unit}`

const excluding = ({ subject, test }: Condition): Condition => ({
  subject,
  test: test.test === 'class' ? { test: 'not_class', value: test.value } : test,
})

const ASK_OF_FRAMES: Ask = { subject: { kind: 'index', figure: 'frames' }, operation: { op: 'usual' }, where: [] }
const ASKS_MAX = 12

/** Two states are two figures, and so are listed places; a ward of a state is one. */
export function placedAsks(asks: readonly Ask[], { conditions }: Placing): Ask[] {
  const placed = asks.flatMap((ask) => {
    const { places = [], ...own } = ask
    if (places.length === 0) return [ask]
    const groups = new Map<string, Condition[]>()
    const isList = places.some(({ isListed, isExcluded }) => isListed && !isExcluded)
    for (const condition of places.flatMap((place) => conditions.get(place) ?? [])) {
      // Frames outside two places lie outside each of them.
      const key = isList ? '' : JSON.stringify(condition.test.test === 'not_class' ? condition : condition.subject)
      groups.set(key, [...(groups.get(key) ?? []), condition])
    }
    const alternatives = [...groups.values()].reduce<Condition[][]>(
      (lists, group) => lists.flatMap((list) => group.map((condition) => [...list, condition])),
      [[]],
    )
    return alternatives.map((more) => placedAsk({ ...own, where: [...own.where, ...more] }))
  })
  const texts = placed.map((ask) => JSON.stringify(ask))
  return placed.filter((_, i) => texts.indexOf(texts[i] ?? '') === i).slice(0, Math.max(ASKS_MAX, asks.length))
}

/** "Frames in Marembe" asks how many of the frames lie there: all of them, where no condition is left. */
function placedAsk(ask: Ask): Ask {
  const [first] = ask.where
  if (ask.operation.op !== 'frames' || ask.subject.kind !== 'index') return ask
  return first ? { ...ask, subject: first.subject } : ASK_OF_FRAMES
}

async function anyHasAll(reads: Reads, frameIds: readonly string[], conditions: readonly Condition[]) {
  for (const { subject, test } of conditions) {
    const selection = await framesPassing(reads, frameIds, [{ ...figureSubject(subject), ...test }])
    if (selection?.ids.length === frameIds.length) return true
  }
  return false
}

function isNameOf(name: string, { text, categories, isPartOfName }: NamedPlace): boolean {
  if (isPartOfName) {
    const words = new Set(plainWordsOf(name))
    return plainWordsOf(text).every((word) => words.has(word))
  }
  const plain = (each: string) => plainWordsOf(each).join(' ')
  return [text, ...categories.map(({ value }) => value)].some((each) => plain(each) === plain(name))
}

const UNIT_WORDS: readonly [figure: 'state' | 'lga' | 'ward', words: RegExp][] = [
  ['state', /^states?$/i],
  ['lga', /^(lgas?|local governments?.*|government areas?)$/i],
  ['ward', /^wards?$/i],
]
/** The name of a place, and the word for its unit. */
export const UNIT_WORD = /^(.+) (states?|lgas?|local governments?.*|government areas?|wards?)$/i

const figureNamed = (word: string) => UNIT_WORDS.find(([, words]) => words.test(word))?.[0]

/** A unit beside the name tells the kind; else each kind that has the name. A zone is no unit of the index. */
function levelsOf({ unit, categories }: NamedPlace, { frames, attributes }: Figures): Level[] {
  const named = unit === undefined ? undefined : figureNamed(unit)
  const names = { state: frames.states, lga: frames.lgas, ward: frames.wards }
  const level = (figure: keyof typeof names): Level => ({
    subject: { kind: 'index', figure },
    names: [...new Set((names[figure] ?? []).map((path) => path.split(', ')[0] ?? ''))],
  })
  if (named) return [level(named)]
  const others = categories.flatMap(({ subject, label }) => {
    if (figureNamed(label) || subject.kind !== 'attribute') return []
    const own = attributes.find((each) => each.dataset.layerId === subject.layerId && each.name === subject.attribute)
    return own ? [{ subject, names: (own.classes ?? []).map(({ value }) => value) }] : []
  })
  const isOfIndex = categories.length === 0 || categories.some(({ label }) => figureNamed(label))
  return [...(isOfIndex ? [level('state'), level('lga'), level('ward')] : []), ...others]
}
