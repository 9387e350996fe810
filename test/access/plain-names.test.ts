import assert from 'node:assert/strict'
import { escapeControls, escapeLine, nameFault } from '../../src/core/plain-text.js'
import { frames, settingsFor } from '../support/cli.js'
import { enterMember } from '../support/people.js'
import { mint, newOrganisation, service } from '../support/service.js'

const BAD = [
  'A\u001b[2Jb',
  'A\u0007b',
  'A\nB',
  'A\r\nB',
  'A\tB',
  'A\u009b31mB',
  'A\u200bB',
  '\u202eevil',
  'A\u2066B',
  'A\ufeffB',
  'A\u2028B',
  'A\u007fB',
]
const INVISIBLE = ['\u200b\u200b', '\u2800', '\u3164', '\u00a0\u2003x'.slice(0, 2), '\u115f']
const GOOD = ['Ada', 'Ọlá Ẹ̀yẹ', "Ada's key, no. 2 (map)", '地図', 'مفتاح', '-', '🗺️'.slice(0, 2), '<b>']

describe('a name', () => {
  it('has no control character, no line break and no invisible character, and shows something', () => {
    for (const text of [...BAD, ...INVISIBLE]) assert.ok(nameFault(text), JSON.stringify(text))
    for (const text of [...GOOD, '']) assert.equal(nameFault(text), undefined, text)
  })

  it('is printed with its control characters escaped, which JSON reads as they were', () => {
    assert.equal(escapeLine('a\u001b[2J\nb\tc'), 'a\\u001b[2J\\u000ab\\u0009c')
    assert.equal(escapeControls('a\nb\u0007\u009b\u{e0001}'), 'a\nb\\u0007\\u009b\\udb40\\udc01')
    for (const text of BAD)
      assert.equal((JSON.parse(escapeControls(JSON.stringify({ text }))) as { text: string }).text, text)
  })
})

describe('names that a terminal would obey', () => {
  let env: Record<string, string>
  let org: string
  before(async () => {
    env = settingsFor(service().database.ownerTarget)
    org = await newOrganisation(service().db)
  })

  it('are refused by the command line', async () => {
    const bad = 'A\u001b[2J'
    const commands = [
      ['orgs', 'create', '--plan', 'trial', '--name', bad],
      ['keys', 'mint', '--org', org, '--preset', 'analyst', '--expires', '30d', '--name', bad],
      ['people', 'invite', '--org', org, '--role', 'member', '--email', 'a@b.example', '--name', bad],
      ['people', 'invite', '--org', org, '--role', 'member', '--email', 'a\u0007@b.example'],
    ]
    for (const words of commands) {
      const { status, err } = await frames(words, env)
      assert.notEqual(status, 0, words.join(' '))
      assert.doesNotMatch(err, /(?!\n)\p{C}/u)
    }
  })

  it('are printed escaped where they are older than the rule, each on a line of its own', async () => {
    const bad = 'A\u001b[2J\u202e\nkey_forged  …abcd  valid'
    const { keyId } = await mint(service().db, { org, name: 'Old' })
    await service().db.rows('update api_key set name = $1::text where key_id = $2::text', [bad, keyId])
    await enterMember(service().db, { orgId: org, role: 'member', name: bad, email: 'x\u0007@example.org' })
    for (const words of [
      ['keys', 'list'],
      ['people', 'list'],
      ['events'],
      ['events', '--json'],
      ['keys', 'list', '--json'],
    ]) {
      const { out, status } = await frames([...words, '--org', org], env)
      assert.equal(status, 0)
      assert.doesNotMatch(out, /(?!\n)\p{C}/u, words.join(' '))
      assert.doesNotMatch(out, /^key_forged/m, words.join(' '))
      assert.match(out, /\\u001b/, words.join(' '))
    }
  })
})
