import assert from 'node:assert/strict'
import { signIn, type Visitor } from '../support/browse.js'
import { sharedWorld } from '../support/datasets.js'
import { startService } from '../support/service.js'
import { askTile } from './ask-tile.js'
import { askValues } from './ask-values.js'

const MARKUP = '%3Cscript%3Ealert(1)%3C%2Fscript%3E'

/** Addresses that no tile has, and a part of the sentence that refuses each. */
const NOT_FOUND: [path: string, accepted: string][] = [
  ['frames/7/64/63', 'zooms from 8 to 14: "7"'],
  ['blocks/6/0/0', 'tiles of units, frames, features'],
  ['units/-1/0/0', '"-1"'],
  ['units/9%00/0/0', 'zooms from 0 to 14'],
  ['frames/9/-1/0', 'from 0 to 511: "-1" and "0"'],
  [`frames/9/${'9'.repeat(5000)}/0`, 'from 0 to 511'],
  [`${MARKUP}/9/0/0`, 'tiles of units'],
  ['__proto__/9/0/0', 'not of "__proto__"'],
  ['frames/9/256', 'no such page'],
  ['..%2F..%2Fframes/9/256/255', 'tiles of units'],
]

/** Questions that a square cannot answer, and a part of the sentence that refuses each. */
const INVALID: [query: string, accepted: string][] = [
  ['dataset=', 'dataset: given without a value'],
  [`dataset=${MARKUP}`, 'dataset: an id such as lyr_population is accepted'],
  ['dataset=lyr_nowhere', 'your organisation reads no dataset lyr_nowhere'],
  ['dataset=%FF', 'not percent-encoded UTF-8'],
  ['attribute=told', 'attribute: needs dataset beside it'],
  [`dataset=lyr_open&attribute=${MARKUP}`, 'frames show told of lyr_open; another came'],
  ['dataset=lyr_points&attribute=told', 'frames show features of lyr_points; another came'],
]

describe('the addresses of tiles and values', () => {
  let running: Awaited<ReturnType<typeof startService>>
  let visitor: Visitor

  before(async () => {
    const { database, world } = await sharedWorld()
    running = await startService(database, { publicUrl: 'listening' })
    visitor = await signIn(running.url, database.db, { orgId: world.reader, role: 'member' })
  })
  after(() => running.stop())

  it('that no tile has are 404, with what would be accepted', async () => {
    for (const [path, accepted] of NOT_FOUND) {
      const { status, text, headers } = await askTile(visitor, path)
      assert.equal(status, 404, `${path}: ${text}`)
      assert.ok(text.includes(accepted) || accepted === 'no such page', `${path}: ${text}`)
      assert.ok(text.length < 400, text)
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8', path)
      assert.deepEqual([headers['cache-control'], headers.etag], ['no-store', undefined], path)
    }
  })

  it('that ask what values cannot answer are 400, with what would be accepted', async () => {
    for (const [query, accepted] of INVALID) {
      const { status, text, headers } = await askValues(visitor, `0/0?${query}`)
      assert.equal(status, 400, `${query}: ${text}`)
      assert.ok(text.includes(accepted), `${query}: ${text}`)
      assert.equal(headers['content-type'], 'text/plain; charset=utf-8', query)
    }
    const ofNothing = await askValues(visitor, 'lga')
    assert.deepEqual(
      [ofNothing.status, ofNothing.text],
      [400, 'dataset: units have values of a dataset alone, and none was sent.\n'],
    )
  })

  it('take GET and HEAD, and no other method', async () => {
    const posted = await visitor.post('/app/tiles/frames/12/2050/2046')
    assert.deepEqual([posted.status, posted.headers.allow, posted.text], [405, 'GET, HEAD', 'It takes GET, HEAD.\n'])
  })
})
