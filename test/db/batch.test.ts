import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { deadlineIn } from '../../src/deadline.js'
import { batch } from '../../src/batch.js'

type Sent = { questions: string[]; answer: (answers: string[]) => void; fail: (error: Error) => void }

/** Asks through `batch`, and lets the test answer each query by hand. */
function byHand() {
  const sent: Sent[] = []
  const ask = batch(
    (questions: string[]) =>
      new Promise<string[]>((answer, fail) => {
        sent.push({ questions, answer, fail })
      }),
  )
  return { sent, ask }
}

/** What waits after an answer is sent at the end of the turn after it. */
async function sentSince(): Promise<void> {
  for (let turn = 0; turn < 3; turn += 1) await nextTurn()
}

describe('questions that wait batch', () => {
  it('are sent as one at the end of their turn, each with its own answer', async () => {
    const { sent, ask } = byHand()
    const first = [ask('a'), ask('b')]
    assert.equal(sent.length, 0)
    await nextTurn()
    const second = [ask('c')]
    await nextTurn()
    const waiting = [ask('d'), ask('e'), ask('f')]
    await nextTurn()
    assert.deepEqual(
      sent.map(({ questions }) => questions),
      [['a', 'b'], ['c']],
    )
    sent[0]?.answer(['A', 'B'])
    await sentSince()
    assert.deepEqual(sent[2]?.questions, ['d', 'e', 'f'])
    sent[1]?.answer(['C'])
    sent[2]?.answer(['D', 'E', 'F'])
    assert.deepEqual(await Promise.all([...first, ...second, ...waiting]), ['A', 'B', 'C', 'D', 'E', 'F'])
  })

  it('are never answered by a query sent before they came, also when it asks the same', async () => {
    const { sent, ask } = byHand()
    const early: Promise<string>[] = []
    for (let i = 0; i < 2; i += 1) {
      early.push(ask('key'))
      await nextTurn()
    }
    const late = ask('key')
    for (const query of sent.splice(0)) query.answer(['old'])
    assert.deepEqual(await Promise.all(early), ['old', 'old'])
    await sentSince()
    assert.equal(sent.length, 1, 'another query was sent')
    sent[0]?.answer(['new'])
    assert.equal(await late, 'new')
  })

  it('fail batch with their query, and the next is sent all the same', async () => {
    const { sent, ask } = byHand()
    const lost = [ask('a'), ask('b')]
    await nextTurn()
    const next = [ask('c'), ask('d')]
    const told = Promise.allSettled([...lost, ...next])
    sent[0]?.fail(new Error('gone'))
    await sentSince()
    for (const query of sent.slice(1)) query.answer(query.questions.map((question) => question.toUpperCase()))
    assert.deepEqual(
      (await told).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      ['gone', 'gone', 'C', 'D'],
    )
  })

  it('are asked one by one where one of them has no answer: the others get theirs', async () => {
    const { sent, ask } = byHand()
    const told = Promise.allSettled(['a', 'bad', 'c'].map((question) => ask(question)))
    const fault = Object.assign(new Error('no such value'), { code: '22P02' })
    await nextTurn()
    sent[0]?.fail(fault)
    for (let place = 1; place < 4; place += 1) {
      await sentSince()
      const [question = ''] = sent[place]?.questions ?? []
      if (question === 'bad') sent[place]?.fail(fault)
      else sent[place]?.answer([question.toUpperCase()])
    }
    assert.deepEqual(
      (await told).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      ['A', 'no such value', 'C'],
    )
  })

  it('are sent up to 16 at once, and of more half, but 500 at most', async () => {
    const { sent, ask } = byHand()
    const all = Promise.all(Array.from({ length: 1202 }, (_, i) => ask(String(i))))
    await nextTurn()
    const sizes: number[] = []
    for (let query = sent.shift(); query; query = sent.shift()) {
      sizes.push(query.questions.length)
      query.answer(query.questions)
      await sentSince()
    }
    assert.deepEqual(sizes, [500, 351, 176, 88, 44, 22, 16, 5])
    assert.equal((await all).length, 1202)
  })

  describe('each with a deadline', () => {
    const refused = /did not answer within/

    it('leave the queue at their deadline: they are refused then, and not sent after that', async () => {
      const { sent, ask } = byHand()
      for (const first of ['a', 'b']) {
        void ask(first)
        await nextTurn()
      }
      const deadline = deadlineIn(50)
      const from = performance.now()
      const late = ask('late', deadline)
      const patient = ask('patient', deadlineIn(10_000))
      await assert.rejects(late, refused)
      assert.ok(performance.now() - from < 1000)
      sent[0]?.answer(['A'])
      await sentSince()
      assert.deepEqual(sent[2]?.questions, ['patient'])
      sent[2]?.answer(['PATIENT'])
      assert.equal(await patient, 'PATIENT')
    })

    it('are refused at their deadline while their query is away, and the others of it are answered', async () => {
      const { sent, ask } = byHand()
      const patient = ask('patient', deadlineIn(10_000))
      const hurried = ask('hurried', deadlineIn(50))
      await nextTurn()
      assert.deepEqual(sent[0]?.questions, ['patient', 'hurried'])
      await assert.rejects(hurried, refused)
      sent[0]?.answer(['PATIENT', 'HURRIED'])
      assert.equal(await patient, 'PATIENT')
    })

    it('are refused at once where their deadline has passed', async () => {
      const { sent, ask } = byHand()
      await assert.rejects(ask('late', deadlineIn(-1)), refused)
      await sentSince()
      assert.deepEqual(sent, [])
    })
  })
})
