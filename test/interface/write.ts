/** Writes the description with the usual bucket sizes to dist/openapi.json, for the generator of clients. */
import { writeFileSync } from 'node:fs'
import { readConfig } from '../../src/server/config.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { describeInterface } from '../../src/api/routes/docs.js'

const text = JSON.stringify(describeInterface(readConfig({}).buckets), undefined, 2)
writeFileSync(new URL('dist/openapi.json', projectFolder), text)
