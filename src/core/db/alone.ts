/** Imports and builds: one process at a time does them on a database. */
import type { Database, SocketTarget } from './database.js'
import { takeLock } from './lock.js'
import { statement } from './statement.js'

/** Any number that no other program on the database is likely to lock. */
const LOADING_LOCK = '4170001'

const loadingLock = statement<[key: string], { isTaken: boolean }>('session/loading_lock')
const loadingUnlock = statement<[key: string], { wasHeld: boolean }>('session/loading_unlock')

/** `session` is one connection: PostgreSQL gives the lock back when its session ends. */
export async function aloneByDatabase<Answer>(
  session: Pick<Database, 'rows'>,
  busy: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const [lock] = await loadingLock(session, LOADING_LOCK)
  if (!lock?.isTaken) throw new Error(busy)
  try {
    return await work()
  } finally {
    await loadingUnlock(session, LOADING_LOCK)
  }
}

/** All clients of an embedded database share one session, so an advisory lock cannot tell them apart. */
export async function aloneByFile<Answer>(
  { host }: SocketTarget,
  busy: string,
  work: () => Promise<Answer>,
): Promise<Answer> {
  const lock = takeLock(`${host}/loading.lock`)
  if ('heldBy' in lock) throw new Error(busy)
  try {
    return await work()
  } finally {
    lock.release()
  }
}
