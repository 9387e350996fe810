/** Writes what a build or an import made, for a person. What is more than a screen has lines is in the JSON alone. */
import { basename } from 'node:path'
import { counted, noun } from '../../core/counted.js'
import type { BuildSummary, Overlap } from '../load/build.js'
import type { ImportedDataset } from '../load/datasets.js'
import type { ImportedRaster } from '../load/import-raster.js'
import type { IndexFigures } from '../load/index-figures.js'
import type { ServedIndex } from '../load/new-index.js'
import type { ColumnFigures } from '../load/quality.js'

const COLUMNS_MOST = 40
const OVERLAPS_MOST = 10

const servedText = ({ isDryRun, generation }: ServedIndex): string =>
  isDryRun ? 'It would be served, and nothing was changed' : `Generation ${generation} is being served`

export const frameReport = (made: ServedIndex & { frames: number }): string =>
  [`${servedText(made)}: ${counted(made.frames, 'frame')}.`, ...landReport(made)].join('\n')

export function buildReport(made: BuildSummary & ServedIndex): string {
  const notes = [
    ...sentence(made.repeatedNames, '{name|names} came more than once: {its|their} places are one ward'),
    ...sentence(made.untidyNames, '{name|names} had line breaks or needless blanks: made single blanks'),
    ...sentence(made.withoutStateOrLga, '{row|rows} named no state or area: left out'),
    ...sentence(made.atTheSamePlace, '{row|rows} lay at the very place of another: the lowest name has the land'),
    ...sentence(
      made.outsideTheOutline,
      '{row lies|rows lie} outside the outline: {it has|they have} what land is nearest to {it|them}',
    ),
    ...sentence(made.wardsTooSmallForAFrame, '{ward holds|wards hold} the middle of no frame: {it has|they have} none'),
    ...sentence(made.tookNearestWard, '{frame|frames} took the nearest ward: no area holds {its|their} middle'),
    ...overlapReport(made.overlaps),
  ]
  return [
    `${servedText(made)}: ${counted(made.frames, 'frame')}, ${counted(made.states, 'state')}, ${counted(made.lgas, 'local government area')}, ${counted(made.wards, 'ward')}.`,
    `${counted(made.cutAtBoundary, 'frame is', 'frames are')} cut at the boundary, ${made.inSeveralParts} of them in several parts.`,
    ...made.outlineFaults.map(
      (fault) => `The outline is not valid, and was mended. Compare the land below with your source. ${fault}.`,
    ),
    ...landReport(made),
    ...(notes.length > 0 ? [`Notes on the ${counted(made.wardRows, 'row')} of wards:`] : []),
    ...notes.map((note) => `  ${note}`),
  ].join('\n')
}

export function datasetReport(made: ImportedDataset, hasDistances = false): string {
  const { layerId, items, kind, columns = [], changes = [], outside = 0, notes, isDryRun } = made
  const more = columns.length - COLUMNS_MOST
  const counts = hasDistances ? ', but {it counts|they count} in distances' : ''
  return [
    `${layerId} ${isDryRun ? 'would be served, and nothing was changed' : 'is being served'}: ${counted(items, kind.slice(0, -1))}.`,
    ...notes,
    ...(changes.length > 0 ? ['Its catalogue changed:'] : []),
    ...changes.slice(0, COLUMNS_MOST).map((each) => `  ${each}`),
    ...sentence(outside, `of them {touches|touch} no frame: no call finds {it|them}${counts}`),
    ...columns.slice(0, COLUMNS_MOST).map(columnReport),
    ...(more > 0 ? [`And ${counted(more, 'more column')}: --json lists them all.`] : []),
  ].join('\n')
}

/** Sums are compared with those of the source before they are served: see import-raster. */
export function rasterReport(made: ImportedRaster): string {
  const { file, crs, statistic, pixels, framesWithout, bands } = made.raster
  const hasClasses = statistic === 'majority' || statistic === 'share'
  const number = (value: number) => String(Number(value.toPrecision(12)))
  const lines = bands.map(({ band, ...of }) =>
    [
      `  band ${band}: ${counted(of.pixels, 'pixel')} read, ${of.nodata} of no data, ${number(of.outside)} outside the frames.`,
      ...sentence(pixels - of.pixels, '{pixel is|pixels are} far from the index, and {was|were} not read'),
      ...(hasClasses
        ? []
        : [`Their sum is ${number(of.sum)}: ${number(of.sumInFrames)} in frames, ${number(of.sumOutside)} outside.`]),
      ...sentence(
        of.negative,
        `{pixel is|pixels are} below zero, such as ${of.firstNegative}: --nodata says what stands for no data`,
      ),
    ].join(' '),
  )
  const without = sentence(framesWithout, '{frame has|frames have} no value: no pixel with data lies in {it|them}')
  return [datasetReport(made), `Of ${basename(file)}, in ${crs}:`, ...lines, ...without].join('\n')
}

/** Writes "1 row lies ..." or "2 rows lie ..." of "{row lies|rows lie} ...", and nothing for a count of 0. */
function sentence(count: number, text: string): string[] {
  const said = text.replaceAll(/\{(.+?)\|(.+?)\}/g, (_all, one: string, more: string) => noun(count, one, more))
  return count === 0 ? [] : [`${count} ${said}.`]
}

function columnReport({ type, summary, total, classes, blank, ...figures }: ColumnFigures): string {
  const { name, recorded, lowest, highest, notes } = figures
  const range = total === undefined ? '' : `, from ${lowest} to ${highest}, total ${total}`
  const different = total === undefined && classes !== undefined ? `, ${classes} different` : ''
  const lacking = blank === 0 ? '' : `, ${blank} blank`
  const entry = type === undefined ? '' : ` (${type}, summary ${summary})`
  return [`  ${name}${entry}: ${counted(recorded, 'value')}${range}${different}${lacking}.`, ...notes].join(' ')
}

/** A column that no frame has is named alone. */
function landReport({ bbox, totalKm2, smallestKm2, largestKm2, columns }: IndexFigures): string[] {
  const [west, south, east, north] = bbox
  const missing = columns.filter(({ recorded }) => recorded === 0).map(({ name }) => name)
  return [
    `They cover ${totalKm2} km², from ${west} to ${east} east and from ${south} to ${north} north; a frame has from ${smallestKm2} to ${largestKm2} km².`,
    ...columns.filter(({ recorded }) => recorded > 0).map(columnReport),
    ...(missing.length > 0 ? [`  No frame has ${missing.join(', ')}.`] : []),
  ]
}

function overlapReport(overlaps: readonly Overlap[]): string[] {
  if (overlaps.length === 0) return []
  const more = overlaps.length - OVERLAPS_MOST
  return [
    `The areas of ${counted(overlaps.length, 'ward')} overlap. Where several hold the middle of a frame, the lowest name has it:`,
    ...overlaps.slice(0, OVERLAPS_MOST).map(({ ward, middles, kept, hasNoFrame }) => {
      const held = counted(middles, 'middle')
      return hasNoFrame
        ? `  ${ward} holds ${held}, all in other wards too: it has no frame.`
        : `  ${ward} holds ${held} that other wards hold too, and has ${kept} of these frames.`
    }),
    ...(more > 0 ? [`  And ${more} more: --json lists them all.`] : []),
  ]
}
