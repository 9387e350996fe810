/**
 * This server plays the wording engine: it speaks the Messages API, and answers well, lies or fails as a test wants.
 * The real SDK asks it over real HTTP. `npm run wording` starts it for a person who points the service at it.
 */
import {
  createServer,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type Server,
  type ServerResponse,
} from 'node:http'
import type { AddressInfo } from 'node:net'
import { pathToFileURL } from 'node:url'
import { flood, trickle } from './slow-answers.js'

/** A prompt for a plan has two blocks, of which the API keeps the first. */
type Block = { type: string; text: string; cache_control?: object }
type Turn = { role: string; content: string | Block[] }
export type MessagesBody = {
  model: string
  max_tokens: number
  system: string
  messages: Turn[]
  thinking?: { type: string }
  output_config?: { format: { type: string; schema: Record<string, unknown> }; effort?: string }
}
type RecordedRequest = {
  method: string
  path: string
  headers: IncomingHttpHeaders
  body: MessagesBody
  /** The client closed the connection before it had a whole answer. */
  isHungUp: boolean
}

/** A model reads the question, the menu of sentences and the sections of a prompt. */
export type PromptContent = {
  question: string
  menu: { number: number; text: string; isFirst: boolean }[]
  sections: { title: string; numbers: number[] }[]
}

const STATUSES = [400, 401, 403, 404, 413, 429, 500, 503, 529] as const
export type Lie = keyof typeof lies
export type Failure = (typeof STATUSES)[number] | keyof typeof failures
type Behaviour =
  | 'well'
  | { lie: Lie }
  | { fail: Failure }
  | { status: number; retryAfter?: string }
  /** The good answer waits for this. */
  | { after: Promise<void> }
  /** Every request gets this text. */
  | { text: string }
  /** Every request gets the numbers that this gives. */
  | { choose: (content: PromptContent) => unknown }
  /** Every request gets a good message, with these fields changed. */
  | { message: object }
  /** Each request gets a behaviour of its own; `place` counts from 0. */
  | ((request: RecordedRequest, place: number) => Behaviour)

export type WordingServer = {
  url: string
  /** The requests for words. */
  requests: RecordedRequest[]
  behave: (behaviour: Behaviour) => void
  /** The requests for plans, by the schema that they ask for. Unless a test says so, no plan is of use. */
  planRequests: RecordedRequest[]
  behavePlanning: (behaviour: Behaviour) => void
  close: () => Promise<void>
}

export const WORDING_MODEL = 'claude-of-the-tests'

export async function startWordingServer(port = 0): Promise<WordingServer> {
  let behaviour: Behaviour = 'well'
  let planning: Behaviour = { text: '{}' }
  const requests: RecordedRequest[] = []
  const planRequests: RecordedRequest[] = []
  const server = createServer((req, res) => {
    // Some tests hang up in the middle of an answer.
    res.on('error', () => {})
    void play(req, res)
  })
  const play = async (req: IncomingMessage, res: ServerResponse) => {
    const request = await requestOf(req)
    if (!request) return void res.writeHead(400, JSON_TYPE).end('{"type":"error"}')
    res.on('close', () => (request.isHungUp = !res.writableEnded))
    const [recorded, next] = isForPlan(request.body) ? [planRequests, planning] : [requests, behaviour]
    recorded.push(request)
    answer(next, request, recorded.length - 1, res)
  }
  await new Promise<void>((done) => server.listen(port, '127.0.0.1', done))
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    requests,
    behave: (next) => (behaviour = next),
    planRequests,
    behavePlanning: (next) => (planning = next),
    close: () => closed(server),
  }
}

const isForPlan = ({ output_config: output }: MessagesBody) =>
  JSON.stringify(output?.format.schema ?? {}).includes('"harmless"')

function closed(server: Server): Promise<void> {
  const ended = new Promise<void>((done) => server.close(() => done()))
  server.closeAllConnections()
  return ended
}

