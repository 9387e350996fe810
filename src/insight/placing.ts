/** Limits figures to a place that the question names. A figure of other frames must not pass for that of the place. */
import type { Figures } from './figures.js'
import { framesPassing } from './operations/conditions.js'
import type { Reads } from './operations/reads.js'
import { figureSubject } from './operations/subject.js'
import type { NamedPlace } from './reading/places.js'
import type { Ask, Condition, Subject } from './reading/reading.js'
import { fold, plainWordsOf } from './reading/words.js'

/** `absent`: no frame lies there. `partial`: some do. A place that all frames lie in needs no condition. */
export type Placing = { absent: string[]; partial: string[]; conditions: Condition[][] }

/** The units of one kind that the frames lie in. */
type Level = { subject: Subject; names: readonly string[] }

export async function placingOf(
  reads: Reads,
  frameIds: readonly string[],
  { places, figures }: { places: readonly NamedPlace[]; figures: Figures },
): Promise<Placing> {
  const absent: string[] = []
  const partial: string[] = []
  const groups = new Map<string, Condition[]>()
  for (const place of places) {
    const levels = levelsOf(place, figures)
    if (levels.length === 0) continue
    const found = levels.flatMap(({ subject, names }) => {
      const same = names.filter((name) => isNameOf(name, place))
      return same.length === 0 ? [] : [same.map((value): Condition => ({ subject, test: { test: 'class', value } }))]
    })
    const [first] = found
    if (!first) absent.push(place.text)
    else if (!(await anyHasAll(reads, frameIds, found.flat()))) {
      partial.push(place.text)
      const key = JSON.stringify(first[0]?.subject)
      groups.set(key, [...(groups.get(key) ?? []), ...first])
    }
  }
  return { absent: [...new Set(absent)], partial: [...new Set(partial)], conditions: [...groups.values()] }
}

const ASKS_MAX = 12

/** Two states are two figures; a ward of a state is one. */
export function placedAsks(asks: readonly Ask[], { conditions }: Placing): Ask[] {
  const alternatives = conditions.reduce<Condition[][]>(
    (lists, group) => lists.flatMap((list) => group.map((condition) => [...list, condition])),
    [[]],
  )
  return asks
    .flatMap((ask) => alternatives.map((more) => ({ ...ask, where: [...ask.where, ...more] })))
    .slice(0, Math.max(ASKS_MAX, asks.length))
}

async function anyHasAll(reads: Reads, frameIds: readonly string[], conditions: readonly Condition[]) {
  for (const { subject, test } of conditions) {
    const selection = await framesPassing(reads, frameIds, [{ ...figureSubject(subject), ...test }])
    if (selection?.ids.length === frameIds.length) return true
  }
  return false
}

function isNameOf(name: string, { text, meanings, isPartOfName }: NamedPlace): boolean {
  if (isPartOfName) {
    const words = new Set(plainWordsOf(name))
    return plainWordsOf(text).every((word) => words.has(word))
  }
  return [text, ...meanings.flatMap(({ value }) => value ?? [])].some((each) => fold(each) === fold(name))
}

const UNIT_WORDS: readonly [figure: 'state' | 'lga' | 'ward', words: RegExp][] = [
  ['state', /^states?$/i],
  ['lga', /^(lgas?|local governments?.*|government areas?)$/i],
  ['ward', /^wards?$/i],
]
const figureNamed = (word: string) => UNIT_WORDS.find(([, words]) => words.test(word))?.[0]

/** A unit beside the name tells the kind; else each kind that has the name. A zone is no unit of the index. */
function levelsOf({ unit, meanings }: NamedPlace, { frames, attributes }: Figures): Level[] {
  const named = unit === undefined ? undefined : figureNamed(unit)
  const names = { state: frames.states, lga: frames.lgas, ward: frames.wards }
  const level = (figure: keyof typeof names): Level => ({
    subject: { kind: 'index', figure },
    names: [...new Set((names[figure] ?? []).map((path) => path.split(', ')[0] ?? ''))],
  })
  if (named) return [level(named)]
  const others = meanings.flatMap(({ topic: { subject, label } }) => {
    if (figureNamed(label) || subject.kind !== 'attribute') return []
    const own = attributes.find((each) => each.dataset.layerId === subject.layerId && each.name === subject.attribute)
    return own ? [{ subject, names: (own.classes ?? []).map(({ value }) => value) }] : []
  })
  const isOfIndex = meanings.length === 0 || meanings.some(({ topic }) => figureNamed(topic.label))
  return [...(isOfIndex ? [level('state'), level('lga'), level('ward')] : []), ...others]
}
