import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { mint, service } from '../support/service.js'
import { insightOf } from './ask.js'
import { answersToForge, unnoticedForgery } from './forgeries.js'

const FORGERIES = sample(24, 3000)

describe('a forged answer', function () {
  this.timeout(600_000)
  let answers: SavedAnswer[]

  before(async () => {
    const { db, url } = service()
    const { secret } = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    answers = await answersToForge(db, (frameIds, question) => insightOf({ url, secret }, { frameIds, question }))
  })

  it('is none where nothing was changed', async () => {
    for (const answer of answers) assert.deepEqual(await replay(service().db, answer), [], answer.headline)
  })

  it(`is found, whichever of its leaves was changed (${FORGERIES} of them)`, async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`      seed ${seed}`)
    const random = seeded(seed)
    for (let i = 0; i < FORGERIES; i += 1)
      assert.equal(await unnoticedForgery(service().db, answers, random), undefined)
  })
})
