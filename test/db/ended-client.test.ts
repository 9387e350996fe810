import assert from 'node:assert/strict'
import { connect, createServer, type AddressInfo, type Socket } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { open } from '../../src/core/db/driver/open.js'
import { pageMemory } from '../../src/core/db/driver/page-memory.js'
import { postgresServer } from '../support/database.js'

/** postgres.js waits longer with each connection that fails: after four, for 0.4 to 0.8 seconds. */
const FAILURES = 4
/** It connects within this time, and the ended client keeps the connection for `lateMs`. */
const GONE_MS = 1200

describe('a client of the database that has ended', () => {
  it('holds no connection, though one was about to open', async () => {
    const server = await postgresServer()
    const held = new Set<Socket>()
    let refuses = true
    const balancer = createServer((client) => {
      client.on('error', () => {})
      if (refuses) return void client.resume().end()
      const upstream = connect(server.port, '127.0.0.1')
      held.add(client)
      upstream.on('error', () => {}).on('close', () => client.destroy())
      client.on('close', () => {
        held.delete(client)
        upstream.destroy()
      })
      client.pipe(upstream).pipe(client)
    })
    await new Promise<void>((done) => balancer.listen(0, '127.0.0.1', done))
    const { port } = balancer.address() as AddressInfo
    const sql = open(server.url('postgres').replace(`:${server.port}/`, `:${port}/`), {
      memory: pageMemory(),
      lateMs: 50,
    })
    try {
      for (let tries = 0; tries < FAILURES; tries += 1)
        await assert.rejects(sql.unsafe('select 1'), { code: 'ECONNRESET' })
      refuses = false
      const late = assert.rejects(sql.unsafe('select 1'), { code: 'CONNECTION_DESTROYED' })
      await sleep(50)
      await sql.end({ timeout: 0.1 })
      await late
      await sleep(GONE_MS)
      assert.equal(held.size, 0)
    } finally {
      for (const client of held) client.destroy()
      await new Promise((done) => balancer.close(done))
    }
  })
})
