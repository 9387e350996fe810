/** Random cases: few, and the same in every run, in the suite; many, and new ones, with LONG=1. */
const isLong = process.env['LONG'] === '1'

/** The settings of a property: so many runs in the suite, so many in a long run. */
export const randomCases = (few: number, many: number): { numRuns: number; seed?: number } =>
  isLong ? { numRuns: many } : { numRuns: few, seed: 20_260_101 }
