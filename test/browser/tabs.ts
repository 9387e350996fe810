/** Opens pages in tabs of Chromium, as people see them. */
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Visitor } from '../support/browse.js'
import { observe, sharedChromium, type Observed } from '../support/chromium.js'

export type Tab = Observed & {
  page: Page
  /** Closes the tab. The pages complained of nothing, and asked one server only. */
  close: (server: string) => Promise<void>
}

/** Opens a tab in a browser without cookies but those of the visitor. */
export async function openTab({
  visitor,
  host = '127.0.0.1',
  ...options
}: BrowserContextOptions & { visitor?: Visitor; host?: string } = {}): Promise<Tab> {
  const chromium = await sharedChromium()
  const context = await chromium.newContext({ reducedMotion: 'reduce', ...options })
  const cookies = [...(visitor?.cookies ?? [])].map(([name, value]) => ({ name, value }))
  if (cookies.length > 0)
    await context.addCookies(cookies.map((cookie) => ({ ...cookie, domain: host, path: '/app', httpOnly: true })))
  const observed = await observe(context)
  const page = await context.newPage()
  page.setDefaultTimeout(20_000)
  const close = async (server: string) => {
    await context.close()
    assert.deepEqual(observed.complaints, [])
    for (const address of observed.asked)
      assert.ok(address.startsWith(`${server}/`) || address.startsWith('data:'), address)
  }
  return { ...observed, page, close }
}
