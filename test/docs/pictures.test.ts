import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { pictures } from '../browser/pictures.js'

const FOLDER = new URL('docs/pictures/', projectFolder)
const MOST_BYTES = 1.5e6

describe('the pictures of docs/web-app.md', () => {
  const files = readdirSync(FOLDER).sort()
  const made = pictures.map(({ name }) => `${name}.webp`).sort()

  it('are those that npm run pictures makes, and the page shows each once, with a text', () => {
    const page = readFileSync(new URL('docs/web-app.md', projectFolder), 'utf8')
    const shown = Array.from(page.matchAll(/!\[([^\]]{10,})\]\(pictures\/([^)]+)\)/g), ([, , file = '']) => file)
    assert.deepEqual(shown.toSorted(), made)
    assert.deepEqual(files, made)
    assert.equal(new Set(made).size, 20)
  })

  it('are small, and show phones and desktops in the light and in the dark', () => {
    const bytes = files.map((file) => readFileSync(new URL(file, FOLDER)))
    for (const picture of bytes) assert.equal(picture.toString('latin1', 8, 12), 'WEBP')
    const total = bytes.reduce((sum, { length }) => sum + length, 0)
    assert.ok(total <= MOST_BYTES, `${total} bytes`)
    const kinds = new Set(pictures.map(({ is = 'desktop', scheme = 'light' }) => `${is} ${scheme}`))
    assert.equal(kinds.size, 4)
  })
})
