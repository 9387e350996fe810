import assert from 'node:assert/strict'
import { newSecret, PREFIX } from '../../src/core/access/secret.js'
import { openLog } from '../../src/services.js'
import { ask, askRaw, bearer, mint, service, startService } from '../support/service.js'

type Line = Record<string, unknown> & { requestId: string; status: number }

describe('the log', () => {
  it('reports an internal error under its request id, without the arguments of the statement', async () => {
    const { database } = service()
    const lines: string[] = []
    const running = await startService(database, { logged: (line) => lines.push(line) })
    try {
      await database.db.work('alter table frame rename to elsewhere')
      const { secret } = await mint(database.db)
      const answer = await ask(`${running.url}/v1/frames/at?lat=7.654321&lon=3.141592`, { headers: bearer(secret) })
      assert.equal(answer.status, 500)
      assert.deepEqual(answer.body, {
        error: { code: 'internal', message: 'Something went wrong on our side. Please try again.' },
      })
      const requestId = answer.headers.get('x-request-id')
      const told = lines.map((line) => JSON.parse(line) as Line).filter((line) => line.requestId === requestId)
      assert.equal(told.length, 2)
      assert.match(JSON.stringify(told), /relation \\"frame\\" does not exist/)
      assert.match(JSON.stringify(told), /"code":"42P01"/)
      assert.doesNotMatch(lines.join(''), /7\.65|3\.14|svc_sk_/)
    } finally {
      await database.db.work('alter table elsewhere rename to frame')
      await running.stop()
    }
  })

  it('holds no key, wherever the caller typed it, and neither do error messages', async () => {
    const lines: string[] = []
    const running = await startService(service().database, { logged: (line) => lines.push(line) })
    const secret = newSecret()
    const tail = secret.slice(PREFIX.length)
    const spellings = [
      secret,
      `${PREFIX}${tail.slice(0, 12)}-${tail.slice(12)}`,
      secret.replaceAll('_', '%5F'),
      secret.replaceAll('_', '%5f').replace('svc', '%73%76%63'),
      secret.replaceAll('_', '%255F'),
      secret.toUpperCase(),
    ]
    try {
      const answers: string[] = []
      for (const spelling of spellings) {
        for (const path of [
          `/v1/${spelling}`,
          `/v1/frames/at?lat=${spelling}&lon=1`,
          `/v1/frames?${spelling}=1`,
          `/${'x'.repeat(84)}/${spelling}`,
        ]) {
          answers.push((await ask(running.url + path)).text)
          answers.push((await ask(running.url + path, { headers: bearer(running.secret) })).text)
        }
        const post = (body: string, type: string) =>
          ask(`${running.url}/v1/frames/insight`, {
            method: 'POST',
            headers: { ...bearer(running.secret), 'content-type': type },
            body,
          })
        answers.push((await post(JSON.stringify({ [spelling]: 1 }), 'application/json')).text)
        answers.push((await post(`{"frameIds": ${spelling}`, 'application/json')).text)
        answers.push((await post('{}', `text/${spelling}`)).text)
        const headers = { 'x-api-key': spelling, cookie: `key=${spelling}`, 'user-agent': spelling }
        answers.push((await ask(`${running.url}/v1/states`, { headers })).text)
        answers.push((await ask(`${running.url}/v1/states`, { headers: { authorization: `Basic ${spelling}` } })).text)
        for (const bytes of [
          `${spelling} /v1/states HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n`,
          `GET /v1/states HTTP/1.1\r\nHost: ${spelling}\r\n${spelling}\r\n\r\n`,
        ])
          answers.push(await askRaw(running, bytes))
      }
      const wards = `${running.url}/v1/wards?state=${secret}&lga=x`
      answers.push((await ask(wards, { headers: bearer(running.secret) })).text)
      const said = [...lines, ...answers].join('\n').toLowerCase()
      for (let from = 0; from + 6 <= tail.length; from += 1) {
        const part = tail.slice(from, from + 6).toLowerCase()
        assert.ok(!said.includes(part), `"${part}" of ${secret}: ${said.slice(said.indexOf(part) - 200).slice(0, 300)}`)
      }
      assert.match(answers.join('\n'), /There is nothing at \/v1\/svc_sk_\.\.\./)
    } finally {
      await running.stop()
    }
  })

  it('holds no key in the stack of an internal error', async () => {
    const lines: string[] = []
    const secret = newSecret()
    const log = openLog('info', { write: (line) => lines.push(line) })
    log.error({ fault: new Error(`no such thing: ${secret}`).stack, nested: [{ secret }] }, `failed for ${secret}`)
    assert.equal(lines.length, 1)
    assert.ok(!lines[0]?.includes(secret.slice(PREFIX.length + 1, -1)), lines[0])
    assert.equal((JSON.parse(lines[0] ?? '') as { msg: string }).msg, 'failed for svc_sk_...')
  })
})
