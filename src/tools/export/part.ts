/** Writes a file that is whole or not there: the work is done beside it, in a folder named FILE.part. */
import { mkdirSync, renameSync, rmSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { constants } from 'node:os'
import { takeLock } from '../../core/file-lock.js'

const ENDING = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const

/**
 * Gives the work an empty folder beside the file, and removes it at the end, on an error and on a signal. A process that
 * is killed leaves it to the next run. One process at a time writes a file.
 */
export async function withPart<Answer>(file: string, work: (folder: string) => Promise<Answer>): Promise<Answer> {
  const folder = `${file}.part`
  const lock = takeLock(`${folder}.lock`)
  if ('heldBy' in lock) throw new Error(`Process ${lock.heldBy} is writing ${file} already.`)
  const clear = () => {
    rmSync(folder, { recursive: true, force: true })
    lock.release()
  }
  const end = (signal: NodeJS.Signals) => {
    clear()
    process.exit(128 + constants.signals[signal])
  }
  for (const signal of ENDING) process.once(signal, end)
  try {
    rmSync(folder, { recursive: true, force: true })
    mkdirSync(folder)
    return await work(folder)
  } finally {
    for (const signal of ENDING) process.off(signal, end)
    clear()
  }
}

/** The file gets its name once its bytes are on the disk: a reader sees all of it or nothing. */
export async function nameFile(written: string, file: string): Promise<void> {
  const whole = await open(written, 'r+')
  try {
    await whole.sync()
  } finally {
    await whole.close()
  }
  renameSync(written, file)
}
