/** What the lines of a transcript do: transcript.ts explains them. */
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { connect, type Database, type Target } from '../../src/core/db/connect.js'
import { sqlText } from '../../src/core/db/statement.js'
import { visit } from './browse.js'
import { frames, framesProcess, settingsFor, wordsOf } from './cli.js'
import { analystTarget, type TestDatabase } from './database.js'
import { ask, bearer } from './service.js'

/** The folder of its files, the roles of its database, and the service on it. */
type Place = { folder: string; roles: Roles; at: () => Promise<{ url: string; secret: string }> }
type Verbs = Record<string, (rest: string, role: string) => unknown>

export const verbsAt = (place: Place): Verbs => ({
  ...commandVerbs(place),
  ...databaseVerbs(place.roles),
  ...callVerbs(place),
  ...fileVerbs(place.folder),
})

/** How what is printed begins where a step failed. */
export const FAULT = /^ERROR|^\[\d\]/

function commandVerbs({ folder, roles }: Place): Verbs {
  /** A word of JSON, or with the end of a line, is what stands in a file. */
  function inFolder(word: string, place: number): string {
    const isJson = /^(\[|\{|\\u001e)/.test(word)
    if (!isJson && !word.includes('\\n')) return word.replace(/^\.\//, `${folder}/`)
    const path = join(folder, `typed-${place}.${isJson ? 'json' : 'csv'}`)
    writeFileSync(path, unescaped(word))
    return path
  }
  async function run(line: string, role: string): Promise<string> {
    const [typed = '', all] = line.split(/ (2>&1)$/)
    const words = wordsOf(typed).map(inFolder)
    const begin = words.findIndex((word) => !/^[A-Z_]+=/.test(word))
    const settings = words.slice(0, begin).map((word) => [word.replace(/=.*/, ''), word.replace(/^\w+=/, '')])
    const env = { ...settingsFor(roles.targetOf(role)), ...(Object.fromEntries(settings) as Record<string, string>) }
    const { status, out, err } = await (role === 'process' ? framesProcess : frames)(words.slice(begin), env)
    if (status === 0) return `${all === undefined ? '' : err}${out}`
    // The progress of what failed is no part of its sentence.
    return `[${status}] ${err.replaceAll(/^ *\d+\.\d s {2}.*\n/gm, '')}${out}`
  }
  return { $: run, do: run }
}

const databaseVerbs = (roles: Roles): Verbs => ({
  '?': async (text, role) => {
    // Columns may have one name here.
    const cells = `select array(select value from json_each_text(row_to_json(asked))) as cells from (${text}) as asked`
    const rows = await roles.of(role).rows<{ cells: (string | null)[] }>(cells, [])
    return rows.map((row) => row.cells.map((cell) => cell ?? '∅').join('|'))
  },
  ';': (text, role) => roles.of(role).work(text),
  sql: (rest, role) => {
    const [, name = '', args = ''] = /^(\S+) (.*)$/s.exec(rest) ?? []
    return roles.of(role).rows(sqlText(name), JSON.parse(args) as unknown[])
  },
})

function callVerbs({ at }: Place): Verbs {
  let secret: string | undefined
  let visitor = visit('')
  async function call(method: string, rest: string): Promise<string> {
    const [path = '', ...body] = rest.split(/ (?=\{)/)
    const called = await at()
    const json = body.length > 0 ? { body: body.join(' ') } : {}
    const typed = { 'content-type': 'application/json', accept: 'application/json, text/event-stream' }
    const headers = { ...bearer(secret ?? called.secret), ...(body.length > 0 && typed) }
    const answer = await ask(called.url + path.replaceAll(' ', '%20'), { method, headers, ...json })
    return `${answer.status === 200 ? '' : `${answer.status} `}${answer.text.replaceAll(called.url, '')}`
  }
  return {
    GET: (rest) => call('GET', rest),
    POST: (rest) => call('POST', rest),
    key: (name) => void (secret = name),
    enter: async (t) => {
      visitor = visit((await at()).url)
      return (await visitor.post('/app/link', { t })).status
    },
    open: async (path) => {
      const { status, headers } = await visitor.get(path)
      return `${status} ${headers.location ?? ''}`
    },
  }
}

function fileVerbs(folder: string): Verbs {
  const read = (path: string) => readFileSync(join(folder, path), 'utf8')
  return {
    file: (rest) => writeFileSync(join(folder, rest.replace(/ .*/s, '')), unescaped(rest.replace(/^\S+ /, ''))),
    cat: read,
    head: (path) => read(path).split('\n')[0],
    ls: () => readdirSync(folder).toSorted().join('\n'),
  }
}

const unescaped = (text: string) => JSON.parse(`"${text.replaceAll('"', '\\"').replaceAll('\\\\"', '\\"')}"`) as string

type Roles = ReturnType<typeof rolesOf>

/** The connections of roles, each made when it is first used. */
export function rolesOf(database: TestDatabase) {
  const { ownerTarget, adminTarget, target, db } = database
  const targets: Record<string, Target> = { admin: adminTarget, service: target, analyst: analystTarget(database) }
  const targetOf = (role: string) => targets[role] ?? ownerTarget
  const made = new Map<string, Database>()
  return {
    targetOf,
    of: (role: string): Database => {
      if (role === '') return db
      const known = made.get(role) ?? connect(targetOf(role), { connections: 1, deadlineMs: 120_000 })
      made.set(role, known)
      return known
    },
    close: () => Promise.all(Array.from(made.values(), (each) => each.close())),
  }
}
