/** Answers that a played server draws out. */
import type { ServerResponse } from 'node:http'

/** Sends 20 characters a second. */
export function trickle(text: string, res: ServerResponse): void {
  let at = 0
  const timer = setInterval(() => {
    if (res.destroyed || at >= text.length) return clearInterval(timer)
    res.write(text[at])
    at += 1
  }, 50)
}

/** Sends 200 MB of a string that never ends, as fast as the client reads. */
export async function flood(res: ServerResponse): Promise<void> {
  const chunk = Buffer.alloc(1024 * 1024, 'a')
  res.write('{"type":"message","text":"')
  for (let i = 0; i < 200 && !res.destroyed; i += 1) {
    if (!res.write(chunk)) await new Promise<void>((done) => void res.once('drain', done).once('close', done))
  }
  res.end()
}
