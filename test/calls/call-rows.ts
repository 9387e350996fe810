/**
 * Calls of every door as texts: `GET /v1/lgas?state=`, `POST /v1/frames/insight {"frameIds":[]}`, `TOOL frames {"ids":[]}`
 * for a tool of /mcp, and `FILTER km2 >` for items of /ogc. `<1,*136>` in a text stands for 136 times "1,".
 */
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { ask, bearer, type Answer } from '../support/service.js'

type Headers = Record<string, string>
/** What comes back: a status with the code of the refusal, and its sentence. */
export type Refusal = { outcome: string; message: string }
export type WrongCall = { call: string; outcome: string; message: string; headers: Headers }

const JSON_TYPE = { 'content-type': 'application/json' }

/** The rows of wrong.jsonl: a call, its outcome, its sentence, and headers that it sends. An odd call that is right has 200. */
export const wrongCalls: readonly WrongCall[] = readFileSync(new URL('test/calls/wrong.jsonl', projectFolder), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => {
    const [call, outcome, message = '', headers = {}] = JSON.parse(line) as [string, string, string?, Headers?]
    return { call, outcome, message, headers }
  })

const written = (call: string) =>
  call.replaceAll(/<([^<>]*)\*(\d+)>/g, (_all, text: string, n) => text.repeat(Number(n)))

export async function send(call: string, at: { url: string; secret?: string }, headers: Headers = {}): Promise<Answer> {
  const [, verb = '', rest = ''] = /^(\w+) ([^]*)$/.exec(written(call)) ?? []
  const own = at.secret === undefined ? {} : bearer(at.secret)
  if (verb === 'FILTER') {
    const url = `${at.url}/ogc/collections/frames/items?limit=1&filter=${encodeURIComponent(rest)}`
    return await ask(url, { headers: { ...own, ...headers } })
  }
  const [, first = '', more] = /^(\S+)(?: ([^]*))?$/.exec(rest) ?? []
  if (verb === 'GET') return await ask(at.url + rest, { headers: { ...own, ...headers } })
  const path = verb === 'TOOL' ? '/mcp' : first
  const params = `{"name":"${first}","arguments":${more}}`
  const body = verb === 'TOOL' ? `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":${params}}` : more
  const method = verb === 'TOOL' ? 'POST' : verb
  return await ask(at.url + path, {
    method,
    headers: { ...own, ...JSON_TYPE, ...headers },
    ...(body !== undefined && { body }),
  })
}

type Failure = { code: string | number; message: string }
/** The refusal in the form of its door, or the status alone. */
export function refusalOf({ status, body }: Answer): Refusal {
  const { error, code, description, result } = (body ?? {}) as {
    error?: Failure
    code?: string
    description?: string
    result?: { _meta?: { error?: Failure } }
  }
  const failure =
    error ?? result?._meta?.error ?? (code === undefined ? undefined : { code, message: description ?? '' })
  return { outcome: failure ? `${status} ${failure.code}` : String(status), message: failure?.message ?? '' }
}
