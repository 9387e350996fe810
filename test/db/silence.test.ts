import assert from 'node:assert/strict'
import { connect, isLost } from '../../src/core/db/connect.js'
import { urlOf } from '../support/database.js'
import { startProxy } from '../support/proxy.js'
import { service } from '../support/service.js'

describe('a connection', () => {
  const isLostWith = (code?: string) => isLost(Object.assign(new Error('no answer'), { code }))

  it('is lost if PostgreSQL, its machine or the way to it is gone', () => {
    const codes = [
      '57P01',
      '57P03',
      'CONNECTION_CLOSED',
      'CONNECT_TIMEOUT',
      'ECONNRESET',
      'ECONNREFUSED',
      'EPIPE',
      'ENOENT',
    ]
    const machine = ['EHOSTUNREACH', 'EHOSTDOWN', 'ENETUNREACH', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN']
    assert.deepEqual(
      [...codes, ...machine].filter((code) => !isLostWith(code)),
      [],
    )
  })

  it('is not lost if a statement failed', () => {
    for (const code of ['57014', '53300', '42P01', '22P02', undefined]) assert.equal(isLostWith(code), false, code)
  })
})

describe('connections that lead to a machine that is gone', () => {
  it('are replaced when nothing came back within a deadline, and the next statement is answered', async () => {
    const direct = new URL(urlOf(service().database.target))
    const proxy = await startProxy(Number(direct.port))
    const events: string[] = []
    direct.port = String(proxy.port)
    const onEvent = (event: string) => void events.push(event)
    const db = connect(direct.href, { connections: 3, deadlineMs: 1500, onEvent })
    const ask = () => db.rows('select 1 as one', [])
    try {
      await Promise.all([ask(), ask(), ask()])
      proxy.silence()
      await assert.rejects(ask(), /did not answer within 1500 ms/)
      assert.deepEqual([...(await ask())], [{ one: 1 }])
      assert.deepEqual(events, ['late', 'reconnected'])
    } finally {
      await db.close()
      await proxy.close()
    }
  })

  it('are kept if only one statement was slow', async () => {
    const events: string[] = []
    const onEvent = (event: string) => void events.push(event)
    const db = connect(service().database.target, { connections: 2, deadlineMs: 1500, onEvent })
    try {
      const slow = assert.rejects(db.rows('select pg_sleep(1.8)', []), /did not answer within 1500 ms/)
      // PostgreSQL answers this after the slow statement was sent, so its machine is there.
      await db.rows('select 1 as one', [])
      await slow
      assert.deepEqual(events, ['late'])
    } finally {
      await db.close()
    }
  })
})
