import assert from 'node:assert/strict'
import { service } from '../support/service.js'
import { send } from './agent.js'

type Message = { id?: unknown; error?: { code: number; message: string } }

const place = () => ({ url: service().url, secret: service().secret })

describe('a message to /mcp', () => {
  it('with wrong params gets a sentence that says what is accepted', async () => {
    const clientInfo = { name: 'x', version: '1' }
    for (const [method, params, message] of [
      ['initialize', undefined, /^initialize: params with protocolVersion/],
      ['initialize', { protocolVersion: '2025-06-18', capabilities: {} }, /^initialize: params with protocolVersion/],
      ['initialize', { protocolVersion: 5, capabilities: {}, clientInfo }, /^initialize: params with protocolVersion/],
      [
        'initialize',
        { protocolVersion: '1', capabilities: [], clientInfo },
        /^initialize: params with protocolVersion/,
      ],
      ['tools/call', undefined, /^tools\/call: params with the name of a tool/],
      ['tools/call', { name: 'frame_at', arguments: null }, /^tools\/call: arguments are accepted as an object/],
      ['tools/call', { name: 'frame_at', arguments: [] }, /^tools\/call: arguments are accepted as an object/],
    ] as const) {
      const answer = await send(place(), method, params)
      const { id, error } = answer.body as Message
      assert.deepEqual([answer.status, id, error?.code], [200, 1, -32602])
      assert.match(error?.message ?? '', message)
      assert.equal(answer.headers.get('cache-control'), 'no-store')
    }
  })
})
