/** Random cases and faults: few in the suite, many with LONG=1, as `npm run test:long` runs them. */
const isLong = process.env['LONG'] === '1'

export const sample = (few: number, many: number): number => (isLong ? many : few)

/** The settings of a property of fast-check. In the suite its cases are the same in every run. */
export const sampleOfCases = (few: number, many: number): { numRuns: number; seed?: number } =>
  isLong ? { numRuns: many } : { numRuns: few, seed: 20_260_101 }
