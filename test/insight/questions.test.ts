import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/access/organisations.js'
import { ask, bearer, mint, service, type Minted } from '../support/service.js'
import { questions } from './questions.js'

type Answer = { headline: string; facets: { label: string; value: string }[]; followUps: string[] }

describe('a question steers the figures, without a model', function () {
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

  async function insight(question: string | undefined, ids = frameIds): Promise<Answer> {
    const answer = await ask(`${service().url}/v1/frames/insight`, {
      method: 'POST',
      headers: { ...bearer(key.secret), 'content-type': 'application/json' },
      body: JSON.stringify({ frameIds: ids, question }),
    })
    assert.equal(answer.status, 200, answer.text)
    return (answer.body as { data: Answer }).data
  }

  it('of which there are at least 80', () => assert.ok(questions.length >= 80))

  for (const [question, label] of questions) {
    it(`"${question}" is answered first by ${label}`, async () => {
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
    'What was the population in 2015?',
    'How many people will live here in 2030?',
  ]) {
    it(`"${question}" matches nothing: the profile, and the headline says so`, async () => {
      const { facets, headline } = await insight(question)
      assert.equal(headline, 'Nothing recorded on these frames matches the question: a profile of 10 frames.')
      assert.deepEqual(facets, (await insight(undefined)).facets)
    })
  }

  it('two frames are compared value by value', async () => {
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

  it('its follow-ups are questions that this data answers', async () => {
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
          assert.doesNotMatch(answer.headline, /^Nothing recorded/, next)
          assert.ok(question === undefined || answer.facets[0]?.label !== facets[0]?.label, next)
        }
      }
    }
  })
})
