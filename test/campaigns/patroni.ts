/**
 * Starts three PostgreSQL under Patroni, with an etcd of one node: on free ports, in a temporary folder. Each server of
 * PostgreSQL is reached by a link that a test can cut.
 */
import { execFileSync, spawn, type ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, rmSync, writeFileSync, openSync } from 'node:fs'
import { request } from 'node:http'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import postgres from 'postgres'
import { endsWithTests } from '../support/children.js'
import { freePort, program, userIds } from '../support/postgres-server.js'
import { newFolder } from '../support/temporary.js'
import { startLink, type Link } from './link.js'
import { until } from '../support/until.js'

/** Patroni's defaults are ttl 30, loop_wait 10 and retry_timeout 10. */
const TIMES = { ttl: 10, loop_wait: 1, retry_timeout: 3 }

export type Node = {
  name: string
  /** The port of the link: clients and the other nodes connect here. */
  port: number
  /** The port of Patroni's REST interface, by its link. */
  restPort: number
  /** The process ids of PostgreSQL, the postmaster first; none if it does not run. */
  postgresPids: () => number[]
  patroni: () => ChildProcess
  startPatroni: () => void
  /** Cuts the node off from clients, from the other nodes and from etcd. */
  cut: () => void
  restore: () => void
}

export type Patroni = {
  nodes: readonly Node[]
  /** Asks a node, past its link. Undefined: it does not answer. */
  stateOf: (node: Node) => Promise<'primary' | 'replica' | undefined>
  /** The node that takes writes and that etcd names as the leader. */
  leader: () => Promise<Node | undefined>
  /** Waits until there is a leader, and until the other nodes that run follow it, one of them synchronously. */
  untilWhole: () => Promise<Node>
  log: (node: Node) => string
  stop: () => Promise<void>
}

/** The cluster is whole at most `wholeMs` after a failure is repaired. */
export async function startPatroni(data: string, wholeMs = 120_000): Promise<Patroni> {
  const folder = newFolder('patroni')
  const owner = process.getuid?.() === 0 ? userIds('postgres') : undefined
  if (owner) chownSync(folder, owner.uid, owner.gid)
  const etcd = await startEtcd(folder, owner)
  const nodes: (Node & { close: () => Promise<void>; directPort: number; folder: string })[] = []
  for (const name of ['one', 'two', 'three']) {
    const own = join(folder, name)
    mkdirSync(own)
    if (owner) chownSync(own, owner.uid, owner.gid)
    nodes.push(await newNode(name, own, etcd.port, owner))
  }
  const [first] = nodes
  if (!first) throw new Error('There is no node.')
  execFileSync('cp', ['-a', data, join(first.folder, 'data')])
  const killAll = () => {
    for (const node of nodes) {
      try {
        node.patroni().kill('SIGKILL')
      } catch {}
      for (const pid of node.postgresPids()) kill(pid, 'SIGKILL')
    }
    etcd.child.kill('SIGKILL')
  }
  // This runs before the folder is removed in which the servers work.
  process.prependListener('exit', killAll)
  const stateOf: Patroni['stateOf'] = async (node) => {
    const direct = nodes.find(({ name }) => name === node.name)?.directPort ?? 0
    const sql = postgres(`postgres://postgres@127.0.0.1:${direct}/postgres`, {
      max: 1,
      connect_timeout: 2,
      onnotice: () => {},
    })
    try {
      const [row] = await Promise.race([
        sql<{ isReplica: boolean }[]>`select pg_is_in_recovery() as "isReplica"`,
        sleep(2000).then(() => []),
      ])
      return row && (row.isReplica ? 'replica' : 'primary')
    } catch {
      return undefined
    } finally {
      void sql.end({ timeout: 0 })
    }
  }
  const leaderName = () => etcd.read('leader').catch(() => undefined)
  const leader: Patroni['leader'] = async () => {
    const name = await leaderName()
    const node = nodes.find((each) => each.name === name)
    return node && (await stateOf(node)) === 'primary' ? node : undefined
  }
  const log = (node: Node) => readFileSync(join(folder, node.name, 'patroni.log'), 'utf8')
  const untilWhole = async () => {
    const look = async () => {
      const node = await leader()
      if (!node) return undefined
      const direct = nodes.find(({ name }) => name === node.name)?.directPort
      const sql = postgres(`postgres://postgres@127.0.0.1:${direct}/postgres`, { max: 1, onnotice: () => {} })
      const rows = await sql<
        { sync: string }[]
      >`select sync_state as sync from pg_stat_replication where state = 'streaming'`.catch(() => [])
      await sql.end({ timeout: 1 })
      // A standby that etcd does not name yet may not be promoted.
      const standby = await etcd.read('sync').catch(() => undefined)
      const named = JSON.parse(standby ?? '{}') as Record<string, string | null>
      const isNamed = named['leader'] === node.name && Boolean(named['sync_standby'])
      return isNamed && rows.length === 2 && rows.some(({ sync }) => sync === 'sync') ? node : undefined
    }
    const ends = () => nodes.map((node) => `${node.name}:\n${log(node).slice(-2500)}`).join('\n')
    return await until(look, { ms: wholeMs, everyMs: 250, why: () => `${ends()}\nThe cluster was not whole` })
  }
  first.startPatroni()
  const why = () => `${log(first).slice(-4000)}\nPatroni did not start`
  await until(leader, { ms: 60_000, everyMs: 100, why })
  for (const node of nodes.slice(1)) node.startPatroni()
  return {
    nodes,
    stateOf,
    leader,
    untilWhole,
    log,
    stop: async () => {
      killAll()
      process.off('exit', killAll)
      await Promise.all(nodes.map((node) => node.close()))
      await sleep(200)
      rmSync(folder, { recursive: true, force: true, maxRetries: 10 })
    },
  }
}

