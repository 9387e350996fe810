/** Says in a sentence that the database went away or that its disk is full, what was changed, and what to do. */
import { isLost } from '../../core/db/index.js'

const DISK_FULL = '53100'

/** Undefined for another error. `changed` is a sentence. */
export function outageText(error: unknown, changed: string): string | undefined {
  const { code, message, path } = error as NodeJS.ErrnoException
  const reason = message === '' ? code : message
  if (code === DISK_FULL)
    return `The disk of the database is full (${reason}). ${changed} Make room on the server, then give the command again.`
  // A file that is missing has a path. The driver of "migrate" gives no code.
  if ((isLost(error) && path === undefined) || message.startsWith('Connection terminated'))
    return `The database went away, or cannot be reached (${reason}). ${changed} See that it runs, then give the command again.`
  return undefined
}

/** `work` calls `state` as soon as another sentence says what is changed. */
export async function sayingWhatChanged<Answer>(
  work: (state: (changed: string) => void) => Promise<Answer>,
): Promise<Answer> {
  let changed = 'Nothing was changed.'
  try {
    return await work((now) => {
      changed = now
    })
  } catch (error) {
    const text = outageText(error, changed)
    throw text === undefined ? error : new Error(text, { cause: error })
  }
}
