import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/access/organisations.js'
import { mint, service, type Minted } from '../support/service.js'
import { insightOf } from './ask.js'
import { questions } from './questions.js'

describe('a question chooses the figures, without a model', function () {
  this.timeout(120_000)
  let key: Minted
  let frameIds: string[]

  before(async () => {
    const { db } = service()
    key = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    const near = await db.rows<{ id: string }>(
      'select frame_id::text as id from frame where geom && ST_MakeEnvelope(0.03, -0.57, 0.07, -0.5, 4326) order by 1 limit 10',
      [],
    )
    frameIds = near.map(({ id }) => id)
  })

  const insight = (question: string | undefined, ids = frameIds) =>
    insightOf({ url: service().url, secret: key.secret }, { frameIds: ids, question })

  it('is one of at least 80 here', () => assert.ok(questions.length >= 80))

  for (const [question, label] of questions) {
    it(`"${question}" gets ${label} first`, async () => {
      const { facets, headline } = await insight(question)
      assert.equal(facets[0]?.label, label)
      assert.ok(headline.startsWith(`${label}: ${facets[0]?.value}`))
      assert.ok(facets.length <= 40)
    })
  }

  for (const question of [
    'what is the meaning of life',
    'tell me a joke',
    'xyzzy',
    'the and of',
    '???',
    '12 34',
    "'); drop table frame; --",
    '& | ! <-> :*',
  ]) {
    it(`"${question}" matches nothing: it gets the profile, and the headline says so`, async () => {
      const { facets, headline } = await insight(question)
      assert.match(
        headline,
        /^(No question about these frames was found\.|No dataset records ".*"\.) A profile of 10 frames\.$/,
      )
      assert.deepEqual(facets, (await insight(undefined)).facets)
    })
  }

  for (const question of ['What was the population in 2015?', 'How many people will live here in 2030?']) {
    it(`"${question}" names a year that no dataset has: the headline says so before the nearest figure`, async () => {
      const { headline } = await insight(question)
      assert.match(headline, /^No dataset records "(2015|2030)"\. The nearest: Population, /)
    })
  }

  it('compares two frames value by value', async () => {
    const two = frameIds.slice(0, 2)
    const { facets } = await insight('compare the two', two)
    for (const id of two)
      assert.ok(
        facets.slice(0, 8).some(({ label }) => label.endsWith(`, frame ${id}`)),
        id,
      )
    const people = await insight('compare the population of the two', two)
    assert.deepEqual(
      people.facets.slice(0, 2).map(({ label }) => label),
      two.map((id) => `Population, 2026 estimate, frame ${id}`),
    )
  })

  it('gets follow-ups that this data answers', async () => {
    for (const question of [
      undefined,
      'how many people live here',
      'schools nearby',
      'average slope',
      'is this mostly rural',
    ]) {
      for (const ids of [frameIds, frameIds.slice(0, 1)]) {
        const { followUps, facets } = await insight(question, ids)
        assert.ok(followUps.length > 0 && followUps.length <= 3, `${followUps.length} follow-ups`)
        for (const next of followUps) {
          const answer = await insight(next, ids)
          assert.doesNotMatch(answer.headline, /^No |^Not answered/, next)
          assert.ok(question === undefined || answer.facets[0]?.label !== facets[0]?.label, next)
        }
      }
    }
  })
})
