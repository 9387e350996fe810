import assert from 'node:assert/strict'
import { temporaryFolder } from '../load/files.js'
import { frames } from '../support/cli.js'
import { service } from '../support/service.js'
import { startWordingServer, type WordingServer } from '../support/wording-server.js'
import { ask, plan, subjectIdIn } from '../insight/plans.js'

const sets = { centre: ['322074005', '322074006'], far: ['324378020'] }
const people = {
  id: 'people',
  question: 'how many people live here',
  first: '^Population, 2026 estimate, total$',
  value: '^20,269 people$',
}

describe('frames questions check', function () {
  this.timeout(60_000)
  const files = temporaryFolder()
  after(() => files.remove())

  const check = (file: unknown, words: string[] = [], env: Record<string, string> = {}) => {
    const target = service().database.ownerTarget
    const where = typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }
    const path = files.write('questions.json', typeof file === 'string' ? file : JSON.stringify(file))
    return frames(['questions', 'check', path, ...words], { ...env, ...where })
  }

  it('ends with status 0 where every answer is the expected one', async () => {
    const questions = [
      people,
      {
        question: 'how many people and how many buildings are there',
        first: '^Population',
        also: ['^Buildings, total$'],
      },
      { question: 'how many people died of cholera', kind: 'N' },
      { question: 'median population', kind: 'D' },
      { question: 'tell me about this place', kind: 'P' },
    ]
    const { status, out, err } = await check({ sets, questions })
    assert.deepEqual([status, err], [0, ''], out)
    assert.deepEqual(out.trim().split('\n'), ['E: 1 of 1', 'M: 1 of 1', 'N: 1 of 1', 'D: 1 of 1', 'P: 1 of 1'])
  })

  it('prints what came in place of the expected answer, and ends with status 1', async () => {
    const { status, out, err } = await check({ sets, questions: [people] }, ['--set', 'far'])
    assert.equal(status, 1)
    assert.match(out, /^people \(E\) how many people live here\n {2}first: Population, 2026 estimate, total: \d/)
    assert.match(err, /1 of 1 answer is not as expected\./)
    const asJson = JSON.parse((await check({ sets, questions: [people] }, ['--set', 'far', '--json'])).out) as {
      ok: boolean
      misses: { id: string }[]
    }
    assert.deepEqual([asJson.ok, asJson.misses.map(({ id }) => id)], [false, ['people']])
  })

  it('names what is wrong with a file', async () => {
    const wrong: [file: unknown, reason: RegExp][] = [
      ['{', /this is not JSON/],
      [{ sets }, /\{"questions": \[\.\.\.\]\} is needed/],
      [{ questions: [people] }, /question 1: "frameIds" or the name of a set is needed/],
      [{ sets, questions: [{ ...people, kind: 'Q' }] }, /question 1: kind E, M, N, D, F, P is accepted, "Q" came/],
      [{ sets, questions: [{ ...people, first: '(' }] }, /question 1: "\(" is not a pattern/],
    ]
    for (const [file, reason] of wrong) {
      const { status, err } = await check(file)
      assert.equal(status, 1)
      assert.match(err, reason)
    }
  })

  it('charges nothing', async () => {
    const balances = () => service().db.rows('select * from account order by org_id', [])
    const before = JSON.stringify(await balances())
    await check({ sets, questions: [{ question: 'how many shops are there', first: '^Shops, total$' }] })
    assert.equal(JSON.stringify(await balances()), before)
  })

  describe('with the model', () => {
    const swahili = { question: 'Watu wangapi wanaishi hapa?', first: people.first, value: people.value }
    const file = { sets, questions: [people, swahili] }
    let wording: WordingServer
    before(async () => (wording = await startWordingServer()))
    after(() => wording.close())
    beforeEach(() => {
      wording.planRequests.length = 0
      wording.behavePlanning(({ body }) => ({
        text: JSON.stringify(plan({ asks: [ask(swahili.question, subjectIdIn(body, /"Population, 2026/))] })),
      }))
    })
    const withModel = (...words: string[]) =>
      check(file, words, { ANTHROPIC_API_KEY: 'k', ANTHROPIC_BASE_URL: wording.url })

    it('asks it for the questions that leave words over, and counts its plans', async () => {
      assert.equal((await check(file)).status, 1)
      assert.equal(wording.planRequests.length, 0)
      const { status, out, err } = await withModel('--model')
      assert.deepEqual([status, err], [0, ''], out)
      assert.deepEqual(out.trim().split('\n'), ['E: 2 of 2', 'Plans of the model: 1 planned'])
      assert.equal(wording.planRequests.length, 1)
      assert.equal(wording.requests.length, 0, 'no words are asked for')
    })

    it('does not ask it without --model, whatever the settings', async () => {
      assert.equal((await withModel()).status, 1)
      assert.equal(wording.planRequests.length, 0)
    })

    it('gets the answers that come without it where it fails, and says how often it failed', async () => {
      const expected = JSON.parse((await check(file, ['--json'])).out) as { misses: object[]; totals: object[] }
      for (const [behaviour, outcome] of [
        [{ fail: 500 }, 'failed'],
        [{ text: '{"asks": [' }, 'refused'],
        [{ fail: 'hang before headers' }, 'late'],
      ] as const) {
        wording.behavePlanning(behaviour)
        const { status, out } = await withModel('--model', '--json')
        assert.equal(status, 1)
        assert.deepEqual(JSON.parse(out), { ...expected, plans: [{ outcome, questions: 1 }] })
      }
    })

    it('needs a key', async () => {
      const { status, err } = await check(file, ['--model'])
      assert.deepEqual([status, err], [1, '--model needs ANTHROPIC_API_KEY.\n'])
    })
  })
})
