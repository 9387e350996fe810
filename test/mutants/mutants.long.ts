/** The tests' own test: one thing at a time is broken in a copy of the program, and the named tests must fail. */
import assert from 'node:assert/strict'
import { askMutants } from './ask.js'
import { bulkMutants } from './bulk.js'
import { coreMutants } from './core.js'
import { mapMutants } from './map.js'
import { mcpMutants } from './mcp.js'
import { moreMutants } from './more.js'
import { redisMutants } from './redis.js'
import { earlyMutants } from './early.js'
import { failuresOf, type Mutant } from './mutant.js'
import { questionMutants } from './questions.js'
import { peopleMutants } from './people.js'
import { signInMutants } from './sign-in.js'
import { tileMutants } from './tiles.js'
import { totalMutants } from './totals.js'
import { useMutants } from './use.js'
import { catalogueMutants } from './catalogue.js'
import { webMutants } from './web.js'
import { wordingMutants } from './wording.js'
import { wordsMutants } from './words.js'
import { workerMutants } from './workers.js'

const tried =
  process.env['LONG'] === '1'
    ? [
        ...coreMutants,
        ...askMutants,
        ...moreMutants,
        ...redisMutants,
        ...earlyMutants,
        ...workerMutants,
        ...wordingMutants,
        ...questionMutants,
        ...wordsMutants,
        ...webMutants,
        ...catalogueMutants,
        ...useMutants,
        ...signInMutants,
        ...tileMutants,
        ...totalMutants,
        ...mapMutants,
        ...mcpMutants,
        ...peopleMutants,
        ...bulkMutants,
      ]
    : coreMutants
const unbroken: Mutant = {
  breaks: 'nothing',
  file: 'dist/src/app.js',
  from: 'export function createApp',
  to: 'export function createApp',
  tests: ['access/matrix', 'access/logs', 'limits/buckets', 'db/batch'],
}

/** The machine has two cores. */
const AT_ONCE = 2

async function failuresAfter(previous: Promise<unknown> | undefined, mutant: Mutant): Promise<number> {
  await Promise.allSettled([previous])
  return await failuresOf(mutant)
}

/** One promise for each mutant; each starts when the one two places before it has ended. */
function failuresOfAll(mutants: Mutant[]): Promise<number>[] {
  const results: Promise<number>[] = []
  for (const mutant of mutants) results.push(failuresAfter(results.at(-AT_ONCE), mutant))
  return results
}

describe('the suite notices when', function () {
  this.timeout(0)
  let results: Promise<number>[] = []

  before(() => {
    results = failuresOfAll([unbroken, ...tried])
    // A failure counts in its own test, not as an unhandled rejection before that.
    void Promise.allSettled(results)
  })

  it('nothing is broken: the same tests pass on an unchanged copy', async () => {
    assert.equal(await results[0], 0)
  })

  for (const [i, mutant] of tried.entries()) {
    it(mutant.breaks, async () => {
      assert.ok(((await results[i + 1]) ?? 0) > 0, 'no test failed')
    })
  }
})
