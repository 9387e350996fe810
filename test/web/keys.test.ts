import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { ask, bearer, mint, service } from '../support/service.js'
import { organisation, type Organisation } from './organisation.js'
import { keyFields } from './pages.js'
import { rows } from './visitors.js'

const SECRET = /svc_sk_[0-9A-Za-z]{36}/
type Fields = Record<string, string | readonly string[]>

describe('keys in the web app', () => {
  let org: Organisation
  let admin: Visitor
  before(async () => {
    org = await organisation()
    await org.add('Olu', 'owner')
    admin = await org.enter('Ada', 'admin')
  })

  const statusWith = async (secret: string) =>
    (await ask(`${service().url}/v1/states`, { headers: bearer(secret) })).status
  const newKeyPage = async () => (await admin.get('/app/keys/new')).text
  const pageOf = async (keyId: string) => (await admin.get(`/app/keys/${keyId}`)).text
  const roll = (keyId: string, page: string, over: Fields) =>
    admin.post(`/app/keys/${keyId}/roll`, keyFields(page, over))
  const mintInApp = async (over: Fields = {}) => {
    const form = keyFields(await newKeyPage(), over)
    const answer = await admin.post('/app/keys/new', form)
    return { ...answer, form, keyId: form.key, secret: SECRET.exec(answer.text)?.[0] ?? '' }
  }
  const stored = async (keyId: string) =>
    (
      await rows<{ capabilities: string[]; datasets: string[] | null; days: number; ends: number; minter: string }>(
        `select capabilities, datasets, extract(epoch from expires_at - api_key.created_at)::float8 / 86400 as days,
           extract(epoch from revoked_at - clock_timestamp())::float8 / 3600 as ends, person.name as minter
         from api_key left join person on person.person_id = api_key.created_by where key_id = $1`,
        keyId,
      )
    )[0]

  it('are minted with four decisions, and their first call works', async () => {
    const { status, secret, keyId } = await mintInApp()
    assert.deepEqual([status, await statusWith(secret)], [200, 200])
    assert.deepEqual(await stored(keyId), {
      capabilities: ['frame.read', 'locality.query', 'layer.read', 'project.read', 'ask.query', 'stats.read'],
      datasets: null,
      days: 30,
      ends: null,
      minter: 'Ada',
    })
    const list = (await admin.get('/app/keys')).text
    assert.match(list, /Ada, notebook/)
    assert.match(list, new RegExp(`…${secret.slice(-4)}`))
  })

  it('are narrowed to the datasets that were ticked', async () => {
    const offered = Array.from((await newKeyPage()).matchAll(/name="dataset"\s+value="(\w+)"/g), ([, id = '']) => id)
    const ticked = offered.slice(0, 2)
    const { keyId } = await mintInApp({ reach: 'named', dataset: ticked })
    assert.deepEqual((await stored(keyId))?.datasets, ticked)
    for (const layerId of ticked) assert.match(await pageOf(keyId), new RegExp(`<div>\\w[^<]* <code>${layerId}</code>`))
  })

  it('warn of a dataset of features that the scope does not open', async () => {
    const unread = /reads nothing of Schools:\s+it holds\s+features/
    const { text, keyId } = await mintInApp({ reach: 'named', dataset: ['lyr_schools', 'lyr_population'] })
    for (const each of [text, await pageOf(keyId)]) assert.match(each, unread)
    for (const over of [{ preset: 'full-read', dataset: ['lyr_schools'] }, { dataset: ['lyr_population'] }]) {
      const other = await mintInApp({ reach: 'named', ...over })
      assert.equal(other.status, 200)
      assert.doesNotMatch(other.text + (await pageOf(other.keyId)), /reads nothing of/)
    }
  })

  it('expire after 7 to 365 days, or at the end of a day', async () => {
    for (const days of ['7', '365']) assert.equal((await stored((await mintInApp({ days })).keyId))?.days, Number(days))
    const until = new Date(Date.now() + 40 * 86_400_000).toISOString().slice(0, 10)
    const dated = (await stored((await mintInApp({ days: 'date', until })).keyId))?.days ?? 0
    assert.ok(dated > 40 && dated <= 41, String(dated))
  })

  it('are minted once by one form: a reload shows no secret', async () => {
    const { form, secret } = await mintInApp()
    const again = await admin.post('/app/keys/new', form)
    assert.equal(again.status, 409)
    assert.match(again.text, /minted already/)
    assert.match(again.text, new RegExp(`href="/app/keys/${form.key}"`))
    assert.doesNotMatch(again.text, SECRET)
    assert.equal(await statusWith(secret), 200)
    const both = keyFields(await newKeyPage())
    const answers = await Promise.all([admin.post('/app/keys/new', both), admin.post('/app/keys/new', both)])
    assert.deepEqual(
      answers.map(({ status }) => status).toSorted((one, other) => one - other),
      [200, 409],
    )
  })

  it('are rolled with the same rights: both pass during the grace, then one', async () => {
    const { keyId, secret } = await mintInApp({ preset: 'locality' })
    const page = await pageOf(keyId)
    assert.match(page, /Last used:\s+not counted yet\.\s+Counts are at\s+most 15 seconds old/)
    assert.match(page, /30 days <span class="quiet">[\d-]+, as this key|value="30"\s+checked/)
    const rolled = await roll(keyId, page, { grace: '24h', days: '180' })
    const inGrace = await pageOf(keyId)
    assert.match(inGrace, /Rolled the key: it ends at \d/)
    assert.doesNotMatch(inGrace, /Revoked the key at/)
    const newSecret = SECRET.exec(rolled.text)?.[0] ?? ''
    assert.deepEqual([await statusWith(secret), await statusWith(newSecret)], [200, 200])
    const [old, next] = [await stored(keyId), await stored(keyFields(page).key)]
    assert.deepEqual(next?.capabilities, old?.capabilities)
    assert.ok(old && old.ends > 23.9 && old.ends <= 24, String(old?.ends))
    // The grace passes.
    await rows(`update api_key set revoked_at = clock_timestamp() where key_id = $1`, keyId)
    assert.deepEqual([await statusWith(secret), await statusWith(newSecret)], [401, 200])
  })

  it('are rolled once, and end at once where the form says so', async () => {
    const { keyId, secret } = await mintInApp()
    const page = await pageOf(keyId)
    assert.equal((await roll(keyId, page, { grace: 'now' })).status, 200)
    assert.equal(await statusWith(secret), 401)
    // The same form, and another.
    for (const fields of [page, await newKeyPage()]) {
      const again = await roll(keyId, fields, { grace: 'now' })
      assert.equal(again.status, 409)
      assert.doesNotMatch(again.text, SECRET)
    }
    assert.equal((await roll(keyId, page, { grace: '8d' })).status, 422)
  })

  it('are refused by the API as soon as they are revoked', async () => {
    const { keyId, secret } = await mintInApp()
    assert.match(await pageOf(keyId), /Revoke it now/)
    assert.equal((await admin.post(`/app/keys/${keyId}/revoke`)).headers.location, '/app/keys')
    assert.equal(await statusWith(secret), 401)
    assert.equal((await admin.post(`/app/keys/${keyId}/revoke`)).status, 303)
  })

  it('of another organisation are not there for a form that is right but for the key', async () => {
    const { keyId, secret } = await mint(service().db)
    assert.equal((await roll(keyId, await newKeyPage(), { grace: 'now' })).status, 404)
    assert.equal((await admin.post(`/app/keys/${keyId}/revoke`)).status, 404)
    assert.equal((await admin.post('/app/keys/new', keyFields('', { key: keyId }))).status, 409)
    assert.equal(await statusWith(secret), 200)
    assert.doesNotMatch((await admin.get('/app/events')).text, new RegExp(keyId))
  })

  it('leave an event of each change, with the person and the address', async () => {
    const { keyId } = await mintInApp({ name: '=HYPERLINK("http://example.org")' })
    await admin.post(`/app/keys/${keyId}/revoke`)
    const page = await pageOf(keyId)
    for (const said of [/Minted the key, valid until/, /Revoked the key at/, /127\.0\.0\.1/]) assert.match(page, said)
    assert.doesNotMatch(page, /it ends at/)
    const csv = (await admin.get('/app/events.csv')).text
    const line = csv.split('\r\n').find((each) => each.includes(keyId) && each.includes('minted')) ?? ''
    assert.match(line, /,Ada,minted,key_\w{12},"'=HYPERLINK/)
  })

  it('say when they were used last, also that it is not known whose counts were lost', async () => {
    const { keyId } = await mintInApp()
    const lastUse = async () => /Last used: ([^.]*)\./.exec(await pageOf(keyId))?.[1]
    assert.equal(await lastUse(), 'not counted yet')
    await rows(`alter table api_key disable trigger user`)
    await rows(`update api_key set created_at = created_at - interval '1 hour' where key_id = $1::text`, keyId)
    await rows(`alter table api_key enable trigger user`)
    assert.equal(await lastUse(), 'never')
    await org.rows(
      `insert into credit_entry (org_id, request_id, kind, ref, key_id, credits)
       values ($1::text, 'req_top_up', 'top_up', '', null, 1), ($1::text, 'req_lost', 'worded', '', $2::text, -1)`,
      keyId,
    )
    assert.equal(await lastUse(), 'unknown: the counts were lost')
  })
})
