import assert from 'node:assert/strict'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { HungUp, TooManyWaiting, turnsByPerson } from '../../src/core/db/turns.js'
import { byDeadline, deadlineIn, type Deadline } from '../../src/core/deadline.js'

/** Reads whose ends the test decides; `started` has their names in the order in which they began. */
function readsByHand(atOnce: number) {
  const inTurn = turnsByPerson(atOnce)
  const started: string[] = []
  const ends = new Map<string, () => void>()
  const read = (name: string, deadline: Partial<Deadline> = {}) => {
    const answer = inTurn(name[0] ?? '', { ...deadlineIn(60_000), ...deadline }, async () => {
      started.push(name)
      await new Promise<void>((end) => ends.set(name, end))
      return name
    })
    answer.catch(() => {})
    return answer
  }
  const end = async (name: string) => {
    ends.get(name)?.()
    await nextTurn()
  }
  return { read, end, started }
}

describe('the reads of people', () => {
  it('leave a turn free for others, who come one after the other', async () => {
    const { read, end, started } = readsByHand(3)
    for (const name of ['a1', 'a2', 'a3', 'a4', 'a5', 'b1', 'b2', 'c1']) void read(name)
    assert.deepEqual(started, ['a1', 'a2', 'b1'])
    for (const name of ['a1', 'b1', 'a3', 'b2', 'a2', 'c1']) await end(name)
    assert.deepEqual(started, ['a1', 'a2', 'b1', 'a3', 'b2', 'c1', 'a4', 'a5'])
  })

  it('go in the order in which their requests came, not their statements', async () => {
    const { read, end, started } = readsByHand(2)
    const [first, second] = [deadlineIn(60_000), deadlineIn(60_001)]
    for (const [name, deadline] of [
      ['a1', first],
      ['a2 of the second', second],
      ['a2 of the first', first],
    ] as const)
      void read(name, deadline)
    await end('a1')
    assert.deepEqual(started, ['a1', 'a2 of the first'])
  })

  it('are not made for a client that has hung up, and make way for those that still wait', async () => {
    const { read, end, started } = readsByHand(2)
    const hungUp = new AbortController()
    void read('a0')
    const gone = Array.from({ length: 200 }, (_, i) => read(`a${i} gone`, { hangUp: hungUp.signal }))
    hungUp.abort()
    const late = Array.from({ length: 150 }, (_, i) => read(`a${i} late`))
    await end('a0')
    assert.deepEqual(started, ['a0', 'a0 late'])
    const ended = await Promise.allSettled(gone)
    assert.ok(ended.every((each) => each.status === 'rejected' && each.reason instanceof HungUp))
    for (let i = 0; i < late.length; i += 1) await end(`a${i} late`)
    assert.equal((await Promise.all(late)).length, 150)
  })

  it('are refused before their deadline, where an older request of the person waits too', async () => {
    const { read } = readsByHand(2)
    void read('a1')
    const [older, late] = [deadlineIn(90), deadlineIn(100)]
    void read('a2 of an older request', older)
    await assert.rejects(byDeadline(read('a2', late), late), TooManyWaiting)
  })
})
