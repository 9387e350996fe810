import assert from 'node:assert/strict'
import { license } from '../../src/core/access/licences.js'
import { send } from '../calls/call-rows.js'
import { describeInterface } from '../../src/api/routes/docs.js'
import {
  description,
  examplesOf,
  operations,
  queryParameters,
  wrongCallsOf,
  type Operation,
} from '../support/description.js'
import { credit } from '../support/datasets.js'
import { freePort } from '../support/postgres-server.js'
import {
  ask,
  bearer,
  errorOf,
  mint,
  newOrganisation,
  request,
  service,
  startService,
  type Answer,
} from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'

const JSON_TYPE = { 'content-type': 'application/json' }

/** Makes the query string of the example of this name. */
function queryOf({ parameters = [] }: Operation, name: string): string {
  const sent = parameters.flatMap((parameter) => {
    const example = parameter.examples?.[name]
    return example ? [`${parameter.name}=${encodeURIComponent(String(example.value))}`] : []
  })
  return sent.length > 0 ? `?${sent.join('&')}` : ''
}

const size = { burst: 900_000, perMinute: 900_000 }
const drop = { burst: 1, perMinute: 1 }
const byText = (one: string, other: string) => one.localeCompare(other)

/** An answer shows its first cite, whose date and versions are those of the database. */
function withFirstCite(value: unknown): unknown {
  const { data } = value as { data?: { sources?: { cite?: string }[] } }
  if (!data?.sources) return value
  const sources = data.sources.map(({ cite = '', ...source }, i) =>
    i > 0 ? source : { ...source, cite: cite.replaceAll(/\d{8}T\d{12}Z|\d{4}-\d\d-\d\d/g, 'then') },
  )
  return { ...(value as object), data: { ...data, sources } }
}

/** Ids of organisations are drawn anew with each database. */
const withoutOrgs = (value: unknown) =>
  JSON.parse(JSON.stringify(withFirstCite(value)).replaceAll(/org_\w{12}/g, 'org')) as unknown

describe('an example of the description', () => {
  it('is there for every parameter: the tests that miss no call send the examples', () => {
    const without = operations.flatMap(({ path, operation }) =>
      queryParameters(operation).flatMap(({ name, examples }) => (examples ? [] : [`${path} ${name}`])),
    )
    assert.deepEqual(without, [])
  })

  /** Keys of one organisation that may read a dataset at 2 credits, and has 3; narrowed as the examples are. */
  let keys: Record<string, Record<string, string>>

  before(async () => {
    const { db } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, 2)
    await credit(db, org, 3)
    const narrowed = (...datasets: string[]) => mint(db, { org, datasets })
    keys = {
      '/v1/frames/data': bearer((await narrowed('lyr_market', 'lyr_population', 'lyr_schools')).secret),
      '/v1/frames/insight': bearer((await narrowed('lyr_population')).secret),
    }
  })

  for (const { path, method, operation } of operations) {
    for (const [name, { value }] of examplesOf(operation.responses['200']?.content)) {
      if (name === 'worded') continue
      const url = path + queryOf(operation, name)
      it(`${name}: ${method} ${url} has the answer that is shown`, async () => {
        const body = operation.requestBody?.content['application/json']?.examples?.[name]?.value
        const headers = { ...keys[path], ...JSON_TYPE }
        const answer = await request(method, url, headers, body === undefined ? undefined : JSON.stringify(body))
        const sent = `The test sends the examples of parameters and body that have the name "${name}".`
        assert.equal(answer.status, 200, `${answer.text}\n${sent}`)
        assert.deepEqual(withoutOrgs(answer.body), withoutOrgs(value))
      })
    }
  }

  it('worded: a question has the answer that is shown, when the model writes those words', async () => {
    const content = description.paths['/v1/frames/insight']?.['post']
    const shown = content?.responses['200']?.content?.['application/json']?.examples?.['worded']?.value
    const { data } = shown as { data: { model: string } }
    const wording = await startWordingServer()
    const chosen = '{"paragraphs":[[1,2,3]]}'
    wording.behave({ message: { model: data.model, content: [{ type: 'text', text: chosen }] } })
    const worded = await startService(service().database, { wordingUrl: wording.url })
    try {
      const body = JSON.stringify(content?.requestBody?.content['application/json']?.examples?.['worded']?.value)
      const headers = { ...keys['/v1/frames/insight'], ...JSON_TYPE }
      const answer = await ask(`${worded.url}/v1/frames/insight`, { method: 'POST', headers, body })
      assert.deepEqual(withFirstCite(answer.body), withFirstCite(shown))
    } finally {
      await worded.stop()
      await wording.close()
    }
  })

  for (const { operation } of operations)
    for (const { call, value } of wrongCallsOf(operation))
      it(`of a failure: ${call} is told what is shown`, async () => {
        assert.deepEqual((await send(call, service())).body, value)
      })
})

