import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { ask, bearer, mint, newOrganisation, service } from '../support/service.js'
import { keyFields } from './pages.js'
import { signedIn } from './visitors.js'

const SECRET = /svc_sk_[0-9A-Za-z]{36}/

describe('keys in the web app', () => {
  let admin: Visitor
  before(async () => {
    const orgId = await newOrganisation(service().db)
    await signedIn({ orgId, role: 'owner' })
    admin = await signedIn({ orgId, role: 'admin', name: 'Ada' })
  })

  const statusWith = async (secret: string) =>
    (await ask(`${service().url}/v1/states`, { headers: bearer(secret) })).status
  const newKeyPage = async () => (await admin.get('/app/keys/new')).text
  const mintInApp = async (over: Record<string, string | readonly string[]> = {}) => {
    const form = keyFields(await newKeyPage(), over)
    const answer = await admin.post('/app/keys/new', form)
    return { ...answer, form, secret: SECRET.exec(answer.text)?.[0] ?? '' }
  }
  const stored = async (keyId: string) =>
    (
      await service().db.rows<{ capabilities: string[]; datasets: string[] | null; days: number; minter: string }>(
        `select capabilities, datasets, extract(epoch from expires_at - api_key.created_at)::float8 / 86400 as days,
           person.name as minter
         from api_key left join person on person.person_id = api_key.created_by where key_id = $1`,
        [keyId],
      )
    )[0]

  it('are minted with four decisions, and their first call works', async () => {
    const { status, secret, form } = await mintInApp()
    assert.equal(status, 200)
    assert.equal(await statusWith(secret), 200)
    const key = await stored(form.key)
    assert.deepEqual(key?.capabilities, [
      'frame.read',
      'locality.query',
      'layer.read',
      'project.read',
      'ask.query',
      'stats.read',
    ])
    assert.equal(key?.datasets, null)
    assert.equal(key?.days, 30)
    assert.equal(key?.minter, 'Ada')
    const list = (await admin.get('/app/keys')).text
    assert.match(list, /Ada, notebook/)
    assert.match(list, new RegExp(`…${secret.slice(-4)}`))
  })

  it('show the calls that each preset opens, and the datasets in reach with owner and price', async () => {
    const page = await newKeyPage()
    const [locality = '', analyst = ''] = page.split('value="analyst"')
    assert.match(page, /The same, and reads features: the points, lines and polygons of datasets\./)
    assert.match(page, /locality\.query, layer\.read, project\.read, stats\.read, dashboard\.read open nothing/)
    assert.match(locality, /GET \/v1\/frames\/at/)
    assert.doesNotMatch(locality, /POST \/v1\/frames\/insight/)
    assert.match(analyst, /POST \/v1\/frames\/insight/)
    const [inReach] = await service().db.rows<{ layer_id: string }>(
      'select layer_id from licence where org_id is null order by layer_id',
      [],
    )
    assert.match(page, new RegExp(`value="${inReach?.layer_id}"`))
  })

  it('are narrowed to the datasets that were ticked', async () => {
    const page = await newKeyPage()
    const offered = Array.from(page.matchAll(/name="dataset"\s+value="(\w+)"/g), ([, id = '']) => id)
    const { form } = await mintInApp({ reach: 'named', dataset: offered.slice(0, 2) })
    assert.deepEqual((await stored(form.key))?.datasets, offered.slice(0, 2))
    const shown = (await admin.get(`/app/keys/${form.key}`)).text
    for (const layerId of offered.slice(0, 2)) assert.match(shown, new RegExp(`<div>\\w[^<]* <code>${layerId}</code>`))
  })

  it('expire after 7 to 365 days, or at the end of a day', async () => {
    for (const days of ['7', '365']) {
      assert.equal((await stored((await mintInApp({ days })).form.key))?.days, Number(days))
    }
    const dayIn = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().slice(0, 10)
    const dated = (await stored((await mintInApp({ days: 'date', until: dayIn(40) })).form.key))?.days ?? 0
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
      answers.map(({ status }) => status).toSorted((a, b) => a - b),
      [200, 409],
    )
  })

  it('are rolled with the same rights: both pass during the grace, then one', async () => {
    const { form, secret } = await mintInApp({ preset: 'locality' })
    const page = (await admin.get(`/app/keys/${form.key}`)).text
    const next = keyFields(page, { grace: '24h', days: '180' })
    assert.match(page, /Last used:\s+not counted yet\.\s+Counts are at\s+most 15 seconds old/)
    assert.match(page, /30 days <span class="quiet">[\d-]+, as this key|value="30"\s+checked/)
    const rolled = await admin.post(`/app/keys/${form.key}/roll`, next)
    const inGrace = (await admin.get(`/app/keys/${form.key}`)).text
    assert.match(inGrace, /Rolled the key: it ends at \d/)
    assert.doesNotMatch(inGrace, /Revoked the key at/)
    const newSecret = SECRET.exec(rolled.text)?.[0] ?? ''
    assert.equal(await statusWith(secret), 200)
    assert.equal(await statusWith(newSecret), 200)
    assert.deepEqual((await stored(next.key))?.capabilities, (await stored(form.key))?.capabilities)
    const [old] = await service().db.rows<{ hours: number }>(
      `select extract(epoch from revoked_at - clock_timestamp())::float8 / 3600 as hours from api_key where key_id = $1`,
      [form.key],
    )
    assert.ok((old?.hours ?? 0) > 23.9 && (old?.hours ?? 0) <= 24)
    // The grace passes.
    await service().db.rows(`update api_key set revoked_at = clock_timestamp() where key_id = $1`, [form.key])
    assert.equal(await statusWith(secret), 401)
    assert.equal(await statusWith(newSecret), 200)
  })

  it('are rolled once, and end at once where the form says so', async () => {
    const { form, secret } = await mintInApp()
    const page = (await admin.get(`/app/keys/${form.key}`)).text
    const rolled = await admin.post(`/app/keys/${form.key}/roll`, keyFields(page, { grace: 'now' }))
    assert.equal(rolled.status, 200)
    assert.equal(await statusWith(secret), 401)
    // The same form, and another.
    for (const fields of [page, await newKeyPage()]) {
      const again = await admin.post(`/app/keys/${form.key}/roll`, keyFields(fields, { grace: 'now' }))
      assert.equal(again.status, 409)
      assert.doesNotMatch(again.text, SECRET)
    }
    assert.equal((await admin.post(`/app/keys/${form.key}/roll`, keyFields(page, { grace: '8d' }))).status, 422)
  })

  it('are refused by the API as soon as they are revoked', async () => {
    const { form, secret } = await mintInApp()
    assert.match((await admin.get(`/app/keys/${form.key}`)).text, /Revoke it now/)
    const answer = await admin.post(`/app/keys/${form.key}/revoke`)
    assert.equal(answer.headers.location, '/app/keys')
    assert.equal(await statusWith(secret), 401)
    assert.equal((await admin.post(`/app/keys/${form.key}/revoke`)).status, 303)
  })

  it('have pages whose address may end in a slash, which leads on within the app', async () => {
    const leadsTo = async (path: string) => {
      const { status, headers } = await admin.get(path)
      return `${status} ${headers.location ?? ''}`
    }
    assert.equal(await leadsTo('/app/keys/'), '308 /app/keys')
    assert.equal(await leadsTo('/app/usage/?period=7d&x=/'), '308 /app/usage?period=7d&x=/')
    for (const path of ['/app//evil.example/', '/app/..//evil.example/', '/app/keys//', '/app/\\evil.example/'])
      assert.equal(await leadsTo(path), '404 ', path)
    assert.equal((await admin.post('/app/keys/new/')).status, 404)
  })

  it('of another organisation are not there', async () => {
    const { keyId, secret } = await mint(service().db)
    assert.equal((await admin.get(`/app/keys/${keyId}`)).status, 404)
    assert.equal((await admin.post(`/app/keys/${keyId}/revoke`)).status, 404)
    assert.equal(
      (await admin.post(`/app/keys/${keyId}/roll`, keyFields(await newKeyPage(), { grace: 'now' }))).status,
      404,
    )
    assert.equal((await admin.post('/app/keys/new', keyFields('', { key: keyId }))).status, 409)
    assert.equal(await statusWith(secret), 200)
    assert.doesNotMatch((await admin.get('/app/events')).text, new RegExp(keyId))
  })

  it('leave an event of each change, with the person and the address', async () => {
    const { form } = await mintInApp({ name: '=HYPERLINK("http://example.org")' })
    await admin.post(`/app/keys/${form.key}/revoke`)
    const page = (await admin.get(`/app/keys/${form.key}`)).text
    assert.match(page, /Minted the key, valid until/)
    assert.match(page, /Revoked the key at/)
    assert.doesNotMatch(page, /it ends at/)
    assert.match(page, /127\.0\.0\.1/)
    const csv = (await admin.get('/app/events.csv')).text
    const line = csv.split('\r\n').find((each) => each.includes(form.key) && each.includes('minted')) ?? ''
    assert.match(line, /,Ada,minted,key_\w{12},"'=HYPERLINK/)
  })
})
