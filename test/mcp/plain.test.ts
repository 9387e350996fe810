import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { PRESETS } from '../../src/core/access/capabilities.js'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { randomText } from '../../src/core/access/secret.js'
import { topUp } from '../../src/core/credits/ledger.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { ask, bearer, errorOf, mint, service } from '../support/service.js'
import { postTool } from './agent.js'
import { pairs } from './pairs.js'

type Description = { paths: Record<string, object>; components: object }

const describedAt = async (door: string) => (await ask(`${service().url}/${door}/openapi.json`)).body as Description

describe('/tools', () => {
  it('is described for generated clients, and answers as the description says', async () => {
    const document = await describedAt('tools')
    const ajv = new Ajv2020({ strict: false, validateFormats: false }).addSchema(document, 'tools')
    const check = (tool: string, part: string, value: unknown, method = 'post') => {
      const name = `tools#/paths/~1tools~1${tool}/${method}/${part}/content/application~1json/schema`
      const valid = ajv.getSchema(name)
      assert.ok(valid, name)
      assert.ok(valid(value), `${tool} ${JSON.stringify(valid.errors)}`)
    }
    const { secret, url } = service()
    const answered = new Set<string>()
    for (const { tool, given } of [
      ...pairs,
      { tool: 'datasets', given: {} },
      { tool: 'totals', given: { state: 'marembe' } },
      { tool: 'totals', given: { bbox: '0.2,0.1,0.3,0.2' } },
      { tool: 'ask', given: { state: 'marembe', question: 'how many people live here', format: 'figures' } },
    ]) {
      const { status, body } = await postTool({ url, secret }, tool, given)
      check(tool, `responses/${status === 200 ? 200 : 'default'}`, body)
      if (status !== 200) continue
      // A number may come as a text, and an id as a number, which no generated client sends.
      const { lat, ids } = given as { lat?: unknown; ids?: unknown }
      if (typeof lat !== 'string' && typeof ids !== 'number') check(tool, 'requestBody', given)
      answered.add(tool)
      if (tool === 'ask') {
        const { data } = body as { data: { headline: string } }
        const judged = await postTool({ url, secret }, 'verify', { text: data.headline, answer: data })
        assert.deepEqual(judged.body, { data: { ok: true, numbers: [] } })
        check('verify', 'responses/200', judged.body)
        answered.add('verify')
      }
    }
    check('key', 'responses/200', (await ask(`${url}/tools/key`, { headers: bearer(secret) })).body, 'get')
    answered.add('key')
    for (const query of ['', '?price=true']) {
      const rows = [
        { lat: 0.105, lon: 0.205 },
        { lat: 80, lon: 0 },
      ]
      const { status, body } = await postTool({ url, secret }, `enrich${query}`, rows)
      check('enrich', `responses/${status}`, body)
      check('enrich', 'requestBody', rows)
    }
    answered.add('enrich')
    assert.deepEqual([...answered].map((tool) => `/tools/${tool}`).toSorted(), Object.keys(document.paths).toSorted())
  })

  it('is described without a fault that the linter knows, and /files is', async function () {
    this.timeout(60_000)
    const folder = mkdtempSync(join(tmpdir(), 'frames-tools-'))
    try {
      const files = ['tools', 'files'].map((door) => [door, join(folder, `${door}.json`)] as const)
      for (const [door, file] of files) writeFileSync(file, JSON.stringify(await describedAt(door)))
      const config = new URL('test/interface/redocly.yaml', projectFolder).pathname
      const program = new URL('node_modules/.bin/redocly', projectFolder).pathname
      const env = { ...process.env, REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }
      await promisify(execFile)(
        program,
        ['lint', ...files.map(([, file]) => file), '--config', config, '--skip-rule', 'paths-kebab-case'],
        { env },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  })

  it('tells a key whose it is, what it may and what is left, and no other key', async () => {
    const { db, url } = service()
    const { orgId: org, name: organisation } = await createOrganisation(db, `Key ${randomText(8)}`, 'pro')
    await topUp(db, org, 7, randomUUID())
    const key = await mint(db, { org, preset: 'analyst', datasets: ['lyr_population'] })
    const about = async (secret: string) => {
      const answer = await ask(`${url}/tools/key`, { headers: bearer(secret) })
      assert.equal(answer.headers.get('cache-control'), 'no-store')
      return (answer.body as { data: Record<string, unknown> }).data
    }
    const { buckets: _buckets, ...data } = await about(key.secret)
    const days = (new Date(data['expiresAt'] as string).getTime() - Date.now()) / 86_400_000
    assert.ok(days > 29.9 && days <= 30, 'it ends as it was minted')
    assert.deepEqual(data, {
      keyId: key.keyId,
      name: 'tests',
      lastFour: key.secret.slice(-4),
      organisation,
      credits: 7,
      orgId: key.orgId,
      plan: 'pro',
      capabilities: PRESETS.analyst,
      datasets: ['lyr_population'],
      expiresAt: data['expiresAt'],
      wordedAnswers: { month: 2000, day: 1000 },
      caps: [],
    })
    const locality = await about((await mint(db, { org, preset: 'locality' })).secret)
    assert.deepEqual([locality['datasets'], locality['wordedAnswers']], [undefined, undefined])
  })

  it('hints at the nearest name where a unit is misspelt, and at none where it is not', async () => {
    const { secret, url } = service()
    const hint = async (tool: string, given: object) => {
      const { body } = await postTool({ url, secret }, tool, given)
      return (body as { data: { hint?: string } }).data.hint
    }
    for (const tool of ['frames', 'units', 'totals', 'ask']) {
      assert.equal(await hint(tool, { state: 'Marembee' }), 'No state is named Marembee. Did you mean MAREMBE?')
      assert.equal(
        await hint(tool, { state: 'marembe', lga: 'lakesyde' }),
        'No lga is named lakesyde. Did you mean LAKESIDE?',
      )
      assert.equal(await hint(tool, { state: 'marembe' }), undefined)
    }
    assert.equal(await hint('frames', { state: 'Xyzzyxyzzy' }), 'No state is named Xyzzyxyzzy.')
    assert.equal(await hint('frames', { bbox: '50,50,51,51' }), undefined)
    assert.equal(await hint('units', { lga: 'lakesyde' }), 'No lga is named lakesyde. Did you mean LAKESIDE?')
    const named = await postTool({ url, secret }, 'units', { lga: ' lakeside' })
    assert.deepEqual(
      (named.body as { data: { units: { state: string }[] } }).data.units.map(({ state }) => state),
      ['MAREMBE'],
    )
  })

  it('refuses what is no object, a misspelt argument, no key, and a tool that there is not', async () => {
    const { secret, url } = service()
    const refused = async (name: string, given: unknown, key = secret) => {
      const answer = await postTool({ url, secret: key }, name, given)
      return [answer.status, errorOf(answer).code, errorOf(answer).message]
    }
    assert.deepEqual(await refused('units', ['marembe']), [
      400,
      'invalid_body',
      'The body is not a JSON object: the arguments of the tool are accepted by their names.',
    ])
    assert.deepEqual(await refused('units', { province: 'marembe' }), [
      400,
      'invalid',
      '"province" is no argument of this tool: state, lga are accepted.',
    ])
    assert.deepEqual((await refused('units', {}, 'svc_sk_none')).slice(0, 2), [401, 'invalid_key'])
    assert.deepEqual((await refused('unit', {})).slice(0, 2), [404, 'not_found'])
    const list = await ask(`${url}/tools`)
    assert.deepEqual([list.status, errorOf(list).code], [401, 'unauthorized'])
    assert.equal((await ask(`${url}/tools`, { headers: bearer(secret) })).status, 200)
  })
})
