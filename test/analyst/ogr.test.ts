import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { analystTarget, urlOf } from '../support/database.js'
import { service } from '../support/service.js'
import { keyOf, names, types } from './fixture.js'

const run = promisify(execFile)
const shapes: Record<string, string> = {
  MULTIPOLYGON: 'Multi Polygon',
  MULTILINESTRING: 'Multi Line String',
  MULTIPOINT: 'Multi Point',
}

function source(): string {
  const { hostname, port, username, pathname } = new URL(urlOf(analystTarget(service().database)))
  return `PG:host=${hostname} port=${port} dbname=${pathname.slice(1)} user=${username} schemas=analyst`
}
const ogrinfo = async (...words: string[]) => (await run('ogrinfo', ['-ro', ...words], { maxBuffer: 1 << 24 })).stdout

describe('ogrinfo', function () {
  this.timeout(60_000)

  it('lists the layers of schema analyst and no others, each with its type', async () => {
    const listed = [...(await ogrinfo(source())).matchAll(/^\d+: (?:analyst\.)?(\w+) \(([\w ]+)\)$/gm)]
    assert.deepEqual(
      Object.fromEntries(listed.map(([, name = '', shape]) => [name, shape])),
      Object.fromEntries(names.map((name) => [name, shapes[types[name] ?? '']])),
    )
  })

  it('finds the type, WGS 84, the description, and a whole number as the first column of each layer', async () => {
    const blocks = (await ogrinfo('-so', source(), ...names.map((name) => `analyst.${name}`)))
      .split(/^Layer name: /m)
      .slice(1)
    assert.deepEqual(
      blocks.map((block) => /^(?:analyst\.)?(\w+)/.exec(block)?.[1]),
      names,
    )
    for (const [at, name] of names.entries()) {
      const block = blocks[at] ?? ''
      assert.match(block, /^ {2}DESCRIPTION=\S/m, name)
      assert.ok(block.includes(`Geometry: ${shapes[types[name] ?? '']}\n`), block)
      assert.match(block, /^ {4}ID\["EPSG",4326\]\]/m, name)
      assert.match(block, new RegExp(`^Geometry Column = geom\\n${keyOf(name)}: Integer(64)? `, 'm'), name)
    }
  })
})
