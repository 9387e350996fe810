import assert from 'node:assert/strict'
import { setImmediate as nextTurn, setTimeout as sleep } from 'node:timers/promises'
import { deadlineIn } from '../../src/core/deadline.js'
import { batch } from '../../src/core/batch.js'

type Sent = { questions: string[]; answer: (answers: string[]) => void; fail: (error: Error) => void }

/** A batch whose statements the test answers by hand. */
function batchByHand() {
  const sent: Sent[] = []
  const ask = batch(
    (questions: string[]) =>
      new Promise<string[]>((answer, fail) => {
        sent.push({ questions, answer, fail })
      }),
  )
  return { sent, ask }
}

/** A batch that waits is sent at the end of the turn after an answer. */
async function someTurns(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}

describe('a batch', () => {
  it('sends the questions of a turn as one statement at the end of the turn, and gives each its own answer', async () => {
    const { sent, ask } = batchByHand()
    const first = [ask('a'), ask('b')]
    assert.equal(sent.length, 0)
    await nextTurn()
    const waiting = [ask('c'), ask('d'), ask('e')]
    await nextTurn()
    assert.deepEqual(
      sent.map(({ questions }) => questions),
      [['a', 'b']],
    )
    sent[0]?.answer(['A', 'B'])
    await someTurns()
    assert.deepEqual(sent[1]?.questions, ['c', 'd', 'e'])
    sent[1]?.answer(['C', 'D', 'E'])
    assert.deepEqual(await Promise.all([...first, ...waiting]), ['A', 'B', 'C', 'D', 'E'])
  })

  it('sends one more where the first takes long, as on a connection that hangs, and no third', async () => {
    const { sent, ask } = batchByHand()
    const all = [ask('slow')]
    for (const question of ['next', 'last']) {
      await sleep(120)
      all.push(ask(question))
    }
    await nextTurn()
    assert.deepEqual(
      sent.map(({ questions }) => questions),
      [['slow'], ['next']],
    )
    sent[1]?.answer(['NEXT'])
    await someTurns()
    sent[0]?.answer(['SLOW'])
    await someTurns()
    sent[2]?.answer(['LAST'])
    assert.deepEqual(await Promise.all(all), ['SLOW', 'NEXT', 'LAST'])
  })

  it('never answers a question by a statement that was sent before the question, even if it asks the same', async () => {
    const { sent, ask } = batchByHand()
    const early = ask('key')
    await nextTurn()
    const late = ask('key')
    sent.shift()?.answer(['old'])
    assert.equal(await early, 'old')
    await someTurns()
    assert.equal(sent.length, 1, 'another statement was sent')
    sent[0]?.answer(['new'])
    assert.equal(await late, 'new')
  })

  it('fails its questions together, and the next batch is sent all the same', async () => {
    const { sent, ask } = batchByHand()
    const lost = [ask('a'), ask('b')]
    await nextTurn()
    const next = [ask('c'), ask('d')]
    const settled = Promise.allSettled([...lost, ...next])
    sent[0]?.fail(new Error('gone'))
    await someTurns()
    for (const query of sent.slice(1)) query.answer(query.questions.map((question) => question.toUpperCase()))
    assert.deepEqual(
      (await settled).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      ['gone', 'gone', 'C', 'D'],
    )
  })

  it('asks its questions one by one if PostgreSQL refuses one of them: the others get their answers', async () => {
    const { sent, ask } = batchByHand()
    const settled = Promise.allSettled(['a', 'bad', 'c'].map((question) => ask(question)))
    const fault = Object.assign(new Error('no such value'), { code: '22P02' })
    await nextTurn()
    sent[0]?.fail(fault)
    for (let place = 1; place < 4; place += 1) {
      await someTurns()
      const [question = ''] = sent[place]?.questions ?? []
      if (question === 'bad') sent[place]?.fail(fault)
      else sent[place]?.answer([question.toUpperCase()])
    }
    assert.deepEqual(
      (await settled).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      ['A', 'no such value', 'C'],
    )
  })

  it('sends up to 32 questions at once and half of a longer queue, but 500 at most', async () => {
    const { sent, ask } = batchByHand()
    const all = Promise.all(Array.from({ length: 1202 }, (_, i) => ask(String(i))))
    await nextTurn()
    const sizes: number[] = []
    for (let query = sent.shift(); query; query = sent.shift()) {
      sizes.push(query.questions.length)
      query.answer(query.questions)
      await someTurns()
    }
    assert.deepEqual(sizes, [500, 351, 176, 88, 44, 32, 11])
    assert.equal((await all).length, 1202)
  })

  describe('of questions with deadlines', () => {
    const refused = /did not answer within/

    it('refuses a question at its deadline, and does not send it after that', async () => {
      const { sent, ask } = batchByHand()
      void ask('a')
      await nextTurn()
      const deadline = deadlineIn(50)
      const from = performance.now()
      const late = ask('late', deadline)
      const patient = ask('patient', deadlineIn(10_000))
      await assert.rejects(late, refused)
      assert.ok(performance.now() - from < 1000)
      sent[0]?.answer(['A'])
      await someTurns()
      assert.deepEqual(sent[1]?.questions, ['patient'])
      sent[1]?.answer(['PATIENT'])
      assert.equal(await patient, 'PATIENT')
    })

    it('refuses a question at its deadline while the batch is under way, and answers the others', async () => {
      const { sent, ask } = batchByHand()
      const patient = ask('patient', deadlineIn(10_000))
      const hurried = ask('hurried', deadlineIn(50))
      await nextTurn()
      assert.deepEqual(sent[0]?.questions, ['patient', 'hurried'])
      await assert.rejects(hurried, refused)
      sent[0]?.answer(['PATIENT', 'HURRIED'])
      assert.equal(await patient, 'PATIENT')
    })

    it('refuses a question at once if its deadline has passed', async () => {
      const { sent, ask } = batchByHand()
      await assert.rejects(ask('late', deadlineIn(-1)), refused)
      await someTurns()
      assert.deepEqual(sent, [])
    })
  })
})
