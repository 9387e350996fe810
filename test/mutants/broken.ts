/** Breaks the program as mutants say. */
import { execFileSync } from 'node:child_process'
import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/core/db/statement.js'
import { newDatabase } from '../support/database.js'
import { newFolder } from '../support/temporary.js'
import type { Broken, Mutant, Patch } from './mutant.js'
import { titlesIn } from './run.js'

const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

/** Breaks the program once for each mutant. An error names each mutant that does not fit the program any more. */
export async function brokenBy(mutants: readonly Mutant[]): Promise<Broken[]> {
  const misfits = mutants.flatMap((mutant) => patchFaults(mutant).map((fault) => `${mutant.breaks}: ${fault}`))
  misfits.push(...(await titleFaults(mutants)), ...(await changeFaults(mutants)))
  if (misfits.length > 0) throw new Error(`These mutants do not fit:\n  ${misfits.join('\n  ')}`)
  const compiled = compile(mutants)
  return mutants.map((mutant, place) => brokenOf(mutant, compiled[place]))
}

function patchFaults(mutant: Mutant): string[] {
  const missing = mutant.tests.filter((test) => !existsSync(path(`test/${test}.test.ts`)))
  if (missing.length > 0) return missing.map((test) => `there is no test/${test}.test.ts`)
  if ('statement' in mutant) return []
  const { file, from, to } = mutant
  if (!/^(src\/.*\.(ts|lua)|sql\/.*\.sql)$/.test(file)) return [`${file} is neither code of src/ nor a file of sql/`]
  if (!existsSync(path(file))) return [`there is no ${file}`]
  const times = readFileSync(path(file), 'utf8').split(from).length - 1
  return times === 1 && from !== to ? [] : [`${file} has this text ${times} times: ${from}`]
}

async function titleFaults(mutants: readonly Mutant[]): Promise<string[]> {
  const files = [...new Set(mutants.flatMap(({ tests }) => tests))].filter((test) =>
    existsSync(path(`dist/test/${test}.test.js`)),
  )
  const titles = await titlesIn(files)
  return mutants
    .filter(
      ({ tests, grep }) => !titles.some(({ test, title }) => tests.includes(test) && new RegExp(grep).test(title)),
    )
    .map(({ breaks, tests, grep }) => `${breaks}: no test of ${tests.join(', ')} has a title like ${grep}`)
}

async function changeFaults(mutants: readonly Mutant[]): Promise<string[]> {
  const faults: string[] = []
  const database = await newDatabase()
  for (const mutant of mutants) {
    if (!('statement' in mutant)) continue
    const tried = database.db.work(mutant.statement)
    await tried.catch((error: Error) => faults.push(`${mutant.breaks}: ${error.message}`))
  }
  await database.drop()
  return faults
}

const patched = ({ file, from, to }: Patch) => readFileSync(path(file), 'utf8').replace(from, () => to)

/** One run of tsc compiles the patched files of all mutants. Returns the JavaScript of each. */
function compile(mutants: readonly Mutant[]): (string | undefined)[] {
  const folder = newFolder('mutants')
  const files: string[] = []
  for (const [place, mutant] of mutants.entries()) {
    if ('statement' in mutant || !mutant.file.endsWith('.ts')) continue
    const file = `${place}/${mutant.file}`
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    writeFileSync(join(folder, file), patched(mutant))
    files.push(file)
  }
  // The types were checked with the program.
  const compilerOptions = { noCheck: true, noResolve: true, types: [], rootDir: '.', outDir: 'out', incremental: false }
  writeFileSync(
    join(folder, 'tsconfig.json'),
    JSON.stringify({ extends: path('tsconfig.json'), compilerOptions, files, include: [] }),
  )
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ type: 'module' }))
  try {
    execFileSync(path('node_modules/.bin/tsc'), ['-p', folder], { encoding: 'utf8' })
    return mutants.map((mutant, place) => {
      const file = 'statement' in mutant ? '' : join(folder, 'out', `${place}/${compiledName(mutant.file)}`)
      return file.endsWith('.js') ? readFileSync(file, 'utf8') : undefined
    })
  } catch (error) {
    const { stdout = '' } = error as { stdout?: string }
    const breaks = (place: string) => mutants[Number(place)]?.breaks ?? place
    throw new Error(`tsc refuses mutants:\n${stdout.replace(/^(\d+)(?=\/)/gm, breaks)}`, { cause: error })
  } finally {
    rmSync(folder, { recursive: true })
  }
}

const compiledName = (file: string) => file.replace(/\.ts$/, '.js')

function brokenOf(mutant: Mutant, compiled: string | undefined): Broken {
  if ('statement' in mutant) return { mutant, files: {}, change: `${mutant.statement};` }
  if (compiled !== undefined) return { mutant, files: { [`dist/${compiledName(mutant.file)}`]: compiled }, change: '' }
  const text = patched(mutant)
  const change = mutant.file.startsWith('sql/functions/') ? `${text}\n${GRANTS}` : ''
  return { mutant, files: { [mutant.file]: text }, change }
}

/** Functions give the roles of the service and of the web app their rights. */
const GRANTS = `select service_may('frames_service'); select console_may('frames_console');`
