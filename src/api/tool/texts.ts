/** Short texts beside the data of tools: enough to go on with, for clients that read text alone. */
import { counted } from '../../core/counted.js'
import type { SentAnswer } from '../routes/frames-insight.js'

export type FrameInText = { id: string; admin?: { state: string; lga: string; ward?: string } }
/** A page of frames has `next`, but for the last one and for a box. */
export type FoundFrames = { frames: FrameInText[]; truncated?: boolean; next?: string }
export type UnitInText = { state: string; lga?: string; ward?: string; frames: number }
export type Dataset = { layerId: string; name: string; category: string; kind: string; orgId: string; price?: number }
type Entry = { layerId: string; values?: Record<string, string>; features?: unknown[] }
export type Records = {
  frames: { id: string; datasets: Entry[] }[]
  charged: string[]
  leftOut: { layerId: string; price: number; reason: string }[]
  price?: { credits: number }
}

export type TotalInText = {
  layerId: string
  attribute: string
  label: string
  unit?: string
  summary: string
  total?: string
  /** Absent for a unit, and for classes. */
  byArea?: string
  /** The 95 % interval of the total, where the dataset has draws of its model. */
  lower?: string
  upper?: string
  class?: string
  classFrames?: number
  recorded: number
}
export type TotalsInText = {
  frames: number
  km2: string
  km2Inside?: string
  totals: readonly TotalInText[]
  notRead: readonly string[]
}

const LINES_MAX = 100

export function frameText({ id, admin }: FrameInText): string {
  const place = admin && [admin.ward, admin.lga, admin.state].filter((name) => name !== undefined).join(', ')
  return `Frame ${id}${place === undefined ? '' : `: ${place}`}.`
}

export function framesText({ frames, truncated, next }: FoundFrames): string {
  const more = next === undefined ? 'More touch the box: ask for a smaller one.' : `More follow after ${next}.`
  return `${lines(frames.map(frameText), 'No such frame.')}${truncated ? `\n${more}` : ''}`
}

export const unitsText = (units: readonly UnitInText[]): string =>
  lines(
    units.map(({ state, lga, ward, frames }) => `${ward ?? lga ?? state}: ${counted(frames, 'frame')}`),
    'No such unit.',
  )

export const datasetsText = (datasets: readonly Dataset[]): string =>
  lines(
    datasets.map(
      ({ layerId, name, category, kind, price }) =>
        `${layerId}: ${name} (${category}, ${kind}${price === undefined ? '' : `, ${counted(price, 'credit')} a call`})`,
    ),
    'This key can read no dataset.',
  )

export function recordsText({ frames, charged, leftOut, price }: Records): string {
  const rows = frames.flatMap(({ id, datasets }) => datasets.map((entry) => `${id} ${entryText(entry)}`))
  const bill = [
    ...(price ? [`Nothing is read: the call would cost ${counted(price.credits, 'credit')}.`] : []),
    ...(charged.length > 0 ? [`${price ? 'It would charge' : 'Charged'}: ${charged.join(', ')}.`] : []),
    ...leftOut.map(
      ({ layerId, price: credits, reason }) =>
        `Left out, ${reason === 'key_cap' ? 'a cap of this key does' : 'the credits do'} not cover it: ${layerId}, ${counted(credits, 'credit')}.`,
    ),
  ]
  return [...(price ? [] : [lines(rows, 'Nothing is recorded on these frames.')]), ...bill].join('\n')
}

function entryText({ layerId, values, features = [] }: Entry): string {
  if (!values) return `${layerId}: ${counted(features.length, 'feature')}`
  return `${layerId}: ${Object.entries(values)
    .map(([name, value]) => `${name} ${value}`)
    .join(', ')}`
}

export function insightText({ headline, narrative, facets, sources, notice }: SentAnswer): string {
  const figures = facets.map(({ label, value }, place) => {
    const { dataset = '', attribute = '' } = sources[place] ?? {}
    return `- ${label}: ${value} (${dataset}, ${attribute})`
  })
  return [narrative ?? headline, ...figures.slice(0, LINES_MAX), ...(notice === undefined ? [] : [notice])].join('\n')
}

export function totalsText({ frames, km2, km2Inside, totals, notRead }: TotalsInText): string {
  if (frames === 0) return 'No frame lies there.'
  const inside = km2Inside === undefined ? '' : `, ${km2Inside} km² of them inside`
  const rows = totals.map((each) => {
    const { layerId, label, unit, summary, total, byArea, lower, upper, recorded } = each
    const interval = lower === undefined ? '' : `, between ${lower} and ${upper} (95 %)`
    const value =
      each.class === undefined
        ? `${total ?? 'no total'}${unit === undefined ? '' : ` ${unit}`}`
        : `${each.class} (${counted(each.classFrames ?? 0, 'frame')})`
    return `${layerId}: ${label}, ${summary}: ${value}${interval}${byArea === undefined ? '' : `; by area ${byArea}`} (${counted(recorded, 'frame')})`
  })
  const left = notRead.length === 0 ? '' : `\nNot read, since reading costs credits: ${notRead.join(', ')}.`
  return `${counted(frames, 'frame')}, ${km2} km²${inside}.\n${lines(rows, 'No dataset has a total there.')}${left}`
}

function lines(all: readonly string[], none: string): string {
  if (all.length === 0) return none
  const left = all.length - LINES_MAX
  return [...all.slice(0, LINES_MAX), ...(left > 0 ? [`${left} more are in the structured content.`] : [])].join('\n')
}
