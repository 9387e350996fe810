/** Reads a corpus of the tests: a file below `test/` with a row of JSON in each line. */
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'

export const corpus = <Row>(file: string): Row[] =>
  readFileSync(new URL(`test/${file}`, projectFolder), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Row)
