import assert from 'node:assert/strict'
import { enterMember } from '../support/people.js'
import { newOrganisation, service } from '../support/service.js'
import { linkFor, rows } from '../web/visitors.js'
import { openTab, type Tab } from './tabs.js'

const NAME = 'Survey of "wells" & <ponds>'

describe('a form whose session has ended', function () {
  this.timeout(120_000)
  let orgId: string
  let tab: Tab
  before(async () => {
    orgId = await newOrganisation(service().db)
    tab = await openTab()
  })
  after(async () => {
    // The browser complains of the page that says that nobody is signed in.
    tab.complaints.splice(0, 2)
    await tab.close(service().url)
  })

  const signIn = async (personId: string, name: string) => {
    const token = await linkFor({ orgId, role: 'admin', personId, name })
    await tab.page.goto(`${service().url}/app/link?t=${token}`)
    await tab.page.click('main form button')
  }
  /** Types into the form of a new key, and sends it after the session has ended. */
  const typeInVain = async () => {
    await tab.page.goto(`${service().url}/app/keys/new`)
    await tab.page.fill('#name', NAME)
    await tab.page.check('input[name="preset"][value="analyst"]')
    await rows('delete from session where org_id = $1::text', orgId)
    await tab.page.click('main form[method="post"] button')
    await tab.page.waitForSelector('body.signed-out')
  }
  const kept = () => tab.page.evaluate<string | null>(`sessionStorage.getItem('typed')`)

  it('stands filled for the person who signs in again, and is not sent', async () => {
    const ada = await enterMember(service().db, { orgId, role: 'admin', name: 'Ada' })
    await signIn(ada, 'Ada')
    await typeInVain()
    assert.doesNotMatch(String(await kept()), /key_/)
    await signIn(ada, 'Ada')
    await tab.page.waitForURL('**/app/keys/new')
    assert.equal(await tab.page.inputValue('#name'), NAME)
    assert.equal(await tab.page.isChecked('input[name="preset"][value="analyst"]'), true)
    assert.match(String(await tab.page.textContent('main form')), /What you typed is here again, and was not sent/)
    assert.deepEqual(await rows('select from api_key where org_id = $1::text', orgId), [])
    assert.equal(await kept(), null)
    // It is there once.
    await tab.page.goto(`${service().url}/app/keys/new`)
    assert.equal(await tab.page.inputValue('#name'), '')
  })

  it('tells another person who signs in nothing', async () => {
    const [eve, bob] = [
      await enterMember(service().db, { orgId, role: 'admin', name: 'Eve' }),
      await enterMember(service().db, { orgId, role: 'admin', name: 'Bob' }),
    ]
    await signIn(eve, 'Eve')
    await typeInVain()
    await signIn(bob, 'Bob')
    await tab.page.waitForURL('**/app/keys/new')
    assert.equal(await tab.page.inputValue('#name'), '')
    assert.equal(await kept(), null)
  })
})
