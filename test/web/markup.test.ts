import assert from 'node:assert/strict'
import { html, markupText, type Html } from '../../src/app/shell/html.js'
import type { PageAnswer } from '../support/browse.js'
import { mint, service } from '../support/service.js'
import { actions, pathOf } from './actions.js'
import { organisation } from './organisation.js'
import { guest, rows } from './visitors.js'

const MARKUP = [
  '<script>alert(1)</script>',
  '<img src=x onerror=alert(1)>',
  '" onfocus="alert(1)" autofocus="',
  '</title><script>alert(1)</script>',
  '<!--<script>',
  '${alert(1)}',
  '{{constructor.constructor("alert(1)")()}}',
  'javascript:alert(1)',
  '&lt;script&gt;',
  '\\u003cscript\\u003e',
  '<form action="https://evil.example">',
  '<meta http-equiv=refresh content=0>',
  '<iframe src=//evil.example>',
  '＜script＞',
  '=cmd|x',
]

/** The same texts, as few names as hold them: each name takes pages of its own. */
const NAMES = MARKUP.reduce<string[]>((names, text) => {
  const last = names.at(-1)
  return last === undefined || last.length + text.length > 90
    ? [...names, text]
    : [...names.slice(0, -1), `${last} ${text}`]
}, [])

/** The elements and attributes of a page, without its texts. A text that became markup would add to them. */
const shapeOf = (page: string) =>
  [...page.matchAll(/<(\/?[a-z][\w-]*)((?:\s+[\w-]+(?:="[^"]*")?)*)\s*\/?>/gi)].map(([, name, attributes = '']) =>
    `${name} ${[...attributes.matchAll(/([\w-]+)(?:=")?/g)].length > 0 ? attributes.replace(/="[^"]*"/g, '') : ''}`
      .replace(/\s+/g, ' ')
      .trim(),
  )

describe('a name of thousands of letters', () => {
  it('is cut on every page, with or without blanks, and code, sentences and what was typed are not', async () => {
    const long = 'x'.repeat(5000)
    for (const [page, shown] of [
      [html`<td>${long}</td>`, `<td>${long.slice(0, 60)}…</td>`],
      [html`<li>${'ab '.repeat(2000)}</li>`, `<li>${'ab '.repeat(2000).slice(0, 500)}…</li>`],
      [html`${long}`, `${long.slice(0, 60)}…`],
      [html`<p>By ${long}</p>`, `<p>By ${long.slice(0, 60)}…</p>`],
      [html`<i>${`${'x'.repeat(59)}😀y`}</i>`, `<i>${'x'.repeat(59)}…</i>`],
      ...[html`<p class="lead">${long}</p>`, html`<pre id="a">${long}</pre>`, html`<code>${long}</code>`].map(whole),
      ...[html`<textarea name="a" rows="2">${long}</textarea>`, html`<a href="${long}">`, html`title="${long}"`].map(
        whole,
      ),
    ] as const)
      assert.equal(markupText(page), shown)
  })

  it('makes no page of an organisation longer or wider', async () => {
    const org = await organisation()
    const visitor = await org.enter()
    await org.rows('update organisation set name = $2::text || $1::text where org_id = $1::text', 'y'.repeat(5000))
    for (const path of ['map', 'account', 'keys', 'usage', 'datasets']) {
      const { status, text } = await visitor.get(`/app/${path}`)
      assert.equal(status, 200, path)
      assert.match(text, /y{60}…/, path)
      assert.doesNotMatch(text.replace(/<[^<>]*>/g, ''), /y{61}/, path)
    }
  })
})

/** A page that is shown as it is. */
function whole(page: Html): [Html, string] {
  const text = markupText(page)
  assert.ok(text.includes('x'.repeat(5000)))
  return [page, text]
}

describe('names full of markup', () => {
  /** Every page of an organisation in which everything that people name has one of these names. */
  const pagesOf = async (names: readonly string[]) => {
    const org = await organisation()
    const { orgId } = org
    const visitor = await org.enter(names[0])
    await org.rows(
      'update organisation set name = left($2::text, 100) || org_id where org_id = $1::text',
      names.join(' '),
    )
    const pages: PageAnswer[] = []
    const paths = actions.filter(({ method }) => method === 'GET').map((action) => pathOf(action))
    for (const [i, name] of names.entries()) {
      await org.add(name, 'member', name)
      const t = await org.link({ name })
      const link = guest()
      pages.push(await link.get(`/app/link?t=${t}`))
      await link.post('/app/link', { t }, { 'user-agent': name.replace(/[^\x20-\x7e]/g, '') })
      pages.push(await link.get('/app/account'))
      pages.push(await visitor.post('/app/members', { name, role: 'member' }))
      // The refused form has an e-mail address that is none, so its page differs from the others only in texts.
      pages.push(await visitor.post('/app/members', { name, email: name, role: name }))
      paths.push(`/app/keys/${(await mint(service().db, { org: orgId, name })).keyId}`)
      await org.rows(
        `insert into passkey (credential_id, person_id, public_key, name)
         select $2::text || org_id, person_id, 'x', $3::text from membership
         where org_id = $1::text and role = 'owner' order by created_at limit 1`,
        `passkey${i}`,
        name,
      )
      const layerId = `lyr_${orgId.slice(-12).toLowerCase()}${i}`
      paths.push(`/app/datasets/${layerId}`)
      await org.rows(
        `insert into dataset (layer_id, org_id, name, category, kind, vintage, description, version, items)
         select $2::text, $1::text, $3::text, $3::text, 'frames', $3::text, $3::text, nextval('dataset_version'), 1`,
        layerId,
        name,
      )
      await rows(
        `insert into attribute (layer_id, name, place, label, unit, type, summary, description, method)
         values ($1::text, 'n', 1, $2::text, $2::text, 'number', 'mean', $2::text, $2::text)`,
        layerId,
        name,
      )
    }
    for (const path of paths) pages.push(await visitor.get(path))
    return pages.filter(({ headers }) => headers['content-type']?.startsWith('text/html')).map(({ text }) => text)
  }

  it('of people, invitations, keys, passkeys and datasets stay texts on every page of src/app/console.ts', async () => {
    const plain = await pagesOf(NAMES.map((_text, i) => `Plain ${i}`))
    const marked = await pagesOf(NAMES)
    assert.ok(plain.length > 5 * NAMES.length + 10)
    const shown = marked.join('')
    for (const text of MARKUP.filter((each) => /[<"]/.test(each))) {
      assert.ok(!shown.includes(text), text)
      assert.ok(shown.includes(markupText(html`${text}`)), text)
    }
    // Lists are in the order of their names.
    const inOrder = (pages: readonly string[]) => pages.map((page) => shapeOf(page).toSorted())
    assert.ok(plain.every((page) => shapeOf(page).length > 20))
    assert.deepEqual(inOrder(marked), inOrder(plain))
  })

  it('in an address are shown nowhere', async () => {
    const owner = await (await organisation()).enter()
    for (const text of NAMES) {
      const sent = encodeURIComponent(text)
      for (const path of [sent, `members?q=${sent}`, `link?t=${sent}`]) {
        const { text: page } = await owner.get(`/app/${path}`)
        for (const each of MARKUP.filter(({ length }) => length > 8)) assert.ok(!page.includes(each), path)
      }
    }
    for (const name of ['constructor', '__proto__', 'toString', '%3Cb%3E']) {
      const [cookie = ''] = owner.cookies.keys()
      owner.cookies.set(`${cookie}-done`, name)
      assert.doesNotMatch((await owner.get('/app/members')).text, /role="status"/)
    }
  })
})

describe('the templates of the web app', () => {
  it('escape what is no markup, and leave out what is absent', () => {
    const text = `<b>&"'`
    assert.equal(
      markupText(html`<p title="${text}">${text}</p>`),
      '<p title="&lt;b&gt;&amp;&quot;&#39;">&lt;b&gt;&amp;&quot;&#39;</p>',
    )
    assert.equal(markupText(html`${[html`<i>`, 'x<', 1, null, undefined, false]}`), '<i>x&lt;1')
  })
})
