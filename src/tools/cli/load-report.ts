/** Writes the figures of an import or a build for a person. */
import { counted } from '../../core/counted.js'
import type { IndexFigures } from '../load/index-figures.js'
import type { ColumnFigures } from '../load/quality.js'

export function columnReport(figures: ColumnFigures): string {
  const { name, type, summary, recorded, blank, lowest, highest, total, classes, notes } = figures
  const spread =
    total === undefined
      ? classes === undefined
        ? ''
        : `, ${classes} different`
      : `, from ${lowest} to ${highest}, total ${total}`
  const lacking = blank === 0 ? '' : `, ${blank} blank`
  const entry = type === undefined ? '' : ` (${type}, summary ${summary})`
  return [`  ${name}${entry}: ${counted(recorded, 'value')}${spread}${lacking}.`, ...notes].join(' ')
}

/** A column that no frame has is named alone. */
export function indexReport({ bbox, totalKm2, smallestKm2, largestKm2, columns }: IndexFigures): string[] {
  const [west, south, east, north] = bbox
  const missing = columns.filter(({ recorded }) => recorded === 0).map(({ name }) => name)
  return [
    `They cover ${totalKm2} km², from ${west} to ${east} east and from ${south} to ${north} north; a frame has from ${smallestKm2} to ${largestKm2} km².`,
    ...columns.filter(({ recorded }) => recorded > 0).map(columnReport),
    ...(missing.length > 0 ? [`  No frame has ${missing.join(', ')}.`] : []),
  ]
}
