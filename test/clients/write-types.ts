/** Writes the types of the client for TypeScript, from the description of the tools. */
import { execFileSync } from 'node:child_process'
import { readFileSync, writeFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { toolsDescription } from '../../src/api/tool/openapi.js'
import { toolsOf } from '../../src/api/tool/tools.js'
import { projectFolder } from '../../src/core/db/statement.js'

const path = (name: string) => fileURLToPath(new URL(name, projectFolder))

/** No tool runs: they are described. */
const described = toolsOf(undefined as never, undefined as never)
writeFileSync(path('dist/tools.json'), JSON.stringify(toolsDescription(described)))
const words = ['generate', '-p', path('dist/tools.json'), '-o', path('clients/typescript/src'), '-n', 'types.ts']
const how = ['--no-client', '--enum-style=union', '--extract-request-body', '--extract-response-body', '--silent']
execFileSync(path('node_modules/.bin/swagger-typescript-api'), [...words, ...how])

const rows = described.map(({ name }) => {
  const type = name.replaceAll(/(?:^|_)(\w)/g, (_all, letter: string) => letter.toUpperCase())
  return `  ${name}: { given: ${type}Payload; answer: ${type}Data['data'] }`
})
const tools = `\n/** The tools, each with its arguments and its answer. */\nexport interface Tools {\n${rows.join('\n')}\n}\n`
const types = path('clients/typescript/src/types.ts')
// The generator tells the compiler to look away; it is to look.
writeFileSync(types, readFileSync(types, 'utf8').replace(/^\/\/ @ts-nocheck$/m, '') + tools)
