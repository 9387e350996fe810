/** Lines of the log on standard output: those of one turn of the event loop in one write. A write a line costs more than the line. */
import pino from 'pino'

type Lines = { write: (line: string) => void; flushSync: () => void }

/** For one log in the process: the lines that two of them write do not keep their order. */
export function logLines(): Lines {
  const out = pino.destination(1)
  // What is handed to the other is written by a thread, for which the end of the process does not wait.
  const atOnce = pino.destination({ dest: 1, sync: true })
  let lines = ''
  const take = () => {
    const taken = lines
    lines = ''
    return taken
  }
  const hand = () => {
    if (lines !== '') out.write(take())
  }
  const flushSync = () => {
    out.flushSync()
    if (lines !== '') atOnce.write(take())
  }
  // Before pino's own, which closes the stream.
  process.prependOnceListener('exit', flushSync)
  return {
    write: (line) => {
      if (lines === '') setImmediate(hand)
      lines += line
    },
    flushSync,
  }
}
