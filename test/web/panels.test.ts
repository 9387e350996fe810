import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import type { Visitor } from '../support/browse.js'
import { corpus } from '../support/corpus.js'
import { analystTarget } from '../support/database.js'
import { ask, bearer, mint, service } from '../support/service.js'
import { linksTo, psqlAs, shownText, shownTexts } from './shown-sql.js'
import { memberOf, rows } from './visitors.js'

const runAside = promisify(execFile)

/** A panel of each kind, and the statements that answer it besides those of other panels on its page. */
const PANELS = corpus<[title: string, path: string, statements: string[]]>('web/panels.jsonl')

/** The map's page has the table of units in a panel of its own. */
const TWIN = ['profile_by_unit', 'legend_of_attribute', 'densities_of_attribute']

describe('every panel shows the statements that answered it, their plans, and a line for a shell', () => {
  let visitor: Visitor
  let secret: string
  let owner: ReturnType<typeof psqlAs>
  let analyst: ReturnType<typeof psqlAs>
  before(async () => {
    owner = psqlAs(service().database.target)
    analyst = psqlAs(analystTarget(service().database))
    visitor = await memberOf()
    const [demo] = await rows<{ orgId: string }>(`select org_id as "orgId" from organisation where name = 'demo'`)
    secret = (await mint(service().db, { org: demo?.orgId ?? '' })).secret
  })
  after(() => [owner, analyst].forEach(({ end }) => end()))

  const blocksOf = (page: string) => page.split('<p class="row close show-sql">').slice(1)
  const linkIn = (block: string, view: string) => linksTo(block, view)[0] ?? ''
  /** The lines of a view; none where the panel has no such view. */
  async function linesOf(block: string, view: 'curl' | 'psql'): Promise<string[]> {
    const link = linkIn(block, view)
    if (link === '') return []
    const { status, text } = await visitor.get(link)
    assert.equal(status, 200, text)
    const ids = view === 'curl' ? ['curl-line', 'curl-line-2', 'curl-line-3'] : ['psql-line']
    return ids.map((id) => shownText(text, id)).filter(Boolean)
  }

  /** Some statements, links and lines are the same on many pages. */
  const done = new Map<string, Promise<unknown>>()
  const once = <T>(text: string, work: (text: string) => Promise<T>): Promise<T> => {
    const doing = done.get(text) ?? work(text)
    done.set(text, doing)
    return doing as Promise<T>
  }

  async function runsInShell(line: string) {
    if (line.startsWith('curl ')) {
      const quiet = `${line.replace('curl ', 'curl -g -s -o /dev/null ')} -w '%{http_code}'`
      const { stdout } = await runAside('sh', ['-c', quiet], { env: { ...process.env, FRAMES_KEY: secret } })
      assert.equal(stdout, '200', line)
      return
    }
    // The shell takes the line apart, and the statement runs as the analyst.
    const { stdout } = await runAside('sh', ['-c', line.replace(/^psql .* -c /, "printf '%s' ")])
    assert.match(line, /^psql -h HOST -d frames -U frames_analyst -c /)
    const read = await analyst.run(stdout)
    if (!/xyzzy/i.test(line)) assert.notEqual(read, '', line)
  }

  /** On a busy machine, a page of plans can reach its deadline and says so. It is then asked again. */
  async function measuredPlan(link: string): ReturnType<Visitor['get']> {
    const plan = await visitor.get(link)
    return /This is its plan, not measured|No time was left/.test(plan.text) ? await measuredPlan(link) : plan
  }

  for (const [title, path, names] of PANELS)
    it(title, async () => {
      const page = await visitor.get(path)
      assert.equal(page.status, 200, page.text)
      const expected = path.startsWith('/app/map') ? [names, TWIN] : [names]
      const blocks = blocksOf(page.text)
      assert.equal(blocks.length, expected.length)
      for (const [i, block] of blocks.entries()) {
        const sql = await once(linkIn(block, 'sql'), visitor.get)
        const plan = await once(linkIn(block, 'plan'), measuredPlan)
        assert.deepEqual([sql.status, plan.status], [200, 200], plan.text)
        const texts = shownTexts(sql.text, 'sql')
        assert.deepEqual(
          texts.map((text) => /^-- (\w+):/.exec(text)?.[1]),
          expected[i],
        )
        assert.equal([...plan.text.matchAll(/Execution Time: [\d.]+ ms/g)].length, texts.length)
        for (const text of [...texts, ...shownTexts(sql.text, 'prepared')]) await once(text, owner.run)
        const [curl, psql] = [await linesOf(block, 'curl'), await linesOf(block, 'psql')]
        assert.ok(curl.length + psql.length > 0, `${title} has no line for a shell`)
        for (const each of [...curl, ...psql]) await once(each, runsInShell)
        const python = await visitor.get(linkIn(block, 'python'))
        assert.match(shownText(python.text, 'python-lines'), curl.length > 0 ? /client\.\w+\(/ : /pandas\.read_sql\(/)
        if (curl.length === 0) assert.match(python.text, /No call of the API/)
      }
    })

  const FIGURES = [
    ['how many people live within 5 km of a clinic in Marembe', '|490457|'],
    ['what is the mean elevation in Lakeside', '|112.2'],
    ['how many clinics are in Marembe', '|29|'],
  ] as const
  it('the line of psql of an answer computes its first figure', async () => {
    for (const [question, value] of FIGURES) {
      const query = new URLSearchParams({ question, show: 'psql', of: 'answer' })
      const { text } = await visitor.get(`/app/map?${query.toString()}`)
      const { stdout } = await runAside('sh', [
        '-c',
        shownText(text, 'psql-line').replace(/^psql .* -c /, "printf '%s' "),
      ])
      const found = await analyst.run(stdout)
      assert.ok(found.includes(value), found)
    }
  })

  const LAYERS = ['lyr_population', 'lyr_schools', 'lyr_roads']
  const lineOf = async (layerId: string, id: string) =>
    shownText((await visitor.get(`/app/datasets/${layerId}`)).text, id)

  it('the page of a dataset gives QGIS a source of which every row has its key and one type of shape', async () => {
    for (const layerId of LAYERS) {
      const source = await lineOf(layerId, 'qgis-line')
      const [, name, host, port, role, key, type, schema, view, geom] =
        /^dbname='(\w+)' host='(HOST)' port=(\d+) user='(\w+)' key='(\w+)' srid=4326 type=(\w+) table="(\w+)"\."(\w+)" \((\w+)\)$/.exec(
          source,
        ) ?? []
      assert.deepEqual([name, host, port, role], ['frames', 'HOST', '5432', 'frames_analyst'])
      const [known] = await rows<{ items: string }>('select items from dataset where layer_id = $1::text', layerId)
      const found = await analyst.run(
        `select count(*), count(distinct "${key}"), count(*) filter (where GeometryType("${geom}") <> upper('${type}')), min(ST_SRID("${geom}"))
         from "${schema}"."${view}"`,
      )
      assert.equal(found, `${known?.items}|${known?.items}|0|4326`)
    }
  })

  it('the page of a dataset has a line that brings all of it as a file, unless it costs', async () => {
    for (const layerId of ['lyr_population', 'lyr_roads']) {
      const line = await lineOf(layerId, 'file-line')
      assert.match(line, /\/lyr_\w+\.parquet' -O$/)
      // In the form whose rows a test can count.
      const csv = line.replace('.parquet', '.csv').replace(/-O$/, '-s')
      const { stdout } = await runAside('sh', ['-c', csv], {
        env: { ...process.env, FRAMES_KEY: secret },
        maxBuffer: 1e8,
      })
      const [known] = await rows<{ items: string }>('select items from dataset where layer_id = $1::text', layerId)
      assert.equal(stdout.trimEnd().split('\n').length - 1, Number(known?.items))
    }
    assert.equal(await lineOf('lyr_market', 'file-line'), '')
  })

  type Data = { frames: { datasets: { layerId: string }[] }[]; charged: string[]; leftOut: { layerId: string }[] }
  it('the page of a dataset calls the API for a frame with a record, and only for the price where it costs', async () => {
    const before = await rows('select * from account order by org_id')
    for (const layerId of [...LAYERS, 'lyr_market', 'lyr_reserves']) {
      const line = await lineOf(layerId, 'curl-line')
      const [, url = ''] = /^curl -H "Authorization: Bearer \$FRAMES_KEY" '([^']+)'$/.exec(line) ?? []
      assert.ok(url.startsWith(`${service().url}/v1/frames/data?ids=`), line)
      const { data } = (await ask(url, { headers: bearer(secret) })).body as { data: Data }
      const isPriced = !LAYERS.includes(layerId)
      assert.equal(url.includes('price=true'), isPriced)
      const shown = isPriced
        ? [...data.charged, ...data.leftOut.map((each) => each.layerId)]
        : data.frames[0]?.datasets.map((each) => each.layerId)
      assert.deepEqual(shown, [layerId])
    }
    assert.deepEqual(await rows('select * from account order by org_id'), before)
  })
})
