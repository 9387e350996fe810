/** Every page and form of the web app, read from console.ts and actions.ts: tests that go through the list miss no new one. */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { actionsOf } from '../../src/app/actions.js'
import { projectFolder } from '../../src/core/db/statement.js'

export const ROLES = ['nobody', 'member', 'admin', 'owner'] as const
export type Role = (typeof ROLES)[number]

export type Action = { method: 'GET' | 'POST'; path: string; least: Role }

const code = readFileSync(new URL('src/app/console.ts', projectFolder), 'utf8')
const listed = Array.from(
  code.matchAll(/^ {2}(page|form)\('([^']+)', '(anyone|member|admin|owner)'/gm),
  ([, kind, path = '', least]) => ({
    method: kind === 'page' ? ('GET' as const) : ('POST' as const),
    path,
    least: least === 'anyone' ? ('nobody' as const) : (least as Role),
  }),
)
// A page that is listed in another way would be tried by no test. One line lists the changes of src/app/actions.ts.
assert.equal(listed.length + 1, code.match(/\b(page|form)\(/g)?.length)

/** Only their lists are read here. */
export const changes = actionsOf([], {
  readerForRequest: () => {
    throw new Error('No change is made here.')
  },
})

export const actions: readonly Action[] = [
  ...listed,
  ...changes.map(({ path, least }) => ({ method: 'POST' as const, path, least })),
]

/** Returns the path of an action under /app, with a value in place of each of its parameters. */
export const pathOf = ({ path }: Action, values: Readonly<Record<string, string>> = {}): string =>
  `/app${path === '/' ? '' : path.replace(/:(\w+)/g, (_all, name: string) => values[name] ?? 'none')}`
