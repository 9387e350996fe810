/** Tests the tests: rules are broken in copies of the program, and for each rule a named test must fail. */
import assert from 'node:assert/strict'
import { accessMutants } from './access.js'
import { brokenBy } from './broken.js'
import { creditMutants } from './credits.js'
import { insightMutants } from './insight.js'
import { limitMutants } from './limits.js'
import type { Broken, Mutant } from './mutant.js'
import { outcomesOn, type Outcome } from './run.js'
import { webMutants } from './web.js'

const families: readonly (readonly Mutant[])[] = [
  creditMutants,
  limitMutants,
  accessMutants,
  webMutants,
  insightMutants,
]
/**
 * To load the program takes three of the four seconds of a mutant. So one copy has a mutant of each family, whose tests
 * do not meet. LONG=1 makes a copy for each.
 */
const groups: readonly (readonly Mutant[])[] =
  process.env['LONG'] === '1'
    ? families.flat().map((mutant) => [mutant])
    : Array.from({ length: Math.max(...families.map(({ length }) => length)) }, (_, place) =>
        families.flatMap((family) => family[place] ?? []),
      )
const mutants = groups.flat()

/** The machine of the tests has two cores. */
const AT_ONCE = 2

/** Tries so many copies at a time. */
async function outcomesOf(trials: readonly (readonly Broken[])[]): Promise<Outcome[]> {
  const outcomes: Outcome[][] = []
  const waiting = trials.entries()
  const lanes = Array.from({ length: AT_ONCE }, async () => {
    for (const [place, trial] of waiting)
      outcomes[place] = await outcomesOn(trial).catch((fault: unknown) => trial.map(() => ({ fault })))
  })
  await Promise.all(lanes)
  return outcomes.flat()
}

const unbroken = (mutant: Mutant): Broken => ({ mutant, files: {}, change: '' })

describe('the tests', function () {
  this.timeout(0)
  let onProgram: Outcome[] = []
  let onMutants: Outcome[] = []

  before(async () => {
    const broken = await brokenBy(mutants)
    const copies = groups.map((group) => broken.filter(({ mutant }) => group.includes(mutant)))
    const outcomes = await outcomesOf([mutants.map(unbroken), ...copies])
    ;[onProgram, onMutants] = [outcomes.slice(0, mutants.length), outcomes.slice(mutants.length)]
  })

  const failed = (outcome: Outcome | undefined): string[] => {
    if (outcome && 'failed' in outcome) return outcome.failed
    throw outcome?.fault
  }

  it('pass where nothing is broken', () => assert.deepEqual(onProgram.flatMap(failed), []))

  for (const [place, { breaks }] of mutants.entries()) {
    it(`notice that ${breaks}`, () => assert.notDeepEqual(failed(onMutants[place]), [], 'no test failed'))
  }
})
