import assert from 'node:assert/strict'
import fc from 'fast-check'
import { findOrganisation } from '../../src/access/organisations.js'
import { mint, service, type Minted } from '../support/service.js'
import { insightOf } from './ask.js'
import { questions } from './questions.js'

/** The words of a follow-up say which statistic its figure has. */
const STATISTICS: readonly [words: RegExp, statistics: readonly string[]][] = [
  [/^How many frames have no /, ['frames_with', 'frames']],
  [/^How many /, ['sum', 'count']],
  [/^What is the total /, ['sum']],
  [/^Which frame has the (?:most|highest) /, ['max']],
  [/^Which frame has the (?:fewest|lowest) /, ['min']],
  [/^What is the (?:average|mean) /, ['mean', 'weighted_mean']],
  [/^What are the names of /, ['names']],
  [/^(?:What is the|Are these frames mostly) /, ['mode']],
]

describe('follow-ups', function () {
  this.timeout(300_000)
  let key: Minted
  let frameIds: string[]

  before(async () => {
    const { db } = service()
    key = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    const rows = await db.rows<{ id: string }>(
      'select frame_id::text as id from frame order by hashint8extended(frame_id, 14) limit 2000',
      [],
    )
    frameIds = rows.map(({ id }) => id)
  })

  const insight = (ids: string[], question: string | undefined) =>
    insightOf({ url: service().url, secret: key.secret }, { frameIds: ids, question, format: 'figures' })

  it('are answered first by their own figure, and are new after each', async () => {
    const asked = fc.option(fc.constantFrom(...questions.map(([question]) => question)), { nil: undefined })
    const places = fc.uniqueArray(fc.nat(1999), { minLength: 1, maxLength: 12 })
    await fc.assert(
      fc.asyncProperty(places, asked, async (chosen, question) => {
        const ids = chosen.flatMap((place) => frameIds[place] ?? [])
        const { followUps } = await insight(ids, question)
        assert.equal(new Set(followUps).size, followUps.length)
        assert.ok(followUps.length > 0 && followUps.length <= 3)
        for (const next of followUps) {
          const answer = await insight(ids, next)
          const [facet] = answer.facets
          const wanted = STATISTICS.find(([words]) => words.test(next))?.[1] ?? []
          assert.ok(answer.headline.startsWith(`${facet?.label}: ${facet?.value}`), `${next} -> ${answer.headline}`)
          assert.ok(wanted.includes(answer.sources[0]?.statistic ?? ''), `${next} -> ${answer.sources[0]?.statistic}`)
          assert.notDeepEqual(answer.followUps, followUps)
          assert.ok(!answer.followUps.includes(next))
        }
      }),
      { numRuns: 30 },
    )
  })

  it('are of the subject of the question first', async () => {
    const [first = ''] = (await insight(frameIds.slice(0, 10), 'how many buildings are there')).followUps
    assert.match(first, /buildings/)
  })
})
