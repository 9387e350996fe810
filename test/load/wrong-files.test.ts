import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { wardSource } from '../../src/tools/load/build.js'
import { completeCatalogue, readCatalogue } from '../../src/tools/load/catalogue.js'
import { FileFault } from '../../src/tools/load/faults.js'
import { featureFile } from '../../src/tools/load/feature-file.js'
import { areaText } from '../../src/tools/load/geojson-shape.js'
import { featureSource } from '../../src/tools/load/import-features.js'
import { frameFeature } from '../../src/tools/load/import-frames.js'
import { intervalReader } from '../../src/tools/load/intervals.js'
import { temporaryFolder } from './files.js'

/** A line a file: what reads it, its name, its text, and the sentence that its owner reads. */
type WrongFile = [reader: string, name: string, text: string, sentence: string]
const lines = readFileSync(new URL('test/load/wrong-files.jsonl', projectFolder), 'utf8').trimEnd().split('\n')
const wrongFiles = lines.map((line) => JSON.parse(line) as WrongFile)

/** The kind of the first feature is that of the dataset. */
function featuresOf(path: string) {
  let kind: ReturnType<typeof featureSource>['kind'] | undefined
  return featureFile(path, (value) => {
    const row = featureSource(value, kind)
    kind = row.kind
    return row
  })
}

const READERS: Record<string, (path: string) => AsyncIterable<unknown>> = {
  features: featuresOf,
  frames: (path) => featureFile(path, frameFeature),
  wards: (path) => featureFile(path, wardSource, 'ward'),
  outline: (path) => featureFile(path, areaText),
}

/** "catalogue depth,width" is one for a file of these columns. */
async function read(reader: string, path: string): Promise<void> {
  const features = READERS[reader]?.(path)
  if (features) {
    for await (const _ of features);
    return
  }
  const entries = readCatalogue(path)
  const columns = reader.split(' ')[1]?.split(',')
  if (!columns) return
  intervalReader(columns, entries)
  completeCatalogue(columns, [], { entries, before: [] })
}

describe('a file that is not right', () => {
  const folder = temporaryFolder()

  for (const kind of ['catalogue', ...Object.keys(READERS)])
    it(`is refused with where it is wrong, what is accepted and what came: ${kind}`, async () => {
      for (const [reader, name, text, sentence] of wrongFiles.filter(([each]) => each.split(' ')[0] === kind)) {
        const path = folder.write(name, text)
        const fault = await read(reader, path).then(
          () => assert.fail(`It was taken: ${text}`),
          (error: Error) => error,
        )
        assert.equal(fault.message.replaceAll(path.slice(0, -name.length), ''), sentence, text)
        const [, line = '1'] = /line (\d+)/.exec(sentence) ?? []
        if (fault instanceof FileFault) assert.equal(fault.line, Number(line), text)
      }
    })
})
