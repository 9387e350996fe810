/** Starts HAProxy in front of the nodes of a cluster: it asks Patroni of each node whether that is the primary. */
import { spawn } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { endsWithTests } from '../support/children.js'
import { freePort } from '../support/postgres-server.js'
import { newFolder } from '../support/temporary.js'
import type { Node } from './patroni.js'

/** docs/replicas.md shows the same. */
const configOf = (port: number, nodes: readonly Node[]) => `
defaults
  mode tcp
  timeout connect 2s
  timeout check 2s
  timeout client 30m
  timeout server 30m
listen primary
  bind 127.0.0.1:${port}
  option httpchk OPTIONS /primary
  http-check expect status 200
  default-server inter 1s fall 2 rise 1 on-marked-down shutdown-sessions
${nodes.map(({ name, port: node, restPort }) => `  server ${name} 127.0.0.1:${node} check port ${restPort}`).join('\n')}
`

export async function startHaproxy(nodes: readonly Node[]): Promise<{ port: number; stop: () => Promise<void> }> {
  const port = await freePort()
  const file = join(newFolder('haproxy'), 'haproxy.cfg')
  writeFileSync(file, configOf(port, nodes))
  const child = spawn('haproxy', ['-f', file, '-db'], { stdio: 'ignore' })
  endsWithTests(child)
  const ended = new Promise<void>((done) => child.once('exit', () => done()))
  await sleep(2500)
  if (child.exitCode !== null) throw new Error(`HAProxy did not start: exit status ${child.exitCode}.`)
  return {
    port,
    stop: async () => {
      child.kill('SIGKILL')
      await ended
    },
  }
}
