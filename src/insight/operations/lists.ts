/** Writes lists and small numbers as a person reads them. */

export const NUMBER_WORDS = ['no', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']

/** "A", "A and B", "A, B and C". */
export function listText(names: readonly string[]): string {
  const [last = '', ...others] = names.toReversed()
  return others.length === 0 ? last : `${others.toReversed().join(', ')} and ${last}`
}
