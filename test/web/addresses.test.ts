import assert from 'node:assert/strict'
import { readdirSync, writeFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import type { Visitor } from '../support/browse.js'
import { corpus } from '../support/corpus.js'
import { organisation } from './organisation.js'
import { factLike, factsOf, isSaid } from './pages.js'
import { guest, memberOf, rows } from './visitors.js'

/**
 * A line is a rule, or addresses that hold it: who opens each, the path below /app, the status with where it leads (or
 * a pattern of both, after ~), and what the page says, which isSaid of pages.ts reads. UPDATE=1 writes the facts of the
 * page into lines of one address, in place of others or of "lead: ?".
 */
type Address = [who: string, addresses: string | string[], answer: number | string, ...said: string[]]

const isUpdate = process.env['UPDATE'] !== undefined

/** The rules of a file, with their addresses. */
function rulesIn(lines: readonly (string | Address)[]): Map<string, Address[]> {
  const rules = new Map<string, Address[]>()
  let addresses: Address[] = []
  for (const line of lines) {
    if (typeof line === 'string') rules.set(line, (addresses = []))
    else addresses.push(line)
  }
  return rules
}

const isPattern = (answer: number | string): answer is string => String(answer).startsWith('~')

const visitors = new Map<string, Promise<Visitor>>()
const enter = async (who: string): Promise<Visitor> => {
  if (who === 'nobody') return guest()
  if (who !== 'stranger') return await memberOf(who)
  return await (await organisation()).enter()
}
const visitorNamed = (who: string): Promise<Visitor> => {
  const known = visitors.get(who) ?? enter(who)
  visitors.set(who, known)
  return known
}

const folder = new URL('test/web/addresses/', projectFolder)
for (const file of readdirSync(folder))
  describe(`the addresses of ${file}`, () => {
    const lines = corpus<string | Address>(`web/addresses/${file}`)
    const charged = async () => (await rows<{ n: number }>('select count(*)::int as n from credit_entry'))[0]?.n
    let asBefore: number | undefined
    before(async () => (asBefore = await charged()))
    after(async () => {
      if (isUpdate) writeFileSync(new URL(file, folder), lines.map((line) => `${JSON.stringify(line)}\n`).join(''))
      assert.equal(await charged(), asBefore, 'a page is free')
    })

    for (const [rule, addresses] of rulesIn(lines))
      it(rule, async () => {
        const each = addresses.flatMap((line) => [line[1]].flat().map((path) => ({ line, path })))
        const faults = await Promise.all(
          each.map(async ({ line, path }) => {
            const [who, paths, expected, ...said] = line
            const written = path.replace(/[^!-~]+|["{}]/g, encodeURIComponent)
            const { status, headers, text } = await (await visitorNamed(who)).get(`/app${written}`)
            const answer = headers.location === undefined ? status : `${status} ${headers.location}`
            const isAnswered = isPattern(expected)
              ? new RegExp(expected.slice(1)).test(`${answer}`)
              : answer === expected
            const facts = said.map((sentence) => factLike(text, sentence) ?? sentence)
            if (isUpdate && typeof paths === 'string') line.splice(3, said.length, ...facts)
            const lacking = said.filter((sentence) => !isSaid(text, sentence))
            if (isAnswered && lacking.length === 0) return []
            return [{ who, path, answer, lacking, facts: factsOf(text) }]
          }),
        )
        assert.deepEqual(faults.flat(), [])
      })
  })