describe('the description', () => {
  it('is served to everybody, as it was made for the buckets of this server', async () => {
    const answer = await ask(`${service().url}/v1/openapi.json`)
    assert.deepEqual([answer.status, answer.headers.get('cache-control')], [200, 'public, max-age=600'])
    assert.deepEqual(
      answer.body,
      JSON.parse(JSON.stringify(describeInterface({ key: size, organisation: size, insight: size }))),
    )
    const { openapi, info } = answer.body as { openapi: string; info: { version: string } }
    assert.deepEqual([openapi, info.version], ['3.1.0', '1.0.0'])
  })

  it('is answered with 304 to whoever has it, and compressed for whoever wants that', async () => {
    const url = `${service().url}/v1/openapi.json`
    const plain = await ask(url, { headers: { 'accept-encoding': 'identity' } })
    const etag = plain.headers.get('etag') ?? ''
    const again = { 'accept-encoding': 'identity', 'if-none-match': etag }
    assert.equal((await ask(url, { headers: again })).status, 304)
    for (const coding of ['br', 'gzip']) {
      const answer = await ask(url, { headers: { 'accept-encoding': coding } })
      assert.deepEqual([answer.headers.get('content-encoding'), answer.text === plain.text], [coding, true])
    }
    assert.equal(plain.headers.get('content-encoding'), null)
    const head = await ask(url, { method: 'HEAD', headers: { 'accept-encoding': 'identity' } })
    assert.deepEqual([head.status, head.text, head.headers.get('etag')], [200, '', etag])
  })
})

describe('a code that the description declares', () => {
  const declared = operations.flatMap(({ path, method, operation }) =>
    Object.entries(operation.responses).flatMap(([status, response]) => {
      const name = response.$ref?.split('/').at(-1)
      const { content } = (name === undefined ? response : description.components.responses[name]) ?? response
      const { properties } = (content?.['application/json']?.schema ?? {}) as {
        properties?: { error?: { properties: { code: { enum: string[] } } } }
      }
      return (properties?.error?.properties.code.enum ?? []).map((code) => `${method} ${path}: ${status} ${code}`)
    }),
  )

  it('comes from every call that declares it, and no other does', async () => {
    const { db, database, url, secret } = service()
    const met = new Set<string>()
    const meets = async (call: string, answering: Promise<Answer>) => {
      const answer = await answering
      if (answer.status >= 400) met.add(`${call}: ${answer.status} ${errorOf(answer).code}`)
    }
    const tight = await startService(database, { buckets: { key: drop, organisation: size, insight: size } })
    const target = `postgres://frames@127.0.0.1:${await freePort()}/frames`
    const away = await startService({ ...database, target }, { queries: { deadlineMs: 300 } })
    const lacking = bearer((await mint(db, { capabilities: ['stats.read'] })).secret)
    try {
      const meetAll = async ({ path, method, operation }: (typeof operations)[number]) => {
        const own = bearer((await mint(db)).secret)
        const ways: [url: string, method: string, headers: Record<string, string>][] = [
          [url, 'DELETE', {}],
          [url, method, {}],
          [url, method, bearer(`${secret}0`)],
          [url, method, lacking],
          [tight.url, method, own],
          [tight.url, method, own],
          [away.url, method, own],
        ]
        for (const [at, sent, headers] of ways) {
          await meets(`${method} ${path}`, ask(at + path, { method: sent, headers }))
        }
        for (const { call } of wrongCallsOf(operation)) await meets(`${method} ${path}`, send(call, service()))
      }
      await Promise.all(operations.map(meetAll))
    } finally {
      await tight.stop()
      await away.stop()
    }
    assert.deepEqual([...met].sort(byText), declared.sort(byText))
  })
})
