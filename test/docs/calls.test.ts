import assert from 'node:assert/strict'
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { license } from '../../src/core/access/licences.js'
import { PRESETS } from '../../src/core/access/capabilities.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { description, pathsWithKey } from '../support/description.js'
import { mint, newOrganisation, service, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { anchorsOf, blocks, curlsOf, page, pasted, pathOf, section } from './curls.js'

const readme = page('README.md')
const calling = page('docs/calling.md')
const pages = [
  'README.md',
  'CONTRIBUTING.md',
  'CHANGELOG.md',
  ...readdirSync(new URL('docs/', projectFolder))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
  'deploy/kubernetes/README.md',
  'sql/README.md',
  'sql/recipes.md',
  'migrations/README.md',
  'test/bench/README.md',
]

const NOTHING_FOUND = /"data":\[\]|"features":\[\]|"states":\[\]/

const paste = (line: string) => pasted(line, service().url, { KEY: service().secret })

describe('the README', () => {
  const curls = curlsOf(section(readme, '## Try it'))

  it('has a row for every call in the table of calls', () => {
    const rows = [...section(readme, '## The calls').matchAll(/^\| `([A-Z]+ \/\S+)`/gm)].map(([, call]) => call)
    const calls = ['GET', 'POST'].flatMap((method) => pathsWithKey(method).map((path) => `${method} ${path}`))
    assert.deepEqual(new Set(rows), new Set(calls))
  })

  for (const line of curls) {
    it(`is right that ${line.replace(/.*127.0.0.1:3000/, '')} answers with data`, async () => {
      const text = await paste(line)
      assert.match(text, /^\{"data":/)
      assert.doesNotMatch(text, NOTHING_FOUND)
    })
  }

  it('shows the very answer of its first line', async () => {
    assert.equal(`${await paste(curls[0] ?? '')}\n`, blocks(readme, 'json')[0])
  })

  it('leads through the functions that a call passes, in at most eight files', () => {
    const rows = [...section(readme, '## The tree').matchAll(/^\| `([^`]+\.(?:ts|sql))` \| (?:`(\w+)`)? ?\|/gm)]
    assert.ok(rows.length >= 5 && rows.length <= 8, String(rows.length))
    for (const [, file = '', name = 'frames_at'] of rows)
      assert.match(page(file), new RegExp(`export (async )?(function|const) ${name}\\b|^-- ${name}:`, 'm'))
  })

  it('counts the frames and the datasets of the fixture rightly', async () => {
    const [counted] = await service().db.rows<{ frames: number; datasets: number }>(
      'select (select sum(frames) from state)::int as frames, (select count(*) from dataset where distance_to is null)::int as datasets',
      [],
    )
    assert.ok(readme.includes(`${counted?.frames.toLocaleString('en-US')} frames`))
    assert.ok(counted?.datasets === 12 && readme.includes('twelve datasets'))
  })
})

describe('the page of errors', () => {
  const errors = page('docs/errors.md')
  const codes = [...errors.matchAll(/^## (\w+)$/gm)].map(([, code = '']) => code)

  it('are one for each code that there is', () => {
    const known = [...page('src/core/errors.ts').matchAll(/new ApiError\(\s*\w+,\s*'(\w+)'/g)].map(
      ([, code = '']) => code,
    )
    assert.ok(known.length > 8)
    assert.deepEqual(new Set(codes), new Set(known))
    assert.equal(codes.length, new Set(codes).size)
  })
})

describe('the page for callers', () => {
  const [question = ''] = curlsOf(section(calling, '## Questions'))
  const members = (name: string) =>
    [...calling.matchAll(new RegExp(`^"${name}": "(.*)"$`, 'gm'))].map(([, member = '']) => member)

  it('is right about its question, and shows the headline of the very answer', async () => {
    const text = await paste(question)
    assert.ok(members('headline')[0] && text.includes(`"headline":"${members('headline')[0]}"`), text.slice(0, 300))
  })

  it('shows an answer with words and one without as they come', async () => {
    const wording = await startWordingServer()
    const worded = await startService(service().database, { wordingUrl: wording.url })
    try {
      const withWords = await pasted(question, worded.url, { KEY: worded.secret })
      const without = await paste(question)
      const [narrative = 'none'] = members('narrative')
      assert.ok(withWords.includes(`"narrative":"${narrative}`), withWords.slice(0, 300))
      assert.ok(withWords.includes('"engine":"claude"'))
      assert.ok(without.includes(`"notice":"${members('notice')[0]}"`) && without.includes('"engine":"deterministic"'))
      assert.deepEqual(members('engine'), ['claude', 'deterministic'])
    } finally {
      await worded.stop()
      await wording.close()
    }
  })

  for (const line of curlsOf(calling)) {
    it(`is right that ${line.replace(/.*?(-d .*|\/v1\/\S*)$/, '$1')} answers`, async () => {
      const text = await paste(line)
      assert.match(text, /^\{"data":|^\{"openapi":/)
      assert.doesNotMatch(text, NOTHING_FOUND)
    })
  }

  it('has a curl line for every call, every parameter and every member of a body', () => {
    const lines = curlsOf(calling)
    assert.deepEqual(
      new Set(lines.map(pathOf)),
      new Set([...pathsWithKey('GET'), ...pathsWithKey('POST'), '/v1/openapi.json']),
    )
    for (const path of pathsWithKey('GET')) {
      const parameters = description.paths[path]?.['get']?.parameters ?? []
      for (const { name } of parameters.filter(({ in: place }) => place === 'query')) {
        const isShown = lines.some((line) => pathOf(line) === path && new RegExp(`[?&]${name}=`).test(line))
        assert.ok(isShown, `${path} ${name}`)
      }
    }
    for (const name of ['frameIds', 'question', 'format']) assert.ok(lines.some((line) => line.includes(`"${name}"`)))
  })

  it('asks for the page behind another', async () => {
    const [first = '', second = ''] = curlsOf(section(calling, '## Frames and units')).filter((line) =>
      line.includes('limit=2'),
    )
    const [, next = 'none'] = /"next":"(\d+)"/.exec(await paste(first)) ?? []
    assert.ok(second.includes(`after=${next}'`), next)
  })

  it('shows the headlines of questions about a dataset that costs credits', async () => {
    const own = await mint(service().db, { org: await newOrganisation(service().db) })
    await license(service().db.run, 'lyr_market', own.orgId, 2)
    for (const other of ['how many shops and how many schools are there', 'how many shops were robbed']) {
      const asked = question.replace('how many people live here', other)
      assert.notEqual(asked, question)
      const text = await pasted(asked, service().url, { KEY: own.secret })
      const shown = members('headline').filter((headline) => text.includes(`"headline":"${headline}"`))
      assert.equal(shown.length, 1, text.slice(0, 300))
    }
  })

  it('has the presets as they are minted', () => {
    let carried: readonly string[] = []
    for (const [name, capabilities] of Object.entries(PRESETS)) {
      const [, listed = ''] = new RegExp(`^\\| \`${name}\` \\| (.*) \\|$`, 'm').exec(calling) ?? []
      const named = [...listed.matchAll(/`([\w.]+)`/g)].map(([, capability = '']) => capability)
      carried = listed.startsWith('the same') ? [...carried, ...named] : named
      assert.deepEqual(new Set(carried), new Set(capabilities), name)
    }
  })
})

describe('the pages', () => {
  const scripts = (JSON.parse(page('package.json')) as { scripts: Record<string, string> }).scripts
  for (const name of pages.filter((each) => existsSync(new URL(each, projectFolder)))) {
    it(`name only commands, files and folders that there are: ${name}`, () => {
      const text = page(name)
      for (const [, script = ''] of text.matchAll(/npm run (?:-s )?([\w:]+)/g))
        assert.ok(scripts[script], `package.json has no script ${script}`)
      for (const [, path = '', anchor] of text.matchAll(/\]\(([\w/.-]*)(#[\w-]+)?\)/g)) {
        const linked = new URL(path, new URL(name, projectFolder))
        assert.ok(existsSync(linked), `a link leads to ${path}, which is not there`)
        if (anchor !== undefined)
          assert.ok(anchorsOf(readFileSync(linked, 'utf8')).includes(anchor), `a link leads to ${path}${anchor}`)
      }
    })
  }

  it('draw the tree as it is, every folder of src among it', () => {
    const tree = section(readme, '## The tree')
    const folders = (path: string) =>
      readdirSync(new URL(path, projectFolder), { withFileTypes: true }).flatMap((entry) =>
        entry.isDirectory() ? [entry.name] : [],
      )
    const rooms = [...tree.matchAll(/^ {2}(\w+)\/ /gm)].map(([, folder = '']) => folder)
    assert.deepEqual(rooms.sort(), folders('src/').sort())
    const named = new Set([...tree.matchAll(/([\w-]+)\//g)].map(([, folder]) => folder))
    for (const room of folders('src/').filter((each) => each !== 'server'))
      for (const folder of folders(`src/${room}/`)) assert.ok(named.has(folder), `${room}/${folder}/`)
    for (const top of ['sql', 'migrations', 'fixtures', 'src', 'test']) assert.match(tree, new RegExp(`^${top}/`, 'm'))
  })
})
