import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { keyFields } from './pages.js'
import { rows, signedIn } from './visitors.js'

const UNREAD = /reads nothing of Schools:\s+it holds\s+features/

describe('the pages of a key warn', () => {
  let admin: Visitor
  before(async () => {
    admin = await signedIn({ orgId: await newOrganisation(service().db), role: 'admin' })
  })

  const mintWith = async (over: Record<string, string | readonly string[]>) => {
    const page = (await admin.get('/app/keys/new')).text
    const form = keyFields(page, { reach: 'named', ...over })
    const minted = await admin.post('/app/keys/new', form)
    return { page, minted, shown: (await admin.get(`/app/keys/${form.key}`)).text, form }
  }

  it('of a dataset of features that the scope does not open', async () => {
    const { page, minted, shown } = await mintWith({ dataset: ['lyr_schools', 'lyr_population'] })
    assert.match(page, /class="notice warn features-note"/)
    assert.match(page, /value="lyr_schools"\s+data-features/)
    assert.doesNotMatch(page, /value="lyr_population"\s+data-features/)
    assert.match(minted.text, UNREAD)
    assert.match(shown, UNREAD)
    for (const over of [{ preset: 'full-read', dataset: ['lyr_schools'] }, { dataset: ['lyr_population'] }]) {
      const other = await mintWith(over)
      assert.equal(other.minted.status, 200)
      assert.doesNotMatch(other.minted.text + other.shown, /reads nothing of/)
    }
  })

  it('of refused fields: in the title, in a summary with links, and by the focus', async () => {
    const { minted } = await mintWith({ dataset: [] })
    assert.equal(minted.status, 422)
    assert.match(minted.text, /<title>Error: New key/)
    assert.match(minted.text, /<div class="notice bad" role="alert">[^]*<a href="#datasets">Choose at least one/)
    assert.match(minted.text, /name="dataset"[^>]*autofocus/)
    const unnamed = (await mintWith({ name: ' ', dataset: ['lyr_population'] })).minted.text
    assert.match(unnamed, /<a href="#name">/)
    assert.match(unnamed, /<input[^>]*id="name"[^>]*autofocus/)
  })

  it('that it is not known when a key was used whose counts were lost', async () => {
    const { form } = await mintWith({ dataset: ['lyr_population'] })
    const lastUse = async () => /Last used: ([^.]*)\./.exec((await admin.get(`/app/keys/${form.key}`)).text)?.[1]
    assert.equal(await lastUse(), 'not counted yet')
    await rows(`alter table api_key disable trigger user`)
    await rows(`update api_key set created_at = created_at - interval '1 hour' where key_id = $1::text`, form.key)
    await rows(`alter table api_key enable trigger user`)
    assert.equal(await lastUse(), 'never')
    await rows(
      `insert into credit_entry (org_id, request_id, kind, credits)
       select org_id, 'req_top_up', 'top_up', 1 from api_key where key_id = $1::text`,
      form.key,
    )
    await rows(
      `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits)
       select org_id, 'req_lost', 'worded', '', key_id, -1 from api_key where key_id = $1::text`,
      form.key,
    )
    assert.equal(await lastUse(), 'unknown: the counts were lost')
  })
})
