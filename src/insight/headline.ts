/** Writes the headline: the answer in one line, and the datasets that the credits did not cover. */
import type { LabelledValue } from './verify.js'

export type HeadlineInput = {
  /** The caller asked no question. */
  isProfile: boolean
  /** The facet that answers the question, if one does. */
  first: LabelledValue | undefined
  frames: number
  leftOut: readonly { name: string }[]
}

export const NO_FRAMES = 'None of these frames is in the index.'

/**
 * Names a dataset that was left out before any figure: a reader must not take the figure for that of the dataset, nor
 * think that the dataset records nothing.
 */
export function headlineOf({ isProfile, first, frames, leftOut }: HeadlineInput): string {
  const over = frames === 1 ? '1 frame' : `${frames} frames`
  if (isProfile) return `Profile of ${over}.`
  const missing = leftOut.length === 0 ? '' : `${leftOutText(leftOut.map(({ name }) => name))} `
  if (first) return `${missing}${first.label}: ${first.value} (${over} asked).`
  if (leftOut.length > 0) return `${missing}A profile of ${over}.`
  return `Nothing recorded on these frames matches the question: a profile of ${over}.`
}

function leftOutText(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed()
  if (others.length === 0) return `${last} is left out: the credits do not cover its price.`
  return `${others.toReversed().join(', ')} and ${last} are left out: the credits do not cover their prices.`
}
