/** Says in words what the catalogue holds of a dataset. */
import { countText, priceText } from '../shell/amounts.js'
import type { DatasetColumn } from './rows.js'
import type { CatalogueDataset } from './data.js'

/** Writes the licence for a line of a table. */
export function licenceText({ isOwn, price, isForEveryone }: CatalogueDataset): string {
  if (isOwn) return 'own'
  if (price !== null) return priceText(price)
  return isForEveryone ? 'free for everyone' : 'free by licence'
}

export function licenceSentence({ isOwn, price, isForEveryone, owner }: CatalogueDataset): string {
  if (isOwn) return 'Your organisation owns it, and reads it without a charge.'
  const reader = isForEveryone ? 'Every organisation' : 'Your organisation'
  if (price === null) return `${reader} may read it without a charge, by a licence of ${owner}.`
  return `${reader} may read it for ${priceText(price)}, by a licence of ${owner}. A call is charged once, and only where the dataset records something.`
}

const KIND_TEXTS: Readonly<Record<CatalogueDataset['kind'], string>> = {
  frames: 'one for each frame that it covers',
  points: 'points',
  lines: 'lines',
  polygons: 'polygons',
}

export const kindText = ({ kind }: CatalogueDataset): string => KIND_TEXTS[kind]

export const itemsText = ({ kind, items }: CatalogueDataset): string =>
  countText(items, kind === 'frames' ? 'row' : 'feature')

/** The list names so many attributes or properties of a dataset. */
const LABELS_MAX = 6

export function topicsText({ columns }: CatalogueDataset): string {
  const labels = columns.slice(0, LABELS_MAX).map(({ label }) => label)
  const more = columns.length - labels.length
  return more > 0 ? `${labels.join(', ')} and ${more} more` : labels.join(', ')
}

/** Says how several frames are summarised. */
export function summaryText({ summary, weight }: DatasetColumn, columns: readonly DatasetColumn[]): string {
  switch (summary) {
    case 'sum':
      return 'added up over frames'
    case 'mean':
      return 'mean of the frames'
    case 'weighted_mean':
      return `mean weighted by ${weightName(weight, columns)}`
    case 'mode':
      return 'commonest value'
    case 'none':
      return 'not summarised'
    case null:
      return ''
  }
}

/** Says whether the dataset tells how sure the values are. */
export function sureText({ lower, upper, draws }: DatasetColumn): string {
  if (draws !== null) return `95\u00a0% interval from ${countText(draws, 'draw')}`
  return lower === null ? '' : `bounds in ${lower} and ${upper}`
}

const weightName = (weight: string | null, columns: readonly DatasetColumn[]): string =>
  columns.find(({ name }) => name === weight)?.label.toLowerCase() ?? weight ?? ''

export { valueText } from '../shell/amounts.js'

/** A share that is neither nothing nor all is never shown as 0 % or 100 %. */
export function percentOf(part: number, whole: number): string {
  if (whole === 0 || part === 0) return '0 %'
  const percent = (100 * part) / whole
  if (percent < 0.1) return 'under 0.1 %'
  return part < whole && percent > 99.9 ? 'over 99.9 %' : `${Math.round(percent * 10) / 10} %`
}
