/** A profile: the usual figures of a place, or of frames, for each dataset. Panels, tools and answers show parts of it. */
import type { DatasetRow, RowOf } from '../db/index.js'
import { profile, type profileByUnit } from '../db/statements.js'
import { type Commonest, commonestText, withUnit } from './figure-text.js'
import { type FrameSet, setOfPlace } from './frame-set.js'
import type { Reads } from './reads.js'
import type { Description } from './subject.js'
import type { Place } from '../place.js'

/** The name of the number of features. */
export const FEATURES = 'features'

type Row = RowOf<typeof profile>
/** `byArea` takes of each frame the share that lies inside a box or a shape. `classes` are those of frames and blocks. */
export type ProfileFigure = Extract<Row, { layer: number }> & { dataset: DatasetRow }
/** One figure of a profile in a unit of a level. The bounds of its 95 % interval are exact. */
export type UnitFigure = RowOf<typeof profileByUnit>
/** A place is added up from units whose totals are kept, and from frames beside them. */
export type Profile = Pick<Row, 'units' | 'inUnits' | 'cutFrames' | 'frames' | 'km2' | 'km2Inside'> & {
  figures: readonly ProfileFigure[]
}

/** Has the datasets without a price. Undefined where the index has no such unit, and where no frame touches the area. */
export async function profileOf(
  { rows, datasets }: Reads,
  set: Pick<FrameSet, 'frames'>,
): Promise<Profile | undefined> {
  const free = datasets.filter(({ price }) => price === null)
  const found = await rows(profile, set.frames, free.map(({ layerId }) => layerId)) // prettier-ignore
  const [first] = found
  if (!first || first.frames === 0) return undefined
  const figures = found.flatMap((row) => {
    const dataset = row.layer === null ? undefined : free[row.layer - 1]
    return row.layer === null || !dataset ? [] : [{ ...row, dataset }]
  })
  return { ...first, figures }
}

/** The figures of a place are kept, or nearly; those of ids and of frames that pass a filter are read one by one. */
export const keptProfile = async (reads: Reads, set: FrameSet): Promise<Profile | undefined> =>
  set.place && !set.where ? await profileOf(reads, set) : undefined

/** Counts the frames of a place: none where the index has no such unit, or no frame touches the area. */
export async function setInPlace(reads: Reads, place: Place): Promise<FrameSet> {
  const found = 'frames' in place ? undefined : await profileOf(reads, setOfPlace(place, 0))
  return setOfPlace(place, found?.frames ?? 0)
}

/** The kept total of a place: a sum, or a number of features. */
export function keptTotal(
  known: Profile | undefined,
  { named: { type }, summary, source }: Description,
): (ProfileFigure & { number: string }) | undefined {
  if (summary !== 'sum' || (type !== 'number' && type !== 'features')) return undefined
  const attribute = type === 'features' ? FEATURES : source.attribute
  const total = known?.figures.find((each) => each.dataset.layerId === source.layerId && each.attribute === attribute)
  return total && total.number !== null ? { ...total, number: total.number } : undefined
}

/** Null where nothing is recorded, and where an attribute has no total. */
export function figureText(figure: Pick<ProfileFigure, 'number' | 'unit'> & Commonest): string | null {
  const { number, unit } = figure
  return figure.class === null ? number && withUnit(number, unit) : commonestText(figure)
}
