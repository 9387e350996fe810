import assert from 'node:assert/strict'
import { license, unlicense } from '../../src/core/access/licences.js'
import { revokeKey } from '../../src/core/access/keys.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFrames } from '../../src/tools/load/import-frames.js'
import { collection, quiet, temporaryFolder } from '../load/files.js'
import { balanceOf, credit, ids } from '../support/datasets.js'
import { everyQuestion, everyRead } from '../support/every-call.js'
import { untilInUse, type Pair } from '../support/replica.js'
import { ask, bearer, mint, newOrganisation, startService, type Answer } from '../support/service.js'

type Data = { data: { frames: { datasets: { layerId: string; values: object }[] }[]; charged: string[] } }

/** Its last test replaces the index. */
export function whereReplicaLags(pairOf: () => Pair): void {
  const [near = '', next = '', third = ''] = ids
  const files = temporaryFolder()
  let pair: Pair
  let service: Awaited<ReturnType<typeof startService>>
  /** The ports that each statement went to, by its name. */
  const sent = new Map<string, Set<number>>()
  const watch = (text: string, target: unknown) => {
    const name = /^-- (\w+):/.exec(text)?.[1] ?? text
    sent.set(name, (sent.get(name) ?? new Set()).add(Number(new URL(String(target)).port)))
  }
  before(async () => {
    pair = pairOf()
    service = await startService(pair.database, { watch, readDatabaseUrls: [pair.readUrl()], readLagMaxMs: 600_000 })
    await untilInUse(service.replicas)
  })
  after(async () => {
    files.remove()
    await service.stop()
  })

  const get = (path: string, secret = service.secret, headers: Record<string, string> = {}) =>
    ask(service.url + path, { headers: { ...bearer(secret), ...headers } })
  const tagOf = ({ headers }: Answer) => headers.get('etag') ?? ''

  /** A caller keeps a wrong answer if one tag ever stands for two answers. */
  const textByTag = new Map<string, string>()
  async function getWithTag(path: string, secret?: string, tag = ''): Promise<Answer> {
    const answer = await get(path, secret, tag === '' ? {} : { 'if-none-match': tag })
    if (answer.status === 200 && tagOf(answer) !== '') {
      const before = textByTag.get(tagOf(answer)) ?? answer.text
      assert.equal(answer.text, before, 'one tag, two answers')
      textByTag.set(tagOf(answer), answer.text)
    }
    return answer
  }

  const baseline = (layerId: string, orgId: string, rows: string[]) =>
    importBaseline(
      pair.db,
      files.write(`${layerId}.csv`, ['id,told', ...rows].join('\n')),
      { layerId, orgId, name: layerId, category: 'Tests' },
      quiet,
    )

  it('frames and datasets are read from it; keys, visible datasets, prices and credits stay with the primary', async () => {
    const { secret, orgId } = await mint(pair.db)
    await credit(pair.db, orgId, 10)
    await baseline('lyr_paid', await newOrganisation(pair.db), [`${near},1`])
    await license(pair.db.run, 'lyr_paid', orgId, 3)
    await pair.caughtUp()
    sent.clear()
    const data = `/v1/frames/data?ids=${near}`
    for (const path of [...everyRead, '/v1/frames/at?lat=0.205&lon=80', data, `${data}&price=true`]) {
      assert.ok([200, 404].includes((await get(path, secret)).status), path)
    }
    for (const question of everyQuestion) {
      const answer = await ask(`${service.url}/v1/frames/insight`, {
        method: 'POST',
        headers: { ...bearer(secret), 'content-type': 'application/json' },
        body: JSON.stringify({ frameIds: [near, next], question }),
      })
      assert.equal(answer.status, 200, answer.text)
    }
    assert.equal(await balanceOf(pair.db, orgId), 7)

    const ofPrimary = ['key_authority', 'datasets_in_reach', 'prices_of_key']
    // The probes ask both.
    sent.delete('server_state')
    for (const [name, ports] of sent) {
      const { port } = ofPrimary.includes(name) ? pair.primary : pair.replica
      assert.deepEqual([name, ...ports], [name, port])
    }
    assert.ok(ofPrimary.every((name) => sent.has(name)) && sent.size >= 33, [...sent.keys()].join(', '))
  })

  it('a revocation holds for the very next request, however far behind the replica is', async () => {
    const { secret, keyId } = await mint(pair.db)
    await pair.whilePaused(async () => {
      assert.equal((await get('/v1/states', secret)).status, 200)
      await revokeKey(pair.db.run, keyId)
      assert.equal((await get('/v1/states', secret)).status, 401)
      // A new key does not have to wait for the replica either.
      assert.equal((await get('/v1/states', (await mint(pair.db)).secret)).status, 200)
    })
  })

  it('a licence, its price and its end hold for the very next request, too', async () => {
    const { secret, orgId } = await mint(pair.db)
    await credit(pair.db, orgId, 10)
    await baseline('lyr_let', await newOrganisation(pair.db), [`${near},1`])
    const path = `/v1/frames/data?ids=${near}`
    const read = async () => {
      const { frames, charged } = ((await get(path, secret)).body as Data).data
      return [frames[0]?.datasets.some(({ layerId }) => layerId === 'lyr_let'), charged]
    }
    await pair.whilePaused(async () => {
      await license(pair.db.run, 'lyr_let', orgId, 2)
      assert.deepEqual(await read(), [true, ['lyr_let']])
      await license(pair.db.run, 'lyr_let', orgId, 5)
      assert.deepEqual(await read(), [true, ['lyr_let']])
      assert.equal(await balanceOf(pair.db, orgId), 3)
      await unlicense(pair.db.run, 'lyr_let', orgId)
      assert.deepEqual(await read(), [false, []])
    })
  })

  it('a dataset that it has not replayed is not there yet, and costs nothing', async () => {
    const { secret, orgId } = await mint(pair.db)
    await credit(pair.db, orgId, 10)
    const owner = await newOrganisation(pair.db)
    await baseline('lyr_again', owner, [`${near},old`])
    await license(pair.db.run, 'lyr_again', orgId, 2)
    const path = `/v1/frames/data?ids=${near},${next}`
    const read = async () => {
      const answer = await get(path, secret)
      assert.equal(tagOf(answer), '', 'an answer that was paid for has no tag')
      const { frames, charged } = (answer.body as Data).data
      const values = frames.map(({ datasets }) =>
        datasets.filter(({ layerId }) => /again|first/.test(layerId)).map((each) => JSON.stringify(each.values)),
      )
      return { values, charged, balance: await balanceOf(pair.db, orgId) }
    }
    await pair.whilePaused(async () => {
      await baseline('lyr_again', owner, [`${near},new`, `${next},new`])
      await baseline('lyr_first', owner, [`${near},first`])
      await license(pair.db.run, 'lyr_first', orgId, 3)
      const before = { values: [['{"told":"old"}'], []], charged: ['lyr_again'] }
      assert.deepEqual(await read(), { ...before, balance: 8 })
      assert.deepEqual(await read(), { ...before, balance: 6 })
    })
    const after = [['{"told":"new"}', '{"told":"first"}'], ['{"told":"new"}']]
    assert.deepEqual(await read(), { values: after, charged: ['lyr_again', 'lyr_first'], balance: 1 })
  })

  it('the tag of data is that of the rows: an import not replayed yet changes neither', async () => {
    const { secret, orgId } = await mint(pair.db)
    await baseline('lyr_own', orgId, [`${near},old`])
    await pair.caughtUp()
    const path = `/v1/frames/data?ids=${near}`
    const old = tagOf(await getWithTag(path, secret))
    await pair.whilePaused(async () => {
      await baseline('lyr_own', orgId, [`${near},new`])
      const meanwhile = await getWithTag(path, secret)
      assert.match(meanwhile.text, /"told":"old"/)
      assert.equal(tagOf(meanwhile), old)
      assert.equal((await getWithTag(path, secret, old)).status, 304)
    })
    const after = await getWithTag(path, secret, old)
    assert.equal(after.status, 200)
    assert.match(after.text, /"told":"new"/)
  })

  it('the tag of frames is that of the rows: an index not replayed yet changes neither', async () => {
    const paths = ['/v1/states', `/v1/frames?ids=${near},${third}`, '/v1/frames/admin?state=marembe']
    const frames = await get(`/v1/frames?ids=${near},${next}`)
    const features = (frames.body as { data: { id: string; geometry: object; admin: object }[] }).data
    const two = collection(
      features.map(({ id, geometry, admin }) => ({ type: 'Feature', id, geometry, properties: admin })),
    )
    const tags = await Promise.all(paths.map(async (path) => tagOf(await getWithTag(path))))
    await pair.whilePaused(async () => {
      await importFrames(pair.db, files.write('two.geojson', two), quiet)
      for (const [i, path] of paths.entries()) {
        assert.equal(tagOf(await getWithTag(path)), tags[i])
        assert.equal((await getWithTag(path, undefined, tags[i])).status, 304)
      }
    })
    for (const [i, path] of paths.entries()) {
      const after = await getWithTag(path, undefined, tags[i])
      assert.equal(after.status, 200, path)
      assert.notEqual(tagOf(after), tags[i])
    }
    assert.match((await getWithTag('/v1/states')).text, /"frames":2\b/)
  })
}
