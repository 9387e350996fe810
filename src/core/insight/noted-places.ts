/** Checks the places that the headline of a saved answer names: do the frames lie there as it says? */
import type { AttributeFigures, Figures } from './figures/read-figures.js'
import type { FrameSet } from './figures/frame-set.js'
import type { Reads } from './figures/reads.js'
import { placingOf, UNIT_WORD } from './operations/placing.js'
import type { NamedPlace } from './reading/reading.js'

type PlaceNotes = { absent: readonly string[]; partial: readonly string[] }
type FramesAndReads = { reads: Reads; set: FrameSet; figures: Figures }

/** Lists the names of which the note is not true. A note joins its names by "or". */
export async function untruePlaces({ absent, partial }: PlaceNotes, scope: FramesAndReads): Promise<string[]> {
  const untrue = async (note: keyof PlaceNotes, name: string) => ((await isTrue(note, name, scope)) ? [] : [name])
  const names = (texts: readonly string[]) => texts.flatMap((text) => text.split(' or '))
  const checked = [
    ...names(absent).map((name) => untrue('absent', name)),
    ...names(partial).map((name) => untrue('partial', name)),
  ]
  return (await Promise.all(checked)).flat()
}

async function isTrue(note: keyof PlaceNotes, name: string, { reads, set, figures }: FramesAndReads) {
  const place = namedPlace(name, figures)
  const found = await placingOf(reads, set, { places: [place], figures })
  return found[note].length > 0
}

function namedPlace(name: string, { attributes }: Figures): NamedPlace {
  const [, text = name, unit] = UNIT_WORD.exec(name) ?? []
  const categories = attributes.flatMap((figures) => categoriesOf(figures, text))
  return { text, categories, ...(unit === undefined ? {} : { unit }) }
}

const categoriesOf = ({ classes, dataset: { layerId }, name: attribute, label }: AttributeFigures, text: string) =>
  (classes ?? []).flatMap(({ value }) =>
    value.toLowerCase() === text.toLowerCase()
      ? [{ subject: { kind: 'attribute' as const, layerId, attribute }, label, value }]
      : [],
  )
