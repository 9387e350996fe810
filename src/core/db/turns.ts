/**
 * Reads for the pages of people take turns, person by person: nobody waits for all that another asked for. The calls of
 * keys take none, and find connections free.
 */
import type { connect, Database } from './connect.js'
import { CALLS_POOL } from './pool-sizes.js'
import { type Deadline, msLeft } from '../deadline.js'

/** Pages have half of the connections of a pool at most, and two where there are few. */
const PAGES_AT_ONCE = 2

/** Opens databases whose connections people share. */
export const sharedByPerson =
  (open: typeof connect): typeof connect =>
  (...given) => {
    const db = open(...given)
    const connections = given[1]?.connections ?? CALLS_POOL.connections
    const inTurn = turnsByPerson(Math.max(PAGES_AT_ONCE, Math.floor(connections / 2)))
    const rows: Database['rows'] = (text, args, as, deadline) =>
      deadline?.person === undefined
        ? db.rows(text, args, as, deadline)
        : inTurn(deadline.person, deadline, () => db.rows(text, args, as, deadline))
    return { ...db, rows }
  }

/** A view of the map asks for up to 120 tiles at once, each of which has one read under way or waiting. */
const WAITING_MOST = 200

/** So many reads of one person wait, or for so long, that this one is refused before its deadline. */
export class TooManyWaiting extends Error {
  /** By then the reads that wait now have had their turn, or were refused. */
  readonly retrySeconds: number

  constructor({ ms }: Deadline) {
    super('Too many reads of this person wait.')
    this.retrySeconds = Math.ceil(ms / 2000)
  }
}

export class HungUp extends Error {}

type Waiting = { deadline: Deadline; start: () => void; refuse: (error: Error) => void }
type Turns = <Answer>(person: string, deadline: Deadline, work: () => Promise<Answer>) => Promise<Answer>

/** Lets `atOnce` reads of people run at once, one fewer of the same person: others find a turn free. */
export function turnsByPerson(atOnce: number): Turns {
  const most = Math.max(1, atOnce - 1)
  const running: string[] = []
  /** The persons whose reads wait, in the order of their turns. The oldest request of a person comes first. */
  const queues = new Map<string, Waiting[]>()
  const mayStart = (person: string) =>
    running.length < atOnce && running.filter((other) => other === person).length < most

  const wait = (person: string, deadline: Deadline) =>
    new Promise<void>((done, refused) => {
      const queue = queues.get(person) ?? []
      // The page may need more turns after this one, before its deadline.
      const timer = setTimeout(
        () => {
          // The oldest request waits for reads of its own: it keeps its whole time.
          if (queue[0]?.deadline.at === deadline.at) return
          queue.splice(queue.indexOf(one), 1)
          refused(new TooManyWaiting(deadline))
        },
        msLeft(deadline) / 2,
      )
      const end = (next: () => void) => {
        clearTimeout(timer)
        next()
      }
      const one: Waiting = { deadline, start: () => end(done), refuse: (error) => end(() => refused(error)) }
      queue.splice(queue.findLastIndex((other) => other.deadline.at <= deadline.at) + 1, 0, one)
      queues.set(person, queue)
      if (queue.length > WAITING_MOST) refuseOne(queue)
    })

  function startNext(): void {
    for (const [person, queue] of queues) {
      if (!mayStart(person)) continue
      queues.delete(person)
      const next = queue.shift()
      if (queue.length > 0) queues.set(person, queue)
      if (next?.deadline.hangUp?.aborted) next.refuse(new HungUp())
      else if (next) {
        running.push(person)
        return next.start()
      }
    }
  }

  return async (person, deadline, work) => {
    if (mayStart(person)) running.push(person)
    else await wait(person, deadline)
    try {
      return await work()
    } finally {
      running.splice(running.indexOf(person), 1)
      startNext()
    }
  }
}

/** Refuses a read that nobody waits for any more, or else the one of the newest request. */
function refuseOne(queue: Waiting[]): void {
  const gone = queue.findIndex(({ deadline }) => deadline.hangUp?.aborted)
  const [one] = queue.splice(gone, 1)
  one?.refuse(gone === -1 ? new TooManyWaiting(one.deadline) : new HungUp())
}
