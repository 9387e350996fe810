import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { get as httpGet, type IncomingMessage } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { sample } from '../support/sample.js'
import { bearer, service } from '../support/service.js'

const CLIENTS = sample(8, 24)
const stays = (client: number) => client % 4 !== 0
/** Each page holds thousands of frames, and no two pages are alike. */
const path = (client: number) => `/v1/frames?bbox=-2,-2,2,2&limit=${5000 - client}`

/** Answers once the head has come; the body waits in the service until the client reads it. */
async function asked(client: number, headers: Record<string, string>): Promise<IncomingMessage> {
  const request = httpGet(service().url + path(client), {
    agent: false,
    headers: { ...bearer(service().secret), ...headers },
  })
  const [answer] = (await once(request, 'response')) as [IncomingMessage]
  assert.equal(answer.statusCode, 200)
  return answer
}

async function read(answer: IncomingMessage): Promise<string> {
  const hash = createHash('sha256')
  for await (const piece of answer) hash.update(piece as Buffer)
  return hash.digest('hex')
}

/** The service uses the memory of these answers again once they are sent. */
describe('large answers', () => {
  for (const [how, headers] of Object.entries({ plain: {}, gzip: { 'accept-encoding': 'gzip' } }))
    it(`to clients that read late are each what they would be alone: ${how}`, async () => {
      const alone: string[] = []
      for (let client = 0; client < CLIENTS; client += 1) alone.push(await read(await asked(client, headers)))
      assert.equal(new Set(alone).size, CLIENTS)
      for (let round = 0; round < sample(2, 5); round += 1) {
        const answers = await Promise.all(alone.map((_, client) => asked(client, headers)))
        // Some clients hang up in the middle of their answer.
        for (const answer of answers.filter((_, client) => !stays(client))) answer.destroy()
        await sleep(50)
        const together = await Promise.all(answers.filter((_, client) => stays(client)).map(read))
        assert.deepEqual(
          together,
          alone.filter((_, client) => stays(client)),
        )
      }
    })
})
