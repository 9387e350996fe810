/** npm run pictures: makes the pictures of docs/web-app.md anew, or those whose names are in PICTURES. */
import { mkdir, writeFile } from 'node:fs/promises'
import type { Page } from 'playwright-core'
import { projectFolder } from '../../src/core/db/statement.js'
import { signIn } from '../support/browse.js'
import { service, startService } from '../support/service.js'
import { rows } from '../web/visitors.js'
import { fillOrganisation } from '../web/filled.js'
import { pictures, type Picture } from './pictures.js'
import { openTab } from './tabs.js'

const FOLDER = new URL('docs/pictures/', projectFolder)
const SIZES = { desktop: { width: 1280, height: 800 }, phone: { width: 390, height: 800 } }
/** At this quality the names on a map stay readable, and twenty pictures take 1 MB. */
const QUALITY = 60

type Town = { id: string; lat: number; lon: number }
const MOST_PEOPLE = `select frame_id::text as id, ST_Y(ST_Centroid(geom)) as lat, ST_X(ST_Centroid(geom)) as lon
  from baseline join frame using (frame_id) where layer_id = 'lyr_population'
  order by plain_number(recorded ->> 'pop_demest26') desc limit 1`

const chosen = process.env['PICTURES']?.split(' ')

describe('the pictures of docs/web-app.md', function () {
  this.timeout(120_000)
  let running: Awaited<ReturnType<typeof startService>>
  let orgId: string
  let town: Town
  before(async () => {
    ;({ orgId } = await fillOrganisation(service().db))
    const [found] = await rows<Town>(MOST_PEOPLE)
    if (!found) throw new Error('The fixture has people.')
    town = found
    running = await startService(service().database, { publicUrl: 'listening' })
    await mkdir(FOLDER, { recursive: true })
  })
  after(() => running.stop())

  for (const picture of pictures.filter(({ name }) => chosen?.includes(name) ?? true))
    it(picture.name, async () => {
      const visitor = await signIn(running.url, service().db, { orgId })
      const tab = await openTab({
        visitor,
        drawsMaps: true,
        viewport: SIZES[picture.is ?? 'desktop'],
        deviceScaleFactor: 1,
        colorScheme: picture.scheme ?? 'light',
      })
      await show(tab.page, picture)
      await writeFile(new URL(`${picture.name}.webp`, FOLDER), await webp(tab.page))
      await tab.close(running.url)
    })

  async function show(page: Page, { path, lead }: Picture): Promise<void> {
    const at = path.replace('TOWN', town.id).replace('AT', `lat=${town.lat}&lon=${town.lon}`)
    await page.goto(`${running.url}/app${at}`)
    if (path.startsWith('/map')) await page.locator('.map-area[aria-busy="false"]').waitFor()
    if (path.includes('with=') && !path.includes('as=change'))
      await page.locator('#window-beside[aria-busy="false"]').waitFor()
    await lead?.(page)
  }
})

/** Playwright writes PNG and JPEG alone. */
async function webp(page: Page): Promise<Buffer> {
  const session = await page.context().newCDPSession(page)
  const { data } = await session.send('Page.captureScreenshot', { format: 'webp', quality: QUALITY })
  return Buffer.from(data, 'base64')
}
