/**
 * Plays a transcript: what a person types, and below it, indented, what is printed. "# " begins a test, "-- " a remark.
 *
 *   $ words         runs a command of `frames`: what it prints; where it fails, the status and its errors. "do words"
 *                   prints faults alone, "$process" runs it in a process of its own, "2>&1" at its end prints its
 *                   progress too, "NAME=value" before it is a setting.
 *   ? select ...    asks the database, "; ..." changes it: as its owner, or as the role that follows ("?analyst select").
 *   sql NAME [...]  runs a file of sql/ with these parameters.
 *   GET /path       calls the service with the key that "key svc_sk_1" named last; "POST /path {...}" too.
 *   enter svc_in_1  signs in to the web app by a link, "open /app/members" asks for a page: the status.
 *   cat ./NAME      prints a file, "head" its first line, "ls" lists the files, "file NAME text" writes one.
 *   set NAME text   lets {NAME} stand for a text, "save NAME ? select ..." for what is printed.
 *
 * A line that begins with "> " goes on with the one before. "=> data.frames[].id,name" takes members of the JSON that is
 * printed. A word of JSON, or with "\n", is the content of a file, a word that begins with "./" a file of the test.
 * Random ids and keys are printed as org_1 and svc_sk_1 in the order in which they come, and may be typed so; times are
 * TIME. "…" stands for any text of a line, and on a line of its own for any lines. UPDATE=1 writes what came.
 */
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Database } from '../../src/core/db/connect.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { newDatabase } from './database.js'
import { service, startService } from './service.js'
import { newFolder } from './temporary.js'
import type { Filling } from './templates.js'
import { FAULT, rolesOf, verbsAt } from './transcript-verbs.js'

/** What a transcript is played on: the service of the process, or a database of its own, filled. */
export type Stage = Filling | 'shared' | ((db: Database) => Promise<unknown>)

