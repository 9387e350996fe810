/** The headline: the answer in a line, and what was left out of it for want of credits. */

export type Headed = {
  /** No question was asked. */
  isProfile: boolean
  /** The facet that answers the question; undefined where none does. */
  first: { label: string; value: string } | undefined
  frames: number
  leftOut: readonly { name: string }[]
}

export const NO_FRAMES = 'None of these frames is in the index.'

/** The figure of another dataset must not pass for that of one that was left out, nor that for one that records nothing. */
export function headlineOf({ isProfile, first, frames, leftOut }: Headed): string {
  const over = frames === 1 ? '1 frame' : `${frames} frames`
  if (isProfile) return `Profile of ${over}.`
  const missing = leftOut.length === 0 ? '' : `${missingOf(leftOut.map(({ name }) => name))} `
  if (first) return `${missing}${first.label}: ${first.value} (${over} asked).`
  if (leftOut.length > 0) return `${missing}A profile of ${over}.`
  return `Nothing recorded on these frames matches the question: a profile of ${over}.`
}

function missingOf(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed()
  if (others.length === 0) return `${last} is left out: the credits do not cover its price.`
  return `${others.toReversed().join(', ')} and ${last} are left out: the credits do not cover their prices.`
}
