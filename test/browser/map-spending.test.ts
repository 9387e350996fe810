import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { balanceOf, credit } from '../support/datasets.js'
import { signIn } from '../support/browse.js'
import { newOrganisation, service, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { signedIn } from '../web/visitors.js'
import { openTab } from './tabs.js'

describe('a dataset that costs, read beside the map', function () {
  this.timeout(60_000)

  it('leaves the map where it is, with the balance beside the button and the answer in its place', async () => {
    const orgId = await newOrganisation(service().db)
    await license(service().db.run, 'lyr_market', orgId, 2)
    await credit(service().db, orgId, 5)
    const visitor = await signedIn({ orgId, role: 'member' })
    const tab = await openTab({ visitor, drawsMaps: true })
    const { page } = tab
    await page.goto(`${service().url}/app/map?frame=322074005&question=how+many+shops+are+there`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    await page.getByText('The organisation has 5 credits.').waitFor()
    const before = page.url()
    await page.getByRole('button', { name: 'Read for 2 credits' }).click()
    await page.locator('.map-answer').getByText('Paid', { exact: true }).waitFor()
    assert.equal(page.url(), before)
    assert.equal(await page.evaluate('document.activeElement.id'), 'answer')
    assert.equal(await balanceOf(service().db, orgId), 3)
    assert.equal(await page.locator('#panel-title').textContent(), 'Frame 322074005')
    await tab.close(service().url)
  })

  it('is put into words that can be read, and each sentence leads to its figure without another question', async () => {
    const wording = await startWordingServer()
    const running = await startService(service().database, { publicUrl: 'listening', wordingUrl: wording.url })
    const visitor = await signIn(running.url, service().db, {
      orgId: await newOrganisation(service().db),
      role: 'member',
    })
    const tab = await openTab({ visitor, drawsMaps: true })
    const { page } = tab
    await page.goto(`${running.url}/app/map?frame=322074005&question=how+many+people`)
    await page.locator('.map-area[aria-busy="false"]').waitFor()
    await page.getByRole('button', { name: 'Put it into words' }).click()
    const sentence = page.locator('.map-answer .words a').first()
    await sentence.waitFor()
    assert.ok(((await sentence.boundingBox())?.width ?? 0) > 50)
    assert.match((await sentence.getAttribute('title')) ?? '', /10,782 people \(Population, 2026\)/)
    await sentence.click()
    await page.waitForURL(/#figure-\d+$/)
    assert.ok(await sentence.isVisible())
    await tab.close(running.url)
    await running.stop()
    await wording.close()
  })
})
