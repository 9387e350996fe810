/** Counts with their nouns: "1 ward", "3 wards". */

/** "District", "county" and "parish" in the plural. */
export const manyOf = (one: string): string =>
  /(ch|sh|x|s)$/i.test(one) ? `${one}es` : /[^aeiou]y$/i.test(one) ? one.replace(/y$/i, 'ies') : `${one}s`

/** `more` is for a noun whose plural is not made with an s. */
export const noun = (count: number, one: string, more = `${one}s`): string => (count === 1 ? one : more)

export const counted = (count: number, one: string, more?: string): string => `${count} ${noun(count, one, more)}`