async function requestOf(req: IncomingMessage): Promise<RecordedRequest | undefined> {
  const chunks: Buffer[] = []
  for await (const chunk of req) chunks.push(chunk as Buffer)
  const { method = '', url: path = '', headers } = req
  const body = bodyIn(Buffer.concat(chunks).toString())
  return method === 'POST' && path === '/v1/messages' && body
    ? { method, path, headers, body, isHungUp: false }
    : undefined
}

function bodyIn(json: string): MessagesBody | undefined {
  try {
    const body = JSON.parse(json) as MessagesBody
    return Array.isArray(body.messages) ? body : undefined
  } catch {
    return undefined
  }
}

function answer(behaviour: Behaviour, request: RecordedRequest, place: number, res: ServerResponse): void {
  if (typeof behaviour === 'function') return answer(behaviour(request, place), request, place, res)
  const content = promptContent(request.body)
  if (behaviour === 'well') return say(res, goodChoice(content))
  if ('choose' in behaviour) return say(res, JSON.stringify(behaviour.choose(content)))
  if ('text' in behaviour) return say(res, behaviour.text)
  if ('message' in behaviour) return say(res, goodChoice(content), behaviour.message)
  if ('lie' in behaviour) return say(res, lies[behaviour.lie](content.menu))
  if ('after' in behaviour) return void behaviour.after.then(() => answer('well', request, place, res))
  if ('status' in behaviour) return refuse(res, behaviour)
  fail(behaviour.fail, content, res)
}

/** All that the user's turn of a prompt says. */
export const userText = ({ messages }: MessagesBody): string => {
  const content = messages[0]?.content ?? ''
  return typeof content === 'string' ? content : content.map(({ text }) => text).join('\n')
}

function promptContent(body: MessagesBody): PromptContent {
  const [, data = ''] = /^<data>\n(.*)\n<\/data>$/ms.exec(userText(body)) ?? []
  const content: PromptContent = { question: '', menu: [], sections: [] }
  for (const line of data.split('\n')) {
    const [, number, first, sentence] = /^(\d+)( \(always first\))?: (".*")$/.exec(line) ?? []
    const [, title, numbers] = /^section \d+ ("(?:[^"\\]|\\.)*"): ([\d ]+)$/.exec(line) ?? []
    const [, question] = /^question: (".*")$/.exec(line) ?? []
    if (number !== undefined)
      content.menu.push({ number: Number(number), text: textOf(sentence), isFirst: first !== undefined })
    if (title !== undefined)
      content.sections.push({ title: textOf(title), numbers: (numbers ?? '').split(' ').map(Number) })
    if (question !== undefined) content.question = textOf(question)
  }
  return content
}

const textOf = (json: string | undefined) => JSON.parse(json ?? '""') as string

const SENTENCES_MAX = 8

/** A good model chooses the next sentences of the menu, which stand in the order of the figures. */
const goodChoice = ({ menu, sections }: PromptContent): string => {
  const others = menu.flatMap(({ number, isFirst }) => (isFirst ? [] : [number]))
  return JSON.stringify(
    sections.length > 0
      ? Object.fromEntries(sections.map(({ numbers }, i) => [`section${i + 1}`, numbers.slice(0, 4)]))
      : { paragraphs: [others.slice(0, SENTENCES_MAX)] },
  )
}

/** Answers that are not of the schema. */
const lies = {
  prose: () => 'There are seven schools.',
  'other number': (menu) => JSON.stringify({ paragraphs: [[1, menu.length + 1]] }),
  'a number as text': () => JSON.stringify({ paragraphs: [['1']] }),
  'a fraction': () => JSON.stringify({ paragraphs: [[1.5]] }),
  'other members': () => JSON.stringify({ paragraphs: [[1]], note: 'There are seven schools.' }),
  'another shape': () => JSON.stringify({ paragraphs: { 0: [1] } }),
  nested: () => '['.repeat(50_000),
} satisfies Record<string, (menu: PromptContent['menu']) => string>
export const LIES = Object.keys(lies) as Lie[]

