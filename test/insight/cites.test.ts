/** A cite is the figure on one line: `frames verify` computes it again, and says what became of it. */
import assert from 'node:assert/strict'
import { setOfIds } from '../../src/core/figures/frame-set.js'
import { datasetsServed } from '../../src/core/db/statements.js'
import { citesOf, verifyCite } from '../../src/core/insight/cite.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { removeDataset } from '../../src/tools/load/remove-dataset.js'
import { quiet, temporaryFolder } from '../load/files.js'
import { first, ownGrid } from '../load/imports.js'
import { frames } from '../support/cli.js'
import { randomNumbers } from '../support/random-numbers.js'
import { sample } from '../support/sample.js'
import { callTool } from '../mcp/agent.js'
import { mint, service, startService } from '../support/service.js'
import { insightOf } from './ask.js'
import { attribute, computeAsk, datasetsOf, sampledFacets } from './sampled-figures.js'

const CITES = sample(120, 1000)

describe('a cite of a figure', function () {
  this.timeout(sample(120_000, 1_200_000))
  const folder = temporaryFolder()
  after(() => folder.remove())

  it(`is verified as the same figure: ${CITES} of frames, units and boxes`, async () => {
    const { db } = service()
    const layers = (await datasetsOf(db)).map(({ layerId }) => layerId)
    const datasets = (await datasetsServed(db, layers)).map((dataset) => ({ ...dataset, price: null }))
    let verified = 0
    for await (const { facet, set } of sampledFacets(db, randomNumbers(11), datasets)) {
      const [cite = ''] = await citesOf({ reader: db, datasets }, set, [facet])
      assert.match(cite, /^[^\n]+ \{"place":\{.*\},"date":"\d{4}-\d\d-\d\d","versions":\{"frames":"\d{8}T\d{12}Z"/)
      assert.ok(cite.startsWith(`${facet.label}: ${facet.value}. ${facet.source.dataset}, `), cite)
      const { verdict, says } = await verifyCite(db, cite)
      assert.deepEqual([verdict, says], ['same', `The same figure now: ${facet.label}: ${facet.value}.`], cite)
      const raised = cite.replace(/\d(?=[^\d]*\. )/, (digit) => String((Number(digit) + 1) % 10))
      if (raised !== cite) assert.notEqual((await verifyCite(db, raised)).verdict, 'same', raised)
      verified += 1
      if (verified === CITES) break
    }
  })

  it('stands in every source of an answer, and the command takes it as it is', async () => {
    const { db, url, database } = service()
    const { secret } = await mint(db)
    const target = database.ownerTarget
    const env: Record<string, string> =
      typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }
    const ids = ['322074005', '322074006', '322074008']
    const { facets, sources } = await insightOf(
      { url, secret },
      { frameIds: ids, question: 'how many people live here' },
    )
    assert.ok(sources.length > 3)
    for (const [i, { cite = '' }] of sources.entries()) {
      assert.ok(
        cite.includes(
          `, 3 frames, ${new Date().toISOString().slice(0, 10)}. {"place":{"frames":"322074005-322074006,322074008"}`,
        ),
        cite,
      )
      assert.ok(cite.startsWith(`${facets[i]?.label}: ${facets[i]?.value}. `), cite)
    }
    const cite = sources[0]?.cite ?? ''
    const ran = await frames(['verify', cite, '--json'], env)
    assert.deepEqual(
      [ran.status, JSON.parse(ran.out)],
      [0, { ok: true, verdict: 'same', says: `The same figure now: ${facets[0]?.label}: ${facets[0]?.value}.` }],
      ran.err,
    )
    const changed = await frames(['verify', cite.replace(/: \d/, ': 9')], env)
    assert.equal(changed.status, 1)
    assert.match(changed.err, /Another figure now: .* Each version is still served, so the line was changed\.\n$/)
    for (const wrong of [
      cite.slice(0, -5),
      cite.replace('322074005-322074006', '1-99999999999999999'),
      cite.replace('"statistic":"sum"', '"statistic":"guess"'),
      cite.replace('"frames":"322074005', '"frames":"x'),
    ]) {
      const refused = await frames(['verify', wrong], env)
      assert.equal(refused.status, 1, wrong)
      assert.match(refused.err, /A cite is a line as sources\[\]\.cite of an answer has it, with its JSON; "Population/)
    }
  })

  describe('after an import', () => {
    const grid = ownGrid()
    const ids = Array.from({ length: 10 }, (_, i) => String(Number(first) + i))
    const rows = (last: number) =>
      folder.write('wells.csv', `frame_id,depth\n${ids.map((id, i) => `${id},${i < 9 ? i : last}`).join('\n')}\n`)
    const load = (last: number) =>
      importBaseline(
        grid.db,
        rows(last),
        { layerId: 'lyr_wells', name: 'Wells', category: 'Physical', orgId: grid.orgId },
        quiet,
      )
    const cites: string[] = []

    it('says the same figure, another figure now, or that it is gone, with the versions', async () => {
      await load(9)
      const datasets = (await datasetsServed(grid.db, ['lyr_wells'])).map((dataset) => ({ ...dataset, price: null }))
      for (const some of [ids.slice(0, 5), ids]) {
        const set = setOfIds(some)
        const ask = { subject: attribute('lyr_wells', 'depth'), operation: { op: 'usual' as const }, where: [] }
        const { facets } = await computeAsk(grid.db, set, ask, datasets)
        cites.push((await citesOf({ reader: grid.db, datasets }, set, facets))[0] ?? '')
      }
      const verdicts = async () => await Promise.all(cites.map((cite) => verifyCite(grid.db, cite)))
      assert.deepEqual(
        (await verdicts()).map(({ verdict }) => verdict),
        ['same', 'same'],
      )
      await load(99)
      const [same, another] = await verdicts()
      assert.deepEqual([same?.verdict, another?.verdict], ['same', 'another'])
      const [before, now] = [datasets[0]?.version, (await datasetsServed(grid.db, ['lyr_wells']))[0]?.version]
      const replaced = `Version ${before} of lyr_wells is gone: ${now} is served.`
      assert.equal(same?.says, `The same figure now: depth, average: 2. ${replaced}`)
      assert.equal(another?.says, `Another figure now: depth, average: 13.5. ${replaced}`)
      await removeDataset(grid.db, 'lyr_wells', quiet)
      assert.deepEqual(
        await verdicts(),
        cites.map(() => ({
          verdict: 'gone',
          says: `There is no such figure now. Version ${before} of lyr_wells is gone: it is not served any more.`,
        })),
      )
    })

    it('says so of a total of the tool totals, too', async () => {
      const running = await startService(grid.database)
      const { secret } = await mint(grid.db, { org: grid.orgId })
      await load(9)
      const { structuredContent } = await callTool({ url: running.url, secret }, 'totals', {
        lga: 'middle',
        state: 'alpha',
      })
      await running.stop()
      const [{ cite = '' } = {}] = (structuredContent as { totals: { cite?: string }[] }).totals
      assert.match(
        cite,
        /^depth, average: 4\.5\. Wells, the LGA middle, alpha, [\d-]+\. \{"place":\{"unit":\["alpha","middle"\]\}/,
      )
      const verdict = async () => (await verifyCite(grid.db, cite)).says.replaceAll(/\d+T\d+Z/g, 'N')
      assert.equal(await verdict(), 'The same figure now: depth, average: 4.5.')
      await load(99)
      assert.equal(
        await verdict(),
        'Another figure now: depth, average: 13.5. Version N of lyr_wells is gone: N is served.',
      )
      await removeDataset(grid.db, 'lyr_wells', quiet)
      assert.equal(
        await verdict(),
        'There is no such figure now. Version N of lyr_wells is gone: it is not served any more.',
      )
    })
  })
})
