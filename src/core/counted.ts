/** Counts with their nouns: "1 ward", "3 wards". */

/** `more` is for a noun whose plural is not made with an s. */
export const noun = (count: number, one: string, more = `${one}s`): string => (count === 1 ? one : more)

export const counted = (count: number, one: string, more?: string): string => `${count} ${noun(count, one, more)}`
