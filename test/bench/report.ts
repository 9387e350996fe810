/** What a bench says of each check, and how many failed. */

export const say = (line: string) => void process.stdout.write(`${line}\n`)
let failed = 0

export function check(what: string, good: boolean, figure: string): void {
  if (!good) failed += 1
  say(`${good ? 'ok    ' : 'FAILED'}  ${what.padEnd(58)} ${figure}`)
}

/** The quickest of several runs: what the work costs, without what else the machine did. */
export async function milliseconds(work: () => Promise<unknown>): Promise<number> {
  const times: number[] = []
  for (let i = 0; i < 7; i += 1) {
    const from = performance.now()
    await work()
    times.push(performance.now() - from)
  }
  return Math.min(...times)
}

export const failures = () => failed

export const ms = (time: number) => `${time.toFixed(1)} ms`
