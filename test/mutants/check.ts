/** Says which mutants no longer fit the code: a text to be replaced occurs exactly once, and the named tests exist. */
import { fileURLToPath } from 'node:url'
import Mocha from 'mocha'
import { projectFolder } from '../../src/db/statement.js'
import { askMutants } from './ask.js'
import { coreMutants } from './core.js'
import { moreMutants } from './more.js'
import { redisMutants } from './redis.js'
import { earlyMutants } from './early.js'
import { mapMutants } from './map.js'
import { mcpMutants } from './mcp.js'
import { misfit, type Mutant } from './mutant.js'
import { questionMutants } from './questions.js'
import { bulkMutants } from './bulk.js'
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

const mutants = [
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
const fileOf = (test: string) => fileURLToPath(new URL(`dist/test/${test}.test.js`, projectFolder))

/** The full titles of the tests in these files; nothing is run. */
async function titlesIn(files: string[]): Promise<string[]> {
  const mocha = new Mocha()
  for (const file of files) mocha.addFile(file)
  await mocha.loadFilesAsync()
  const titles: string[] = []
  mocha.suite.eachTest((test) => titles.push(test.fullTitle()))
  return titles
}

function withoutTests({ breaks, tests, grep }: Mutant, titles: string[]): string | undefined {
  if (grep === undefined || titles.some((title) => new RegExp(grep).test(title))) return undefined
  return `Mutant "${breaks}": no test of ${tests.join(', ')} has a title like ${grep}`
}

const misfits = mutants.flatMap((mutant) => misfit(mutant) ?? [])
if (misfits.length === 0) {
  const titles = await titlesIn([...new Set(mutants.flatMap(({ tests }) => tests.map(fileOf)))])
  misfits.push(...mutants.flatMap((mutant) => withoutTests(mutant, titles) ?? []))
}
for (const line of misfits) console.error(line)
process.exit(misfits.length > 0 ? 1 : 0)
