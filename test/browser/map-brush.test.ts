import assert from 'node:assert/strict'
import type { Page } from 'playwright-core'
import { newOrganisation, service } from '../support/service.js'
import { rows, signedIn } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

describe('the histogram of the legend', function () {
  this.timeout(120_000)
  let tab: Tab
  let page: Page
  before(async () => {
    const visitor = await signedIn({ orgId: await newOrganisation(service().db), role: 'member' })
    tab = await openTab({ visitor, drawsMaps: true, viewport: { width: 1280, height: 700 } })
    page = tab.page
    await page.goto(`${service().url}/app/map?dataset=lyr_population&attribute=pop_demest26`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
  })
  after(() => tab.close(service().url))

  const queryNow = () => new URL(page.url()).searchParams
  /** What SQL says of the frames that the address keeps. */
  const inside = async () => {
    const [found] = await rows<{ frames: number; people: number }>(
      `select count(*)::int as frames, sum(people)::float8 as people
       from (select plain_number(recorded ->> 'pop_demest26') as people from baseline where layer_id = 'lyr_population') as known
       where people >= $1::numeric and people <= $2::numeric`,
      queryNow().get('from') ?? '0',
      queryNow().get('to') ?? '1000000',
    )
    return { frames: found?.frames.toLocaleString('en') ?? '', people: found?.people.toLocaleString('en') ?? '' }
  }
  const status = () => page.locator('.brush [role=status]')

  it('is brushed with the mouse: the rest goes dim, and the count, the total and the share are those of SQL', async () => {
    const box = await page.locator('.brush .histogram').boundingBox()
    assert.ok(box)
    const y = box.y + box.height / 2
    await page.mouse.move(box.x + box.width * 0.4, y)
    await page.mouse.down()
    await page.mouse.move(box.x + box.width * 0.7, y, { steps: 4 })
    assert.ok((await page.locator('.histogram .is-out').count()) > 2)
    assert.match((await status().textContent()) ?? '', /^[\d,]+ of [\d,]+ frames with a value$/)
    await page.mouse.up()
    await page.waitForURL((url) => url.searchParams.has('from') && url.searchParams.has('to'))
    const { frames, people } = await inside()
    await page.locator('.brush [role=status]', { hasText: `${frames} frames (` }).waitFor()
    assert.match(
      (await status().textContent()) ?? '',
      new RegExp(`${frames} frames \\(\\d+ %\\), ${people} people \\(\\d+ %\\)\\.`),
    )
  })

  it('is brushed with the keyboard, and typed', async () => {
    await page.getByRole('slider', { name: 'From, by bars' }).focus()
    const before = queryNow().get('from')
    await page.keyboard.press('ArrowRight')
    await page.waitForURL((url) => url.searchParams.get('from') !== before)
    await page.getByRole('textbox', { name: 'To', exact: true }).fill('1000')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('to') === '1000')
    await page.locator('.brush [role=status]', { hasText: `${(await inside()).frames} frames (` }).waitFor()
  })

  it('takes a number as the legend writes it, by one request, and takes the other end along', async () => {
    tab.asked.splice(0)
    const from = page.getByRole('textbox', { name: 'From', exact: true })
    await from.fill('1,025')
    await page.keyboard.press('Enter')
    await page.waitForURL((url) => url.searchParams.get('from') === '1025' && url.searchParams.get('to') === '1025')
    await page.locator('.brush [role=status]', { hasText: /^0 frames/ }).waitFor()
    assert.equal(tab.asked.filter((address) => address.includes('part=panel')).length, 1)
  })

  it('has ends as people write them, and its knobs follow what is typed', async () => {
    await page.goto(`${service().url}/app/map?dataset=lyr_terrain&attribute=phy_elevmean&z=9.5&lat=0&lon=0.2`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    const lows = (await page.locator('#legend .brush').getAttribute('data-lows')) ?? ''
    for (const low of lows.split(' ')) assert.match(low, /^\d+(\.\d{1,2})?$/)
    const knob = page.getByRole('slider', { name: 'From, by bars' })
    assert.equal(await knob.inputValue(), '0')
    await page.getByRole('textbox', { name: 'From', exact: true }).pressSequentially('500')
    assert.ok(Number(await knob.inputValue()) > 5)
  })

  it('a class of the legend filters to its frames', async () => {
    const { path, text } = await page
      .locator('#legend .classes:not([hidden]) .swatch a')
      .nth(2)
      .evaluate((link) => ({ path: (link as HTMLAnchorElement).href, text: link.textContent ?? '' }))
    const wanted = new URL(path).searchParams
    assert.equal(text, `${wanted.get('from')}–${wanted.get('to')}`)
    await page.locator('#legend .swatch a', { hasText: text }).click()
    await page.waitForURL((url) => url.searchParams.get('from') === wanted.get('from'))
    await page.goto(`${service().url}/app/map?dataset=lyr_population&attribute=pop_demest26&from=100&to=1000`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
  })

  it('goes along: a question, a file and the statements are about what lies inside', async () => {
    const { frames, people } = await inside()
    await page.getByRole('searchbox', { name: 'Ask about the whole index, filtered, or find' }).fill('how many people')
    await page.keyboard.press('Enter')
    await page.locator('#asked .lead', { hasText: `${people} people` }).waitFor()
    await page.locator('#panel').getByRole('link', { name: 'Show the SQL' }).last().click()
    await page.getByRole('dialog').getByText('"atMost":"1000"').first().waitFor()
    await page.keyboard.press('Escape')
    await page.locator('#panel').getByRole('link', { name: 'Take along' }).click()
    await page
      .getByRole('dialog')
      .getByRole('heading', { name: `Take along: download ${frames} frames` })
      .waitFor()
    await page.keyboard.press('Escape')
    await page.locator('.brush').getByRole('link', { name: 'All frames' }).click()
    await page.waitForURL((url) => !url.searchParams.has('from') && !url.searchParams.has('to'))
    assert.equal(await page.locator('.histogram .is-out').count(), 0)
  })
})
