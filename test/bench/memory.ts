/** Measures whether memory grows with requests, and how much a hundred of the largest answers take at once. */
import type { Machinery } from './contest.js'
import { load, loadScript } from './load.js'
import { forgetPeak, peakMiB, residentMiB } from './processes.js'
import { atMost, told, type Row } from './report.js'
import { atAsks, boxAsks, type Asked } from './rows.js'
import { startService, type Service } from './servers.js'

export async function memoryRows(
  machinery: Machinery,
  env: Record<string, string>,
  asked: Asked,
  requests: { few: number; many: number; more: number },
): Promise<Row[]> {
  const service = await startService(env, machinery.folder)
  try {
    const atStart = residentMiB(service.pid)
    const script = loadScript(atAsks(asked.keys, asked.points), machinery.folder)
    let answered = 0
    const until = async (wanted: number) => {
      while (answered < wanted) answered += (await load(service.url, script, 32, 1)).requests
      return settled(service)
    }
    const few = await until(requests.few)
    const afterFew = answered
    const many = await until(requests.many)
    const afterMany = answered
    const more = await until(requests.more)
    forgetPeak(service.pid)
    const boxes = loadScript(boxAsks(asked.keys, asked.boxes.boxes), machinery.folder)
    const large = await load(service.url, boxes, 100, 3)
    return [
      {
        key: 'memory',
        title: 'resident memory under /at',
        findings: [
          told('at start', atStart, ' MiB'),
          told(`after ${afterFew}`, few, ' MiB'),
          atMost(`after ${afterMany}, of that`, many / few, 1.05, ''),
          // The ratio shows a heap that leaks: another has found its size by now.
          told(`after ${answered}, of that`, more / many),
        ],
      },
      {
        key: 'memory-boxes',
        title: `100 boxes of ${asked.boxes.frames} frames at once`,
        findings: [atMost('highest', peakMiB(service.pid), 500, ' MiB'), told('answers', large.requests)],
      },
    ]
  } finally {
    await service.stop()
  }
}

/** Takes the lowest value of a second, after the calls under way have ended. */
async function settled({ pid }: Service): Promise<number> {
  let lowest = Infinity
  for (let i = 0; i < 10; i += 1) {
    await new Promise((done) => setTimeout(done, 100))
    lowest = Math.min(lowest, residentMiB(pid))
  }
  return lowest
}