const JSON_TYPE = { 'content-type': 'application/json' }

const messageOf = (text: string, changes: object = {}) => ({
  id: 'msg_01',
  type: 'message',
  role: 'assistant',
  model: WORDING_MODEL,
  content: [{ type: 'text', text }],
  stop_reason: 'end_turn',
  stop_sequence: null,
  usage: { input_tokens: 1, output_tokens: 1 },
  ...changes,
})

const send = (res: ServerResponse, body: unknown) => void res.writeHead(200, JSON_TYPE).end(JSON.stringify(body))
const say = (res: ServerResponse, text: string, changes: object = {}) => send(res, messageOf(text, changes))

function refuse(res: ServerResponse, { status, retryAfter }: { status: number; retryAfter?: string }): void {
  res.writeHead(status, { ...JSON_TYPE, ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }) })
  res.end('{"type":"error"}')
}

/** `good` is the message that a good model sends, and `choice` its text. */
const failures = {
  'hang before headers': () => {},
  'hang in body': (res, good) => res.writeHead(200, JSON_TYPE).write(good.slice(0, 50)),
  trickle: (res, good) => trickle(good, res.writeHead(200, JSON_TYPE)),
  truncated: (res, good) => {
    res.writeHead(200, { ...JSON_TYPE, 'content-length': good.length }).write(good.slice(0, 50))
    setTimeout(() => res.destroy(), 20)
  },
  reset: (res) => res.socket?.resetAndDestroy(),
  html: (res) => res.writeHead(200, { 'content-type': 'text/html' }).end('<html><body>1</body></html>'),
  null: (res) => send(res, null),
  empty: (res) => res.writeHead(200, JSON_TYPE).end(),
  object: (res) => send(res, {}),
  'no content': (res) => say(res, '', { content: undefined }),
  'other content': (res, _good, choice) => say(res, '', { content: [{ type: 'image', text: choice }] }),
  'long text': (res, _good, choice) => say(res, `${choice}${' '.repeat(10_000_000)}`),
  'endless body': (res) => flood(res.writeHead(200, JSON_TYPE)),
  redirect: (res) => res.writeHead(307, { location: '/v1/messages' }).end(),
  refusal: (res, _good, choice) => say(res, choice, { stop_reason: 'refusal' }),
  cut: (res, _good, choice) => say(res, choice, { stop_reason: 'max_tokens' }),
  'tool use': (res) =>
    say(res, '', { content: [{ type: 'tool_use', id: 'a', name: 'b', input: {} }], stop_reason: 'tool_use' }),
  // One byte in the middle of the text is wrong.
  'invalid utf-8': (res, good) =>
    res.writeHead(200, JSON_TYPE).end(Buffer.from(good.replace('paragraphs', 'paragraphs\u00ff'), 'latin1')),
} satisfies Record<string, (res: ServerResponse, good: string, choice: string) => unknown>
export const FAILURES: readonly Failure[] = [...STATUSES, ...(Object.keys(failures) as (keyof typeof failures)[])]

function fail(failure: Failure, content: PromptContent, res: ServerResponse): void {
  const choice = goodChoice(content)
  if (typeof failure !== 'number') return void failures[failure](res, JSON.stringify(messageOf(choice)), choice)
  const headers = { ...JSON_TYPE, 'x-should-retry': 'true', ...(failure === 429 && { 'retry-after': '3600' }) }
  const message = `refused: ${res.req.headers.authorization ?? ''}`
  res.writeHead(failure, headers).end(JSON.stringify({ type: 'error', error: { type: 'an_error', message } }))
}

if (import.meta.url === pathToFileURL(process.argv[1] ?? '').href) {
  const { url } = await startWordingServer(Number(process.argv[2] ?? 0))
  console.log(`A wording engine that answers well listens on ${url}. In another terminal:`)
  console.log(`  ANTHROPIC_BASE_URL=${url} ANTHROPIC_API_KEY=any npm start`)
}