/** Declares the tests of a file of transcripts. `files` are there from the start, and so are `texts`. */
export function plays(
  name: string,
  stage: Stage,
  files: Record<string, string> = {},
  texts: Record<string, string> = {},
): void {
  const path = fileURLToPath(new URL(`test/${name}.txt`, projectFolder))
  const [head = '', ...tests] = readFileSync(path, 'utf8').split(/^(?=# )/m)
  describe((/^= (.*)/.exec(head)?.[1] ?? name).replace('{how}', texts['how'] ?? ''), function () {
    this.timeout(240_000)
    let player: Player
    before(async () => {
      player = await newPlayer(stage, files, texts)
      await holds(head, player, path)
    })
    after(() => player.end())
    const waiting = [...tests]
    for (const test of tests)
      it(test.slice(2).split('\n')[0] ?? '', async () => {
        // Those before it that --grep has left out.
        while (waiting.includes(test) && waiting[0] !== test) await player.play(waiting.shift() ?? '')
        waiting.shift()
        await holds(test, player, path)
      })
  })
}

async function holds(test: string, player: Player, path: string): Promise<void> {
  const came = await player.play(test)
  if (isAs(test, came)) return
  if (process.env['UPDATE'] === undefined) assert.equal(came, test)
  writeFileSync(
    path,
    readFileSync(path, 'utf8').replace(test, () => came),
  )
}

function isAs(test: string, came: string): boolean {
  const pattern = test
    .replaceAll(/[$()*+.?[\\\]^{|}]/g, '\\$&')
    .replaceAll(/^ {2}…\n/gm, '(?:  .*\\n)*')
    .replaceAll('…', '.*')
  return new RegExp(`^${pattern}$`).test(came)
}

type Player = { play: (test: string) => Promise<string>; end: () => Promise<void> }

async function newPlayer(stage: Stage, files: Record<string, string>, given: Record<string, string>): Promise<Player> {
  const isShared = stage === 'shared'
  const database = isShared ? service().database : await newDatabase(typeof stage === 'function' ? 'empty' : stage)
  if (typeof stage === 'function') await stage(database.db)
  const folder = newFolder('transcript')
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text)
  const roles = rolesOf(database)
  // It starts at the first call.
  let own: ReturnType<typeof startService> | undefined
  const at = async () => (isShared ? service() : await (own ??= startService(database)))
  const verbs = verbsAt({ folder, roles, at })
  const names = namesOfIds()
  const texts = new Map(Object.entries(given))

  async function printed(typed: string): Promise<string> {
    const step = names.known(typed.replaceAll(/\{(\w+)\}/g, (all, name: string) => texts.get(name) ?? all))
    const [, verb = '', role = '', rest = ''] = /^(\$|\?|;|\w+)(\w*) ?(.*)$/s.exec(step) ?? []
    if (verb === 'set' || verb === 'save') {
      const [, name = '', text = ''] = /^(\w+) (.*)$/s.exec(rest) ?? []
      texts.set(name, verb === 'set' ? text : await printed(text))
      return ''
    }
    const act = verbs[verb] ?? assert.fail(`A transcript has no "${step}".`)
    const [words = '', path] = rest.split(/ => /)
    const found = await Promise.resolve()
      .then(() => act(words, role))
      .catch((error: Error) => `ERROR: ${error.message}`)
    if (typeof found === 'string') names.named(found)
    const said = path === undefined ? found : chosen(parsed(found), path)
    if (verb === 'do' && !FAULT.test(String(found))) return ''
    return names.named(inOneLine([said].flat().map(valueText)).replaceAll(`${folder}/`, './'))
  }

  const play = async (test: string) => {
    const came: string[] = []
    const steps = test.replaceAll(/^ {2}.*\n/gm, '').split(/\n(?!> )/)
    for (const step of steps) {
      came.push(step)
      if (/^(#|=|--|$)/.test(step)) continue
      const said = await printed(step.replaceAll('\n> ', ' '))
      // What is done before the first test prints its faults alone.
      if (!test.startsWith('# ') && !FAULT.test(said)) continue
      const lines = said.split('\n').filter((line) => line.trim() !== '')
      came.push(...lines.map((line) => `  ${line.trimEnd()}`))
    }
    return came.join('\n')
  }
  const end = async () => {
    await roles.close()
    await (await own)?.stop()
    if (!isShared) await database.drop()
  }
  return { play, end }
}

/** Short rows stand beside each other. */
const inOneLine = (rows: string[]) => rows.join(rows.join('; ').length <= 100 ? '; ' : '\n')

const valueText = (value: unknown): string =>
  typeof value === 'string' ? value : value === null ? '∅' : value === undefined ? '' : JSON.stringify(value)

/** The progress of a command, and its status, may stand before its JSON. */
function parsed(found: unknown): unknown {
  const [json] = (typeof found === 'string' ? /^[[{](?!\d\] ).*/ms.exec(found) : null) ?? []
  return json === undefined ? found : (JSON.parse(json) as unknown)
}

/** "data.frames[].id,bbox.0": members of members, each item of a list by itself, several in one line. */
function chosen(value: unknown, path: string): unknown[] {
  if (typeof value !== 'object') return [value]
  const [, lists = '', names = ''] = /^(?:(.*\[\])(?:\.|$))?(.*)$/.exec(path) ?? []
  const at = (of: unknown, steps: string): unknown =>
    steps
      .split('.')
      .reduce((one, name) => (name === '' ? one : (one as Record<string, unknown> | null | undefined)?.[name]), of)
  let items = [value as unknown]
  for (const steps of lists.split('[]').slice(0, -1)) items = items.flatMap((one) => at(one, steps))
  return items.map((one) =>
    names.includes(',')
      ? names
          .split(',')
          .map((name) => valueText(at(one, name)))
          .join('|')
      : at(one, names),
  )
}

/** Gives random ids and keys names, by which they may be typed too. */
function namesOfIds() {
  const ids = new Map<string, string>()
  const count = new Map<string, number>()
  const nameOf = (id: string, kind: string) => {
    const known = ids.get(id) ?? `${kind}_${(count.get(kind) ?? 0) + 1}`
    if (!ids.has(id)) count.set(kind, (count.get(kind) ?? 0) + 1)
    ids.set(id, known)
    return known
  }
  return {
    known: (text: string) => {
      const idOf = (name: string) =>
        [...ids].find(([, known]) => known === name)?.[0] ?? assert.fail(`No ${name} has come yet.`)
      return text.replaceAll(/\b(?:org|key|per|svc_sk|svc_in)_\d{1,3}\b/g, idOf)
    },
    named: (text: string) =>
      text
        .replaceAll(/\b(svc_sk|svc_in|org|key|per)_[0-9A-Za-z]{12,}\b/g, nameOf)
        .replaceAll(/\d{4}-\d\d-\d\d[T ]\d\d:\d\d(:\d\d)?(\.\d+)?(Z| UTC)?/g, 'TIME')
        .replaceAll(/(until|on|since) \d{4}-\d\d-\d\d/g, '$1 DATE')
        .replaceAll(/…\w{4}\b/g, '…')
        .replaceAll(/("last_?[fF]our":")\w{4}\b/g, '$1…')
        .replaceAll(/^ *\d+\.\d s {2}/gm, 'TIME  '),
  }
}
