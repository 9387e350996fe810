/** Starts Redis servers for tests, each in a temporary folder and on a free port. */
import { spawn, type ChildProcess } from 'node:child_process'
import { rmSync } from 'node:fs'
import { connect } from 'node:net'
import { endsWithTests } from './children.js'
import { once } from './once.js'
import { freePort } from './postgres-server.js'
import { newFolder } from './temporary.js'
import { until } from './until.js'

export type RedisServer = {
  url: string
  port: number
  pid: () => number
  start: () => Promise<void>
  /** Ends it as a loss of power does. */
  kill: () => Promise<void>
  /** Hangs it: the connections stay, and it answers nothing. */
  freeze: () => void
  thaw: () => void
  /** Sends a command, and returns the bytes of the reply. */
  say: (...words: string[]) => Promise<string>
  sayAs: (password: string, ...words: string[]) => Promise<string>
  stop: () => Promise<void>
}

/** Starts the Redis of this test process at the first call. */
export const redisServer = once(() => startRedis())

export async function startRedis(settings: Record<string, string> = {}, run = true): Promise<RedisServer> {
  const folder = newFolder('redis')
  const port = await freePort()
  let child: ChildProcess | undefined

  const options = { port: String(port), bind: '127.0.0.1', save: '', dir: folder, ...settings }
  const words = Object.entries(options).flatMap(([name, value]) => [`--${name}`, value])
  const start = async () => {
    child = spawn('redis-server', words, { stdio: 'ignore' })
    endsWithTests(child)
    const answers = async () => {
      if (child?.exitCode != null) throw new Error(`Redis did not start: exit status ${child.exitCode}.`)
      return await say(port, ['PING']).then(Boolean, () => false)
    }
    await until(answers, { ms: 5000, everyMs: 25, why: () => 'Redis did not answer' })
  }
  const kill = async () => {
    const running = child
    if (!running || running.exitCode !== null || running.signalCode !== null) return
    const ended = new Promise((done) => running.once('exit', done))
    running.kill('SIGKILL')
    await ended
  }
  if (run) await start()
  return {
    url: `redis://127.0.0.1:${port}`,
    port,
    pid: () => child?.pid ?? 0,
    start,
    kill,
    freeze: () => void child?.kill('SIGSTOP'),
    thaw: () => void child?.kill('SIGCONT'),
    say: (...said) => say(port, said),
    sayAs: (password, ...said) => say(port, said, password),
    stop: async () => {
      await kill()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

const written = (words: string[]) =>
  `*${words.length}\r\n${words.map((word) => `$${Buffer.byteLength(word)}\r\n${word}\r\n`).join('')}`

export function say(port: number, words: string[], password?: string): Promise<string> {
  return new Promise((done, failed) => {
    const socket = connect(port, '127.0.0.1')
    socket.once('error', failed)
    socket.once('data', (data) => {
      socket.destroy()
      done(data.toString())
    })
    socket.write((password === undefined ? '' : written(['AUTH', password])) + written(words))
  })
}
