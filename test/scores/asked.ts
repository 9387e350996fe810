/** Asks the service under test as the demo organisation does, with credits for every dataset. */
import type { Database } from '../../src/core/db/connect.js'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { credit } from '../support/datasets.js'
import { newDatabase } from '../support/database.js'
import { mint, startService } from '../support/service.js'
import { insightOf, type Insight } from '../insight/ask.js'

export type AskInsight = (frameIds: readonly string[], question: string | undefined) => Promise<Insight>

const CREDITS = 10_000_000

type DemoService = { insight: AskInsight; db: Database; stop: () => Promise<void> }

/** Starts a service on a copy of the fixture. */
export async function demoService(): Promise<DemoService> {
  const database = await newDatabase('datasets')
  const service = await startService(database)
  const { orgId } = await findOrganisation(database.db.run, 'demo')
  await credit(database.db, orgId, CREDITS)
  const { secret } = await mint(database.db, { org: orgId })
  const request = { url: service.url, secret }
  return {
    db: database.db,
    insight: (frameIds, question) =>
      insightOf(request, { frameIds, ...(question === undefined ? {} : { question }), format: 'figures' }),
    stop: async () => {
      await service.stop()
      await database.drop()
    },
  }
}
