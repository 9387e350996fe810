/** Writes the description to dist/openapi.json, for whatever reads files: the linter, a generator of clients. */
import { writeFileSync } from 'node:fs'
import { readConfig } from '../../src/config.js'
import { projectFolder } from '../../src/db/statement.js'
import { describeInterface } from '../../src/interface/document.js'

const text = JSON.stringify(describeInterface(readConfig({}).buckets), undefined, 2)
writeFileSync(new URL('dist/openapi.json', projectFolder), text)
