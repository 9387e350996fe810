/** Chooses among figures that read the same words: all that the words name stands in them, for each dataset that they name. */
import { type Edge, leavesOf } from './chart.js'
import { type FigureFragment, figureOf, nameOf } from './fragments.js'
import type { ClassNamed, PlaceNamed } from './tokens.js'
import { hasYear, layerOf, type Topic } from './topic.js'

/** Where a word names figures of two datasets alike, the first reading has both, side by side. */
export function withOtherDatasets([first, ...others]: readonly Edge[]): Edge[] {
  if (!first) return []
  const same = others.filter((other) => other.cost === first.cost && isOfOtherDataset(first, other))
  const figures = [first, ...same].flatMap(({ value }) => value as FigureFragment[])
  const texts = figures.map((figure) => JSON.stringify(figure))
  return [{ ...first, value: figures.filter((_, i) => texts.indexOf(texts[i] ?? '') === i) }]
}

/** The same words are the same kind of fragments, and some of them are of another dataset. */
function isOfOtherDataset(one: Edge, other: Edge): boolean {
  const pairs = leavesOf(one).map((leaf, i) => [leaf, leavesOf(other)[i]] as const)
  const isOther = pairs.map(([leaf, of]) => {
    if (leaf.from !== of?.from || leaf.to !== of.to || leaf.category !== of.category) return undefined
    if (JSON.stringify(leaf.value) === JSON.stringify(of.value)) return false
    const layers = layersIn(leaf)
    return layers.length > 0 && !layersIn(of).some((layer) => layers.includes(layer)) ? true : undefined
  })
  return leavesOf(one).length === leavesOf(other).length && !isOther.includes(undefined) && isOther.includes(true)
}

const layersIn = ({ value }: Edge): string[] =>
  [...JSON.stringify(value).matchAll(/"layerId":"[^"]*"/g)].map(([text]) => text)

/** A topic of that year is measured, or tested by its name. */
function isOfYear({ value, leaves = [] }: Edge, text: string, year: number): boolean {
  const named = leaves.flatMap((leaf) => leaf.value as Partial<Topic> | Partial<Topic>[])
  const isTested = named.some((topic) => isTopic(topic) && hasYear(topic, year) && text.includes(JSON.stringify(nameOf(topic) || layerOf(topic)))) // prettier-ignore
  return isTested || (value as FigureFragment[]).some(({ of, to }) => [of, to].some((each) => each?.topic && hasYear(each.topic, year))) // prettier-ignore
}
const isTopic = (value: Partial<Topic>): value is Topic => Array.isArray(value.years)

/** Every place, class and number that a figure is made of stands in it. A choice of classes asks for the commonest. */
export function isKept(edge: Edge): boolean {
  const figures = (edge.value as FigureFragment[]).map(figureOf)
  const text = JSON.stringify(figures)
  const leaves = leavesOf(edge)
  const isMeasured = leaves.some(({ category }) => category === 'measure' || category === 'half')
  const hasAny = (texts: readonly string[]) => texts.some((each) => text.includes(JSON.stringify(each)))
  const hasNumber = (number: string) => new RegExp(`:${number}[,}]`).test(text)
  return leaves.every(({ category, value }) => {
    if (category === 'place') return hasAny([...(value as PlaceNamed).levels.flatMap(({ names }) => names), ...(value as PlaceNamed).categories.map((each) => each.value)]) // prettier-ignore
    if (category === 'class' || category === 'feature-class') return hasAny([(value as ClassNamed).value]) || text.includes('"how":"mode"') // prettier-ignore
    if (category === 'year')
      return isOfYear(edge, text, Number(value)) || hasAny([value as string]) || hasNumber(value as string)
    if (category !== 'number' && category !== 'percentage') return true
    return isMeasured || hasAny([value as string]) || hasNumber(value as string) || value === '95'
  })
}
