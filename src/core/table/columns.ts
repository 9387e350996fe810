/** The columns that a table of places gets: the frame and its units, and what datasets record there or around it. */
import type { DatasetRow, Reader } from '../db/index.js'
import { attributesOfDatasets } from '../db/statements.js'
import { invalid, shortened } from '../errors.js'
import { didYouMean } from '../nearest.js'
import type { UnitLevel } from '../place.js'

const OF_FRAME = ['frame', 'state', 'stateCode', 'lga', 'lgaCode', 'ward', 'wardCode', 'zone', 'zoneCode'] as const
const COLUMNS_MAX = 100

type FrameColumn = { text: string; ofFrame: (typeof OF_FRAME)[number] }
/** `level`: the unit around the row; null for the row itself. */
export type FigureColumn = { text: string; dataset: DatasetRow; name: string; level: UnitLevel | null }
export type Column = FrameColumn | FigureColumn

const FIGURE = /^(?:(state|lga|ward):)?(lyr_\w+)(?:\.(.+))?$/

/** A dataset adds its attributes to a table, or figures of its features. */
export type Offered = { dataset: DatasetRow; names: { name: string; label: string }[] }

const EXTENT: Record<string, { name: string; label: string }> = {
  lines: { name: 'km', label: 'length of features, km' },
  polygons: { name: 'km2', label: 'area of features, km²' },
}

export async function offeredColumns(reader: Reader, datasets: readonly DatasetRow[]): Promise<Offered[]> {
  const layers = datasets.map(({ layerId }) => layerId)
  const attributes = layers.length === 0 ? [] : await attributesOfDatasets(reader, layers)
  return datasets.map((dataset, i) => {
    const extent = EXTENT[dataset.kind]
    const ofFeatures = [{ name: 'features', label: 'number of features' }, ...(extent ? [extent] : [])]
    return {
      dataset,
      names: dataset.kind === 'frames' ? attributes.filter(({ layer }) => layer === i + 1) : ofFeatures,
    }
  })
}

/** `text`: columns with commas between them. A dataset alone stands for all of its attributes. */
export async function readColumns(reader: Reader, text: string, datasets: readonly DatasetRow[]): Promise<Column[]> {
  const asked = [...new Set(text.split(',').map((each) => each.trim()))]
  const named = datasets.filter(({ layerId }) => asked.some((each) => FIGURE.exec(each)?.[2] === layerId))
  const offered = await offeredColumns(reader, named)
  const columns = asked.flatMap((each): Column[] => {
    const ofFrame = OF_FRAME.find((name) => name === each)
    if (ofFrame) return [{ text: each, ofFrame }]
    const [, level = null, layerId, name] = FIGURE.exec(each) ?? []
    const { dataset, names: all = [] } = offered.find((one) => one.dataset.layerId === layerId) ?? {}
    const known = all.map((one) => one.name)
    const names = known.filter((one) => name === undefined || one === name)
    if (!dataset || names.length === 0) {
      const near =
        layerId === undefined
          ? OF_FRAME
          : dataset
            ? known.map((one) => `${layerId}.${one}`)
            : datasets.map((one) => one.layerId)
      throw invalid(
        `columns: "${shortened(each)}" is no column that this key can add; ${OF_FRAME.join(', ')}, a dataset, or one of its attributes are accepted.${didYouMean(each, [...near])}`,
      )
    }
    if (level !== null && dataset.price !== null)
      throw invalid(`columns: ${shortened(each)}: a dataset with a price is read on frames, not over a unit.`)
    const before = level === null ? '' : `${level}:`
    return names.map((one) => ({
      text: `${before}${dataset.layerId}.${one}`,
      dataset,
      name: one,
      level: level as UnitLevel | null,
    }))
  })
  if (columns.length > COLUMNS_MAX) throw invalid(`columns: ${columns.length} asked for, at most ${COLUMNS_MAX}.`)
  return columns
}
