/** Puts mixed load on a service: all calls, pages, agents, refused keys, clients that hang up and clients that are slow. */
import { request } from 'node:http'
import { connect as dial } from 'node:net'
import { setTimeout as sleep } from 'node:timers/promises'
import { newSecret } from '../../src/core/access/secret.js'
import { callTool, connect, send } from '../mcp/agent.js'
import { visit, type Visitor } from '../support/browse.js'
import { ids } from '../support/datasets.js'
import { everyPage } from '../support/every-page.js'
import { ask, bearer } from '../support/service.js'
import { make, wrongness, type Call } from './calls.js'
import { pick } from './faults.js'

export type Place = {
  url: string
  calls: readonly Call[]
  /** This key may do everything. */
  secret: string
  /** A person whose session each page needs; undefined: the web app is off. */
  person: Visitor | undefined
  random: () => number
}

/** Counts of what came, and what should not have come. */
export type Findings = { outcomes: Map<string, number>; wrong: string[] }

/** Clients pause so long between two calls. */
const PAUSE_MS = 120
/** A client has ended by then, also on a busy machine. */
const LONGEST_MS = 60_000
const LARGE_BOX = '/v1/frames?bbox=-5,-5,5,5'
const WORDED = JSON.stringify({ frameIds: ids.slice(0, 4), question: 'how many people live here' })

/** Each kind of client, and how many of them there are. */
const KINDS: [name: string, count: number, once: (place: Place) => Promise<string>][] = [
  ['call', 6, oneCall],
  ['refused key', 1, refusedKey],
  ['broken off', 1, brokenOff],
  ['slow request', 1, slowRequest],
  ['slow reader', 1, slowReader],
  ['page', 1, page],
  ['agent', 1, agent],
  ['worded answer', 1, worded],
]

export type Load = { pause: () => Promise<void>; go: () => void; stop: () => Promise<void> }

export function startLoad(places: readonly Place[], { outcomes, wrong }: Findings): Load {
  const state: { mode: 'go' | 'pause' | 'stop'; busy: number } = { mode: 'go', busy: 0 }
  const client = async (place: Place, name: string, once: (place: Place) => Promise<string>) => {
    while (state.mode !== 'stop') {
      await sleep(PAUSE_MS)
      if (state.mode !== 'go') continue
      state.busy += 1
      const late = new AbortController()
      const outcome = await Promise.race([
        once(place).catch((error: unknown) => `wrong: ${String(error)}`),
        sleep(LONGEST_MS, 'wrong: no end', { signal: late.signal }).catch(() => ''),
      ])
      late.abort()
      state.busy -= 1
      if (outcome.startsWith('wrong')) wrong.push(`${name}, ${outcome}`)
      const counted = `${name} ${outcome.slice(0, 40)}`
      outcomes.set(counted, (outcomes.get(counted) ?? 0) + 1)
    }
  }
  const clients = places.flatMap((place) =>
    KINDS.flatMap(([name, count, once]) => Array.from({ length: count }, () => client(place, name, once))),
  )
  return {
    pause: async () => {
      state.mode = 'pause'
      while (state.busy > 0) await sleep(20)
    },
    go: () => (state.mode = 'go'),
    stop: async () => {
      state.mode = 'stop'
      await Promise.all(clients)
    },
  }
}

async function oneCall({ url, calls, random }: Place): Promise<string> {
  const call = pick(calls, random)
  const from = performance.now()
  const answer = await make(url, call)
  const fault = answer.status === 500 ? 'a 500' : wrongness(call, answer, performance.now() - from)
  return fault === undefined ? String(answer.status) : `wrong: ${fault}`
}

async function refusedKey({ url, random }: Place): Promise<string> {
  const headers = pick([{}, bearer('svc_sk_mistyped'), bearer(newSecret()), { authorization: 'Basic eDp4' }], random)
  const { status } = await ask(`${url}/v1/states`, { headers })
  return status === 401 ? '401' : `wrong: ${status}`
}

/** Hangs up before, while or after the service answers. */
function brokenOff({ url, secret, random }: Place): Promise<string> {
  const path = pick([LARGE_BOX, `/v1/frames/data?ids=${ids.join()}`, '/v1/frames/admin'], random)
  return new Promise((done) => {
    const sent = request(url + path, { headers: bearer(secret), agent: false })
    sent.on('error', () => {}).on('response', (answer) => answer.on('error', () => {}).resume())
    sent.on('close', () => done('hung up'))
    sent.end()
    setTimeout(() => sent.destroy(), random() * 40)
  })
}

/** Sends half of a head: the service answers 408 after three seconds. */
function slowRequest({ url }: Place): Promise<string> {
  const { hostname, port } = new URL(url)
  return new Promise((done) => {
    let text = ''
    const socket = dial(Number(port), hostname, () => socket.write('GET /v1/states HTTP/1.1\r\nHost: x\r\n'))
    socket.on('data', (data) => (text += data.toString())).on('error', () => {})
    socket.on('close', () => done(text === '' ? 'reset' : (text.split(' ')[1] ?? 'wrong: no status')))
  })
}

/** Takes nothing of a large answer for a second, then all of it or no more. */
function slowReader({ url, secret, random }: Place): Promise<string> {
  return new Promise((done) => {
    const sent = request(url + LARGE_BOX, { headers: bearer(secret), agent: false }, (answer) => {
      answer.on('error', () => {})
      setTimeout(() => (random() < 0.5 ? answer.resume() : answer.destroy()), 1000)
    })
    sent.on('error', () => {}).on('close', () => done('read slowly'))
    sent.end()
  })
}

async function page({ url, person, random }: Place): Promise<string> {
  if (!person) return 'off'
  if (random() < 0.1) {
    const { status } = await visit(url).get('/app')
    return [200, 303].includes(status) ? `stranger ${status}` : `wrong: a stranger got ${status}`
  }
  // Health is for operators.
  const path = pick(
    everyPage.filter((each) => each !== '/health'),
    random,
  )
  const { status, text, headers } = await person.get(`/app${path}`)
  // A search leads to the place that it found.
  if (status === 303 && headers.location?.startsWith('/app/map') === true) return 'led to a place'
  return status === 200 || status === 204 ? String(status) : `wrong: ${path} answered ${status}: ${text.slice(0, 200)}`
}

async function agent(place: Place): Promise<string> {
  const kind = place.random()
  if (kind < 0.1) {
    const client = await connect(place, '2025-11-25')
    await client.listTools()
    await client.close()
    return 'client'
  }
  if (kind < 0.4) return `list ${(await send(place, 'tools/list')).status}`
  const { isError } = await callTool(place, 'records', { ids: ids[0] })
  return isError === true ? 'wrong: records was refused' : 'records'
}

async function worded({ url, secret }: Place): Promise<string> {
  const headers = { ...bearer(secret), 'content-type': 'application/json' }
  const { status, body } = await ask(`${url}/v1/frames/insight`, { method: 'POST', headers, body: WORDED })
  const { data } = body as { data?: { narrative?: string } }
  return status === 200 ? (data?.narrative === undefined ? 'figures' : 'words') : `wrong: ${status}`
}
