/** Waits for the page about health. */
import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Visitor } from '../support/browse.js'

/** The page once no check is under way. */
export async function settledPage(visitor: Visitor): Promise<string> {
  for (;;) {
    const { status, text } = await visitor.get('/app/health')
    assert.equal(status, 200, text)
    if (!text.includes('Look again')) return text
    await sleep(200)
  }
}
