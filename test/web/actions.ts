/** Every page and form of the web app, read from src/app/console.ts: tests that go through the list miss no new one. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'

export const ROLES = ['nobody', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export type Action = { method: 'GET' | 'POST'; path: string; least: Role }

const code = readFileSync(new URL('src/app/console.ts', projectFolder), 'utf8')

export const actions: readonly Action[] = Array.from(
  code.matchAll(/^ {2}(page|form)\('([^']+)', '(anyone|member|admin|owner)'/gm),
  ([, kind, path = '', least]) => ({
    method: kind === 'page' ? 'GET' : 'POST',
    path,
    least: least === 'anyone' ? 'nobody' : (least as Role),
  }),
)
// A page that is listed in another way would be tried by no test.
assert.equal(actions.length, code.match(/\b(page|form)\(/g)?.length)

/** Returns the path of an action under /app, with a value in place of each of its parameters. */
export const pathOf = ({ path }: Action, values: Readonly<Record<string, string>> = {}): string =>
  `/app${path === '/' ? '' : path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? 'none')}`