type Ids = { uid: number; gid: number }

async function startEtcd(folder: string, owner: Ids | undefined) {
  const [port, peer] = [await freePort(), await freePort()]
  const [client, peers] = [`http://127.0.0.1:${port}`, `http://127.0.0.1:${peer}`]
  const child = spawn(
    'etcd',
    [
      '--name=etcd',
      `--data-dir=${join(folder, 'etcd')}`,
      `--listen-client-urls=${client}`,
      `--advertise-client-urls=${client}`,
      `--listen-peer-urls=${peers}`,
      `--initial-advertise-peer-urls=${peers}`,
      `--initial-cluster=etcd=${peers}`,
      '--enable-v2',
    ],
    { ...owner, cwd: folder, stdio: 'ignore', env: { PATH: process.env['PATH'], ETCD_UNSUPPORTED_ARCH: process.arch } },
  )
  endsWithTests(child)
  const read = async (key: string): Promise<string | undefined> => {
    const answer = JSON.parse(await get(`${client}/v2/keys/service/frames/${key}`)) as { node?: { value?: string } }
    return answer.node?.value
  }
  const answers = async () => {
    if (child.exitCode !== null) throw new Error(`etcd did not start: exit status ${child.exitCode}.`)
    return await read('x').then(
      () => true,
      () => false,
    )
  }
  await until(answers, { ms: 20_000, everyMs: 100, why: () => 'etcd did not answer' })
  return { port, child, read }
}

function get(url: string): Promise<string> {
  return new Promise((done, failed) => {
    const call = request(url, { timeout: 2000 }, (answer) => {
      let text = ''
      answer.on('data', (data: Buffer) => (text += data.toString()))
      answer.on('end', () => done(text))
    })
    call.on('timeout', () => call.destroy(new Error('etcd does not answer.'))).on('error', failed)
    call.end()
  })
}

async function newNode(name: string, folder: string, etcdPort: number, owner: Ids | undefined) {
  const [directPort, rest] = [await freePort(), await freePort()]
  const links = {
    postgres: await startLink(() => directPort),
    rest: await startLink(() => rest),
    etcd: await startLink(() => etcdPort),
  }
  const all: Link[] = Object.values(links)
  const data = join(folder, 'data')
  const file = join(folder, 'patroni.json')
  const login = { username: 'postgres' }
  const config = {
    scope: 'frames',
    name,
    restapi: { listen: `127.0.0.1:${rest}`, connect_address: `127.0.0.1:${links.rest.port}` },
    // Patroni 3.0 does not recover from a hang with version 3 of etcd's interface: patroni/patroni#2779.
    // Without use_proxies, Patroni would ask etcd for its address, and go past the link.
    etcd: { hosts: [`127.0.0.1:${links.etcd.port}`], use_proxies: true },
    bootstrap: {
      dcs: {
        ...TIMES,
        synchronous_mode: true,
        maximum_lag_on_failover: 1_048_576,
        postgresql: {
          use_pg_rewind: true,
          parameters: { max_connections: 100, max_prepared_transactions: 2, wal_log_hints: 'on' },
        },
      },
    },
    postgresql: {
      listen: `127.0.0.1:${directPort}`,
      connect_address: `127.0.0.1:${links.postgres.port}`,
      data_dir: data,
      bin_dir: program('postgres').replace(/\/[^/]*$/, ''),
      pgpass: join(folder, 'pgpass'),
      authentication: { superuser: login, replication: login, rewind: login },
      pg_hba: ['local all all trust', 'host all all 127.0.0.1/32 trust', 'host replication all 127.0.0.1/32 trust'],
      parameters: {
        unix_socket_directories: folder,
        shared_buffers: '64MB',
        fsync: 'off',
        shared_preload_libraries: 'pg_stat_statements',
        max_standby_streaming_delay: '1s',
      },
    },
  }
  writeFileSync(file, JSON.stringify(config))
  let child: ChildProcess | undefined
  return {
    name,
    folder,
    directPort,
    port: links.postgres.port,
    restPort: links.rest.port,
    postgresPids: () => {
      try {
        const pid = Number(readFileSync(join(data, 'postmaster.pid'), 'utf8').split('\n')[0])
        return [pid, ...childrenOf(pid)].filter((each) => nameOf(each).startsWith('postgres'))
      } catch {
        return []
      }
    },
    patroni: () => {
      if (!child) throw new Error(`Patroni ${name} was not started.`)
      return child
    },
    startPatroni: () => {
      const out = openSync(join(folder, 'patroni.log'), 'a')
      child = spawn('patroni', [file], { ...owner, cwd: folder, stdio: ['ignore', out, out] })
      endsWithTests(child)
    },
    cut: () => all.forEach((link) => link.cut()),
    restore: () => all.forEach((link) => link.restore()),
    close: async () => void (await Promise.all(all.map((link) => link.close()))),
  }
}

export function kill(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
  }
}

function childrenOf(pid: number): number[] {
  try {
    return execFileSync('ps', ['-o', 'pid=', '--ppid', String(pid)])
      .toString()
      .split('\n')
      .map(Number)
      .filter((each) => each > 0)
  } catch {
    return []
  }
}

function nameOf(pid: number): string {
  try {
    return readFileSync(`/proc/${pid}/comm`, 'utf8')
  } catch {
    return ''
  }
}
