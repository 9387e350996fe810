/** Finds the attributes and the features that are recorded on frames. */
import { figuresOfBaselines, figuresOfFeatures } from '../db/statements.js'
import type { AttributeEntry, AttributeFigure, DatasetRow } from '../db/index.js'
import type { FrameSet } from './frame-set.js'
import { FEATURES, profileOf } from './profile.js'
import type { Reads } from './reads.js'

/** So many frames record the attribute, or have features where there is no entry of an attribute. */
export type Recorded = { dataset: DatasetRow; frames: number; entry?: AttributeEntry }

/** Every frame has distances, which are read where they are asked for. */
const isUsual = ({ distanceTo }: DatasetRow) => distanceTo === null

/** One statement reads the usual datasets of the frames asked. */
const readWith = (dataset: DatasetRow, { datasets }: Reads): DatasetRow[] =>
  !isUsual(dataset)
    ? [dataset]
    : datasets.filter((each) => isUsual(each) && (each.kind === 'frames') === (dataset.kind === 'frames'))

export async function attributesOn(reads: Reads, set: FrameSet, dataset: DatasetRow): Promise<AttributeFigure[]> {
  const read = readWith(dataset, reads)
  const rows = await reads.rows(figuresOfBaselines, set.frames, read.map(({ layerId }) => layerId)) // prettier-ignore
  return rows.filter(({ layer }) => read[layer - 1] === dataset)
}

export async function featuresOn(reads: Reads, set: FrameSet, dataset: DatasetRow) {
  const read = readWith(dataset, reads)
  const rows = await reads.rows(figuresOfFeatures, set.frames, read.map(({ layerId }) => layerId)) // prettier-ignore
  // A dataset without a feature on these frames has no row.
  return rows.find(({ layer }) => read[layer - 1] === dataset) ?? { features: 0, frames: 0 }
}

/** Attributes first. Of a place, its profile says it; of those of its frames that pass a filter, it says what there may be. */
export async function recordedOn(reads: Reads, set: FrameSet, distances: readonly DatasetRow[]): Promise<Recorded[]> {
  const known = set.place && (await profileOf(reads, set))
  const wanted = reads.datasets.filter((dataset) => isUsual(dataset) || distances.includes(dataset))
  const ofDataset = async (dataset: DatasetRow): Promise<Recorded[]> => {
    const totals = known?.figures.filter((figure) => figure.dataset === dataset)
    if (dataset.kind !== 'frames') {
      const kept = totals?.find(({ attribute }) => attribute === FEATURES)
      if (totals) return kept ? [{ dataset, frames: kept.recorded }] : []
      return [{ dataset, frames: (await featuresOn(reads, set, dataset)).frames }]
    }
    if (!totals)
      return (await attributesOn(reads, set, dataset)).map((entry) => ({ dataset, entry, frames: entry.frames }))
    const entries = totals.map(async ({ attribute, recorded }): Promise<Recorded[]> => {
      const entry = recorded > 0 ? await reads.attributeOf(dataset.layerId, attribute) : undefined
      return entry ? [{ dataset, entry, frames: recorded }] : []
    })
    return (await Promise.all(entries)).flat()
  }
  const found = (await Promise.all(wanted.map(ofDataset))).flat()
  return [...found.filter(({ entry }) => entry), ...found.filter(({ entry }) => !entry)]
}
