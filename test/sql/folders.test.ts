import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'

describe('the list of folders in sql/README.md', () => {
  it('names every folder of sql/, and no other', () => {
    const text = readFileSync('sql/README.md', 'utf8')
    const list = /^The folders hold the other statements:\n([\s\S]*?)\n## /m.exec(text)?.[1] ?? ''
    const named = Array.from(list.matchAll(/`(\w+)\/`/g), ([, name = '']) => name)
    const folders = readdirSync('sql', { withFileTypes: true }).filter((entry) => entry.isDirectory())
    assert.deepEqual(named.sort(), folders.map(({ name }) => name).sort())
  })
})
