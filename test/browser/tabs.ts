/** Opens pages in tabs of Chromium or Firefox, as people see them. */
import assert from 'node:assert/strict'
import type { BrowserContextOptions, Page } from 'playwright-core'
import type { Visitor } from '../support/browse.js'
import { observe, sharedChromium, type Observed } from '../support/chromium.js'
import { sharedFirefox } from '../support/firefox.js'

export type Tab = Observed & {
  page: Page
  /** Closes the tab. The pages complained of nothing, and asked one server only. */
  close: (server: string) => Promise<void>
}

const BROWSERS = { Chromium: sharedChromium, Firefox: sharedFirefox }
export type BrowserName = keyof typeof BROWSERS
export const browserNames = Object.keys(BROWSERS) as BrowserName[]

type Options = BrowserContextOptions & {
  browser?: BrowserName
  visitor?: Visitor
  host?: string
  /** The processor draws maps, which takes seconds: a tab draws none, as without WebGL, unless this is set. */
  drawsMaps?: boolean
}

export const WITHOUT_MAPS = 'HTMLCanvasElement.prototype.getContext = () => null'

export const cookiesOf = (visitor: Visitor | undefined, host: string) =>
  [...(visitor?.cookies ?? [])].map(([name, value]) => ({ name, value, domain: host, path: '/app', httpOnly: true }))

/** Opens a tab in a browser without cookies but those of the visitor. A low window of large pixels takes less to draw. */
export async function openTab({
  browser = 'Chromium',
  visitor,
  host = '127.0.0.1',
  drawsMaps = false,
  ...options
}: Options = {}): Promise<Tab> {
  const started = await BROWSERS[browser]()
  const viewport = { width: 920, height: 400 }
  const context = await started.newContext({ reducedMotion: 'reduce', viewport, deviceScaleFactor: 0.5, ...options })
  await context.addCookies(cookiesOf(visitor, host))
  if (!drawsMaps) await context.addInitScript(WITHOUT_MAPS)
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
