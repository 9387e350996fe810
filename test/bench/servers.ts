/** Starts the processes under load: each is a real one, as in production. */
import { spawn, type ChildProcess } from 'node:child_process'
import { openSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/core/db/statement.js'
import { execForm } from '../support/dockerfile.js'
import { freePort } from '../support/postgres-server.js'

export type Service = {
  url: string
  pid: number
  /** All of these processes answer behind the address. */
  pids: number[]
  said: () => string
  stop: () => Promise<void>
}

/** The buckets are so large that no call is refused, but every call is metered. */
const ROOMY = '999999/999999'
const roomy = { BUCKET_KEY: ROOMY, BUCKET_ORGANISATION: ROOMY, BUCKET_INSIGHT: ROOMY }

export const thisProject = fileURLToPath(projectFolder)

const START_MS = 120_000

/** Starts `serve` of a built checkout as its image does. Its access log goes to a file, as in production. */
export async function startService(
  env: Record<string, string>,
  folder: string,
  project: string = thisProject,
): Promise<Service> {
  const { PATH, HOME, NODE_OPTIONS } = process.env
  // BENCH_NODE_OPTIONS="--cpu-prof --cpu-prof-dir=.bench" writes a profile.
  const asked = process.env['BENCH_NODE_OPTIONS']?.split(' ') ?? []
  const child = spawn(process.execPath, [...asked, ...wordsOfImage(project), 'serve'], {
    cwd: project,
    env: { PATH, HOME, NODE_OPTIONS, PORT: '0', OPS_PORT: '0', ...roomy, ...env },
    stdio: ['ignore', openSync(join(folder, 'access.log'), 'a'), 'pipe'],
  })
  let said = ''
  child.stderr?.on('data', (data: Buffer) => (said += data.toString()))
  const url = await until(child, 'The service', () => /Listening on (\S+)/.exec(said)?.[1]).catch((error: Error) => {
    throw new Error(`${error.message} ${said}`)
  })
  const pid = child.pid ?? 0
  return { url, pid, pids: [pid], said: () => said, stop: () => ended(child, 'SIGTERM') }
}

/** The image starts a program with these words after "node". */
const wordsOfImage = (project: string): string[] =>
  execForm(readFileSync(join(project, 'Dockerfile'), 'utf8'), 'ENTRYPOINT').slice(1)

/** Starts nginx in front of several services. */
export async function startProxy(services: readonly Service[], folder: string): Promise<Service> {
  const port = await freePort()
  const file = join(folder, 'nginx.conf')
  const servers = services.map(({ url }) => `server ${new URL(url).host};`).join(' ')
  writeFileSync(
    file,
    `daemon off; worker_processes 1; pid ${folder}/nginx.pid; error_log ${folder}/nginx.log;
     events { worker_connections 1024; }
     http {
       access_log off; client_body_temp_path ${folder}; proxy_temp_path ${folder}; fastcgi_temp_path ${folder};
       uwsgi_temp_path ${folder}; scgi_temp_path ${folder};
       upstream services { ${servers} keepalive 64; }
       server {
         listen 127.0.0.1:${port};
         location / { proxy_pass http://services; proxy_http_version 1.1; proxy_set_header Connection ""; }
       }
     }`,
  )
  const child = spawn('nginx', ['-c', file, '-p', folder], { stdio: 'ignore' })
  const url = `http://127.0.0.1:${port}`
  const answers = () =>
    fetch(url).then(
      () => url,
      () => undefined,
    )
  return {
    url: await until(child, 'nginx', answers),
    pid: child.pid ?? 0,
    pids: [child.pid ?? 0, ...services.map(({ pid }) => pid)],
    said: () => '',
    stop: () => ended(child, 'SIGTERM'),
  }
}

type Look = () => string | undefined | Promise<string | undefined>

async function until(child: ChildProcess, what: string, look: Look): Promise<string> {
  const late = performance.now() + START_MS
  let missing: Error | undefined
  child.once('error', (error) => (missing = error))
  while (performance.now() < late) {
    if (missing) throw new Error(`${what} did not start: ${missing.message}.`)
    if (child.exitCode !== null) throw new Error(`${what} ended with exit status ${child.exitCode}.`)
    const found = await look()
    if (found !== undefined) return found
    await sleep(50)
  }
  throw new Error(`${what} did not answer in time.`)
}

async function ended(child: ChildProcess, signal: NodeJS.Signals): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const gone = new Promise((done) => child.once('exit', done))
  child.kill(signal)
  await gone
}
