/** Tests the third bucket: an organisation shares it among its keys, and only questions spend from it. */
import assert from 'node:assert/strict'
import type { BucketSizes } from '../../src/core/limits/buckets.js'
import { ids } from '../support/datasets.js'
import {
  ask,
  bearer,
  errorOf,
  mint,
  newOrganisation,
  service,
  startService,
  type Answer,
  type Minted,
  type Service,
} from '../support/service.js'
import { postInsight } from './ask.js'

const roomy = { burst: 9000, perMinute: 9000 }

async function withBuckets(buckets: BucketSizes, run: (metered: Service) => Promise<void>): Promise<void> {
  const metered = await startService(service().database, { buckets })
  try {
    await run(metered)
  } finally {
    await metered.stop()
  }
}

describe('the insight bucket', () => {
  const post = ({ url }: Service, { secret }: Minted) => postInsight({ url, secret }, { frameIds: [ids[0]] })

  it('is a third bucket, shared by the organisation', async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    const [one, other] = [await mint(db, { org }), await mint(db, { org })]
    const insight = { burst: 6, perMinute: 1 }
    await withBuckets({ key: roomy, organisation: roomy, insight }, async (metered) => {
      const answers = []
      for (let i = 0; i < 8; i += 1) answers.push(await post(metered, i % 2 ? other : one))
      assert.deepEqual(
        answers.map(({ status }) => status),
        [200, 200, 200, 200, 200, 200, 429, 429],
      )
      assert.equal(answers[0]?.headers.get('ratelimit'), '"insight";r=5;t=60')
      assert.match(errorOf(answers[7] as Answer).message, /^The insight bucket is spent/)
      const reading = await ask(`${metered.url}/v1/states`, { headers: bearer(other.secret) })
      assert.equal(reading.status, 200)
    })
  })

  it('is not spent by a key that may not ask: its 403s lock no colleague out', async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    const locality = await mint(db, { org, preset: 'locality' })
    const analyst = await mint(db, { org, preset: 'analyst' })
    const buckets = { key: { burst: 7, perMinute: 1 }, organisation: roomy, insight: { burst: 6, perMinute: 1 } }
    await withBuckets(buckets, async (metered) => {
      const statuses = async (key: Minted, times: number) => {
        const received = []
        for (let i = 0; i < times; i += 1) received.push((await post(metered, key)).status)
        return received
      }
      assert.deepEqual(await statuses(locality, 6), [403, 403, 403, 403, 403, 403])
      assert.deepEqual(await statuses(analyst, 7), [200, 200, 200, 200, 200, 200, 429])
      // The other buckets are still asked before the capability.
      assert.deepEqual(await statuses(locality, 2), [403, 429])
    })
  })
})
