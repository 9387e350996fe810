import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { together } from '../../src/db/together.js'

type Sent = { questions: string[]; answer: (answers: string[]) => void; fail: (error: Error) => void }

/** Asks through `together`, and lets the test answer each query by hand. */
function byHand() {
  const sent: Sent[] = []
  const ask = together(
    (questions: string[]) =>
      new Promise<string[]>((answer, fail) => {
        sent.push({ questions, answer, fail })
      }),
  )
  return { sent, ask }
}

describe('questions that wait together', () => {
  it('are sent as one, each with its own answer', async () => {
    const { sent, ask } = byHand()
    const first = [ask('a'), ask('b')]
    const waiting = [ask('c'), ask('d'), ask('e')]
    assert.deepEqual(
      sent.map(({ questions }) => questions),
      [['a'], ['b']],
    )
    sent[0]?.answer(['A'])
    await sleep(1)
    assert.deepEqual(sent[2]?.questions, ['c', 'd', 'e'])
    sent[1]?.answer(['B'])
    sent[2]?.answer(['C', 'D', 'E'])
    assert.deepEqual(await Promise.all([...first, ...waiting]), ['A', 'B', 'C', 'D', 'E'])
  })

  it('are never answered by a query sent before they came, also when it asks the same', async () => {
    const { sent, ask } = byHand()
    const early = [ask('key'), ask('key')]
    const late = ask('key')
    for (const query of sent.splice(0)) query.answer(['old'])
    assert.deepEqual(await Promise.all(early), ['old', 'old'])
    await sleep(1)
    assert.equal(sent.length, 1, 'another query was sent')
    sent[0]?.answer(['new'])
    assert.equal(await late, 'new')
  })

  it('fail together with their query, and the next is sent all the same', async () => {
    const { sent, ask } = byHand()
    const lost = [ask('a'), ask('b'), ask('c'), ask('d')]
    const told = Promise.allSettled(lost)
    sent[0]?.fail(new Error('gone'))
    sent[1]?.fail(new Error('gone'))
    await sleep(1)
    for (const query of sent.slice(2)) query.answer(query.questions.map((question) => question.toUpperCase()))
    assert.deepEqual(
      (await told).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      ['gone', 'gone', 'C', 'D'],
    )
  })

  it('are asked one by one where one of them has no answer: the others get theirs', async () => {
    const { sent, ask } = byHand()
    const early = [ask('a'), ask('b')]
    const told = Promise.allSettled(['c', 'bad', 'e'].map(ask))
    const fault = Object.assign(new Error('no such value'), { code: '22P02' })
    sent[0]?.answer(['A'])
    await sleep(1)
    sent[2]?.fail(fault)
    for (let place = 3; place < 6; place += 1) {
      await sleep(1)
      const [question = ''] = sent[place]?.questions ?? []
      if (question === 'bad') sent[place]?.fail(fault)
      else sent[place]?.answer([question.toUpperCase()])
    }
    sent[1]?.answer(['B'])
    assert.deepEqual(await Promise.all(early), ['A', 'B'])
    assert.deepEqual(
      (await told).map((each) => (each.status === 'fulfilled' ? each.value : (each.reason as Error).message)),
      ['C', 'no such value', 'E'],
    )
  })

  it('are at most 500 in a query', async () => {
    const { sent, ask } = byHand()
    const all = Promise.all(Array.from({ length: 1202 }, (_, i) => ask(String(i))))
    const sizes: number[] = []
    for (let query = sent.shift(); query; query = sent.shift()) {
      sizes.push(query.questions.length)
      query.answer(query.questions)
      await sleep(1)
    }
    assert.deepEqual(sizes, [1, 1, 500, 500, 200])
    assert.equal((await all).length, 1202)
  })
})
