/** One table of calls, made by the client of each language. */
import assert from 'node:assert/strict'
import { execFile, execFileSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { projectFolder } from '../../src/core/db/statement.js'
import { service } from '../support/service.js'
import { buildOf, clients, isInstalled } from './languages.js'

const run = promisify(execFile)

/** `told`: what a server of this test answers, one after the other; null hangs up. */
type Told = [status: number, headers: Record<string, string>, body: unknown] | null
type Row = {
  rule: string
  key?: string
  told?: Told[]
  answer?: unknown
  error?: string
  status?: number
  frames_found?: number
  /** The call takes so long at least. */
  seconds?: number
}
type Outcome = { answer?: unknown; error?: string; status?: number | null }
type Asked = { at: number; path: string; idempotencyKey: string | undefined }

const text = readFileSync(new URL('test/clients/calls.jsonl', projectFolder), 'utf8').trim()
const rows = text.split('\n').map((line) => JSON.parse(line) as Row)

/** "TEXT" stands for any text. Members that the table does not name are not compared. */
function isLike(found: unknown, expected: unknown): boolean {
  if (expected === 'TEXT') return typeof found === 'string'
  if (Array.isArray(expected) && expected.every((each) => typeof each !== 'object'))
    return JSON.stringify(found) === JSON.stringify(expected)
  if (Array.isArray(expected))
    return Array.isArray(found) && expected.every((each) => found.some((item) => isLike(item, each)))
  if (typeof expected !== 'object' || expected === null) return found === expected
  const members = Object(found) as Record<string, unknown>
  return Object.entries(expected).every(([name, of]) => isLike(members[name], of))
}

/** Answers each row's calls by what it is told. The path of a call begins with the number of its row. */
async function toldServer() {
  const asked = rows.map((): Asked[] => [])
  const server = createServer((req, res) => {
    const [, place = '', path = ''] = /^\/(\d+)(.*)$/.exec(req.url ?? '') ?? []
    const calls = asked[Number(place)]
    const told = rows[Number(place)]?.told?.[calls?.length ?? 0]
    const idempotencyKey = req.headers['idempotency-key']
    calls?.push({ at: Date.now(), path, idempotencyKey: [idempotencyKey].flat()[0] })
    if (!told) return void req.socket.destroy()
    const [status, headers, body] = told
    // A connection that a client keeps may be sent a call again by the library beneath it.
    res
      .writeHead(status, { ...headers, Connection: 'close' })
      .end(typeof body === 'string' ? body : JSON.stringify(body))
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  return { url, asked, close: () => server.close() }
}

for (const client of clients)
  describe(`the client for ${client.language}`, function () {
    this.timeout(300_000)
    let folder: string
    let outcomes: Outcome[] = []
    let asked: Asked[][] = []

    before(async function () {
      if (!isInstalled(client)) {
        console.log(`  The client for ${client.language} is not tested: ${client.needs} is not installed.`)
        return this.skip()
      }
      folder = mkdtempSync(join(tmpdir(), 'frames-clients-'))
      const env = await buildOf(client, folder)
      const told = await toldServer()
      const table = rows.map((row, place) =>
        JSON.stringify({
          ...row,
          url: row.told ? `${told.url}/${place}` : service().url,
          key: row.key ?? service().secret,
        }),
      )
      writeFileSync(join(folder, 'calls.jsonl'), `${table.join('\n')}\n`)
      try {
        const program = fileURLToPath(new URL(client.calls, projectFolder))
        const { stdout } = await run(client.program, [program, join(folder, 'calls.jsonl')], {
          env,
          maxBuffer: 64 * 1024 * 1024,
        })
        outcomes = stdout
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line) as Outcome)
        asked = told.asked
      } finally {
        told.close()
      }
    })
    after(() => folder && rmSync(folder, { recursive: true, force: true }))

    for (const [place, row] of rows.entries())
      it(row.rule, () => {
        const { answer, error, status } = outcomes[place] ?? {}
        const shown = JSON.stringify(outcomes[place]).slice(0, 2000)
        assert.deepEqual([error, status ?? undefined], [row.error, row.status], shown)
        if (row.frames_found !== undefined) {
          const ids = answer as string[]
          assert.deepEqual([ids.length, new Set(ids).size], [row.frames_found, row.frames_found])
        } else if (row.answer !== undefined) assert.ok(isLike(answer, row.answer), shown)
        if (!row.told) return
        const calls = asked[place] ?? []
        assert.equal(calls.length, row.told.length)
        assert.match(calls[0]?.idempotencyKey ?? '', /^[!-~]{8,200}$/)
        // The pages of a walk are calls of their own.
        const keys = new Set(calls.map(({ idempotencyKey }) => idempotencyKey))
        assert.equal(keys.size, 'frames' in row ? row.told.length : 1)
        const [first, last] = [calls[0]?.at ?? 0, calls.at(-1)?.at ?? 0]
        // A timer may be a little early.
        if (row.seconds) assert.ok(last - first >= row.seconds * 1000 - 20, `${last - first} ms`)
      })
  })

describe('the clients', () => {
  it('are three, and that for Python passes its own tests and mypy in its strict mode', function () {
    this.timeout(60_000)
    const python = clients.find(({ language }) => language === 'Python')
    assert.equal(clients.length, 3)
    if (!python || !isInstalled(python)) return this.skip()
    const folder = fileURLToPath(new URL('clients/python', projectFolder))
    // Without what it kept of the last run, mypy reads the packages of pandas for ten seconds.
    const cache = fileURLToPath(new URL('node_modules/.cache/mypy', projectFolder))
    execFileSync(python.program, ['-m', 'mypy', '--cache-dir', cache], { cwd: folder, stdio: 'pipe' })
    execFileSync(python.program, ['-W', 'error', '-m', 'unittest', 'discover', '-s', 'tests'], {
      cwd: folder,
      stdio: 'pipe',
    })
  })
})
