/** Measures how long a person waits for the map, from the click on the button of a sign-in link. */
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { launchChromium } from '../support/chromium.js'
import type { Machinery } from './contest.js'
import { atMost, told, type Row } from './report.js'
import { startService } from './servers.js'

/** Another checkout, given by --against, is measured in turn with this one. */
export async function firstViewRow({ folder }: Machinery, against: string | undefined): Promise<Row> {
  const times: number[] = []
  const others: number[] = []
  for (let round = 0; round < ROUNDS; round += 1) {
    times.push(await firstView(folder))
    if (against !== undefined) others.push(await firstView(folder, against))
  }
  const other = against === undefined ? [] : [told('the other checkout', median(others), ' ms')]
  return {
    key: 'map',
    title: 'first view of the map',
    findings: [atMost('from the click to the last tile', median(times), 2000, ' ms'), ...other],
  }
}

const ROUNDS = 5

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? NaN

/** Each round has a service and a browser of its own: neither has seen the map before. */
async function firstView(folder: string, project?: string): Promise<number> {
  const data = join(folder, project === undefined ? 'map' : 'map-of-other')
  const service = await startService({ DATA_DIR: data }, folder, project)
  const browser = await launchChromium()
  try {
    const [link = ''] = /http:\S+\/app\/link\S+/.exec(service.said()) ?? []
    const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
    await page.addInitScript(NOTE_WHOLE)
    await page.goto(link)
    // A person reads the page before the click.
    await sleep(READING_MS)
    const start = Date.now()
    await page.getByRole('main').getByRole('button', { name: 'Sign in' }).click({ noWaitAfter: true })
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    return Number(await page.evaluate('whole')) - start
  } finally {
    await browser.close()
    await service.stop()
  }
}

const READING_MS = 2000

/** Playwright looks for an element every half a second: the page itself notes the moment. */
const NOTE_WHOLE = `new MutationObserver(() => {
  globalThis.whole ??= document.querySelector('.map-area[aria-busy="false"]') ? Date.now() : undefined
}).observe(document, { subtree: true, childList: true, attributes: true })`
