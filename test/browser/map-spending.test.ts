import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { balanceOf, credit } from '../support/datasets.js'
import { newOrganisation, service } from '../support/service.js'
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
})
