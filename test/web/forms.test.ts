import assert from 'node:assert/strict'
import { newKeyId } from '../../src/core/access/keys.js'
import type { Visitor } from '../support/browse.js'
import { corpus } from '../support/corpus.js'
import { changes, pathOf } from './actions.js'
import { organisation, type Organisation } from './organisation.js'
import { isSaid } from './pages.js'

type Form = Readonly<Record<string, string>>

/** A line a mistake: the change, the status, fields that are wrong, each set by itself, and what the answer says. */
type Wrong = [change: string, status: number, fields: Form[], ...said: string[]]
const wrong = corpus<Wrong>('web/wrong-forms.jsonl')

/** A value of the file: "in 5 days" is a day, and "101 x" as many letters. */
const valueOf = (text: string): string => {
  const [, days, letters] = /^in (-?\d+) days$|^(\d+) x$/.exec(text) ?? []
  if (days !== undefined) return new Date(Date.now() + Number(days) * 86_400_000).toISOString().slice(0, 10)
  return letters === undefined ? text : 'x'.repeat(Number(letters))
}

describe('the changes of src/app/actions.ts', () => {
  let org: Organisation
  let owner: Visitor
  let ids: Record<string, string>
  /** Fields of each change that are right. */
  let good: Record<string, Form>
  beforeEach(async () => {
    org = await organisation()
    owner = await org.enter('Olu')
    await org.add('Musa')
    await owner.post('/app/members', { name: 'Invited', role: 'member' })
    await org.key()
    const personId = await org.idOf('Olu')
    await org.addPasskey(personId, 'Phone')
    await org.enter('Olu', 'owner', personId)
    ids = await org.ids()
    good = {
      'members.invite': { name: 'Ben', email: '', role: 'member' },
      'members.role': { role: 'admin' },
      'members.limit': { credits: '3' },
      'keys.mint': { key: newKeyId(), name: 'Kept', preset: 'analyst', reach: 'all', days: '30', until: '' },
      'keys.roll': { key: newKeyId(), grace: '24h', days: '30', until: '' },
      'keys.cap': { daily_credits: '50', monthly_words: '9' },
      'account.remove-passkey': { passkey: ids['passkey'] ?? '' },
      'account.organisation': { organisation: org.orgId },
    }
  })

  const actions = changes
  const pathTo = (change: string) => {
    const { path = '', least = 'owner' } = actions.find(({ name }) => name === change) ?? {}
    return pathOf({ method: 'POST', path, least }, ids)
  }

  it('say what every wrong field takes, keep what was typed, and change nothing', async () => {
    const before = await org.state()
    const forms = wrong.flatMap(([change, status, fields, ...said]) =>
      fields.map((over) => ({ change, status, over, said })),
    )
    for (const { change, status, over, said } of forms) {
      const typed = Object.fromEntries(Object.entries(over).map(([name, text]) => [name, valueOf(text)]))
      const form = { ...good[change], ...typed }
      const answer = await owner.post(pathTo(change), form)
      const title = `${change} ${JSON.stringify(over)}: ${answer.text}`
      assert.equal(answer.status, status, title)
      for (const sentence of said) assert.ok(isSaid(answer.text, sentence), `${sentence}; ${title}`)
      if (status !== 422) continue
      const faults = said.filter((sentence) => !/^~?(<(title|input|option)|value=|aria-|name=)/.test(sentence))
      assert.equal(answer.text.match(/<li><a href="#/g)?.length, faults.length, title)
      assert.match(answer.text, /class="fault"/)
      if (over['name'] === undefined && form['name'] !== undefined)
        assert.ok(answer.text.includes(`value="${form['name']}"`), title)
    }
    assert.equal((await owner.post('/app/keys/new/', good['keys.mint'])).status, 404, 'no form ends in a slash')
    assert.deepEqual(await org.state(), before)
  })

  for (const { name, notice, path } of actions)
    it(`include ${name}: it is made, leaves what tells of it, and ${notice === undefined ? 'answers at once' : 'is said once'}`, async () => {
      const before = await org.state()
      const { status, headers, text } = await owner.post(pathTo(name), good[name] ?? {})
      assert.ok([200, 303].includes(status), text)
      if (name !== 'account.organisation') assert.notDeepEqual(await org.state(), before, name)
      if (notice === undefined) return
      const section = /^\/\w+/.exec(path)?.[0]
      assert.equal(headers.location, `/app${section}`)
      assert.ok((await owner.get(`/app${section}`)).text.includes(notice))
      assert.ok(!(await owner.get(`/app${section}`)).text.includes(notice), 'a reload says it no more')
    })
})
