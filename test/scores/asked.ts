/** Asks the service under test as the demo organisation does, with credits for every dataset. */
import type { Database } from '../../src/db/connect.js'
import { findOrganisation } from '../../src/access/organisations.js'
import { credit } from '../support/datasets.js'
import { newDatabase } from '../support/database.js'
import { mint, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { insightOf, type Insight } from '../insight/ask.js'

export type AskInsight = (frameIds: readonly string[], question: string | undefined) => Promise<Insight>
/** The body of a call. */
export type InsightBody = { frameIds: readonly string[]; question?: string; format?: 'report' }
/** Returns the words of an answer whose model writes this template, and how often the service asked the model. */
export type AskWords = (body: InsightBody, template: string) => Promise<{ answer: Insight; attempts: number }>

const CREDITS = 10_000_000

type DemoService = { insight: AskInsight; words: AskWords; db: Database; stop: () => Promise<void> }

/** Starts a service on a copy of the fixture, with a played model. */
export async function demoService(): Promise<DemoService> {
  const database = await newDatabase('datasets')
  const wording = await startWordingServer()
  const service = await startService(database, { wordingUrl: wording.url })
  const { orgId } = await findOrganisation(database.db.run, 'demo')
  await credit(database.db, orgId, CREDITS)
  const { secret } = await mint(database.db, { org: orgId })
  const request = { url: service.url, secret }
  return {
    db: database.db,
    insight: (frameIds, question) =>
      insightOf(request, { frameIds, ...(question === undefined ? {} : { question }), format: 'figures' }),
    words: async (body, text) => {
      wording.behave({ text })
      wording.requests.length = 0
      const answer = await insightOf(request, body)
      return { answer, attempts: wording.requests.length }
    },
    stop: async () => {
      await service.stop()
      await wording.close()
      await database.drop()
    },
  }
}
