import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { ask, service } from '../support/service.js'
import { anchorsOf, curlsOf, page, pasted, section } from './curls.js'

const LINK = /\]\(([^)#\s]+)(#[^)\s]+)?\)/g

/** Follows a link as a browser does. */
const at = async (url: URL | string) => {
  const { status, text, headers } = await ask(String(url))
  return { status, text, type: headers.get('content-type') ?? '' }
}

describe('the pages that the service serves', () => {
  const names = readdirSync(new URL('docs/', projectFolder)).filter((name) => name !== 'pictures')
  const list = () => `${service().url}/llms.txt`

  it('are listed in /llms.txt, those for callers first, each with its sections', async () => {
    const { status, text, type } = await at(list())
    assert.deepEqual([status, type], [200, 'text/plain; charset=utf-8'])
    assert.match(text, /^# .+\n\n> .+\n\n[^#]+\n## For callers\n\n(- .+\n)+\n## Optional\n\n(- .+\n)+$/)
    const listed = [...text.matchAll(/\]\(docs\/([^)]+)\)/g)].map(([, name]) => name)
    assert.deepEqual(new Set(listed), new Set(names))
    assert.deepEqual(listed.slice(0, 6), ['agents.md', 'calling.md', 'clients.md', 'errors.md', 'files.md', 'trust.md'])
    assert.match(text, /\(docs\/errors\.md\): invalid_point, invalid_bbox, /)
  })

  it('have links that lead to what is there, each with its section', async () => {
    const { text: listed } = await at(list())
    for (const [, target = ''] of listed.matchAll(LINK)) {
      const url = new URL(target, list())
      const { status, text, type } = await at(url)
      assert.equal(status, 200, target)
      if (!target.startsWith('docs/')) continue
      assert.equal(type, 'text/markdown; charset=utf-8')
      assert.ok(text.startsWith('# '))
      for (const [, path = '', anchor] of text.matchAll(LINK)) {
        // Pages of others are not asked for by a test.
        if (path.startsWith('https://')) continue
        const linked = await at(new URL(path, url))
        assert.equal(linked.status, 200, `${target}: ${path}`)
        assert.ok(anchor === undefined || anchorsOf(linked.text).includes(anchor), `${target}: ${path}${anchor}`)
      }
    }
  })

  it('have the words of the files, and no link to files that are not served', async () => {
    const { text } = await at(`${service().url}/docs/calling.md`)
    assert.equal(text, page('docs/calling.md').replaceAll(/\[([^\]]+)\]\(\.\.\/[^)]+\)/g, '$1'))
    for (const name of names)
      assert.doesNotMatch((await at(`${service().url}/docs/${name}`)).text, /\]\(\.\.\/|!\[/, name)
  })

  it('have each heading on a line of its own, and so have the other pages', () => {
    const folders = ['.', 'clients/python', 'deploy/kubernetes', 'docs', 'fixtures', 'migrations', 'sql', 'test/bench']
    const pages = folders.flatMap((folder) =>
      readdirSync(new URL(folder, projectFolder))
        .filter((name) => name.endsWith('.md'))
        .map((name) => `${folder}/${name}`),
    )
    assert.ok(pages.length > names.length)
    for (const path of pages) {
      const text = page(path).replaceAll(/^ *```.*?^ *```$/gms, '')
      assert.deepEqual(text.match(/^.*[^#\n`].* #{1,6} [^`\n]*$/gm), null, path)
    }
  })

  it('are no way to other files', async () => {
    for (const path of ['/docs', '/docs/', '/docs/..%2fpackage.json', '/docs/%2e%2e/package.json', '/docs/nothing.md'])
      assert.equal((await at(service().url + path)).status, 404, path)
    const posted = await ask(list(), { method: 'POST' })
    assert.deepEqual([posted.status, posted.headers.get('allow')], [405, 'GET, HEAD'])
  })

  for (const line of curlsOf(section(page('docs/agents.md'), '## Pages to read'))) {
    it(`are what ${line.slice(6)} prints`, async () => {
      assert.match(await pasted(line, service().url, {}), /^# (Spatial Frame Index API|Calling the API)\n/)
    })
  }
})
