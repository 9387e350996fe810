/** Lines of the log on standard output: those of one turn of the event loop in one write. A write a line costs more than the line. */
import pino from 'pino'

type Lines = { write: (line: string) => void; flushSync: () => void }

let ofProcess: Lines | undefined

export const logLines = (): Lines => (ofProcess ??= toStandardOutput())

function toStandardOutput(): Lines {
  const out = pino.destination(1)
  let lines = ''
  const hand = () => {
    const due = lines
    lines = ''
    if (due !== '') out.write(due)
  }
  const flushSync = () => {
    hand()
    out.flushSync()
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
