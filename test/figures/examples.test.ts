import assert from 'node:assert/strict'
import { figure } from '../../src/core/db/statements.js'
import type { Figure } from '../../src/core/figures/algebra.js'
import { page } from '../docs/curls.js'
import { onPostgres } from '../support/database.js'
import { service } from '../support/service.js'
import { examples, figuresPage, type Value } from './examples.js'
import { figureNaively, measureNaively, readWorld, type World } from './naive.js'

describe('the examples of figures', function () {
  this.timeout(600_000)

  it('have the values that they state', async () => {
    for (const { ask, figure: asked, value } of examples) assert.deepEqual(await valueOf(asked), value, ask)
    assert.ok(examples.length > 80)
  })

  it('are shown by docs/figures.md, which "npm run schema" writes', () => {
    assert.equal(page('docs/figures.md'), figuresPage())
  })

  // The loop and the SQL by hand need no second database: they read rows alone.
  if (onPostgres)
    it('have the values that a loop over frames and features finds, or SQL by hand', async () => {
      const world = await readWorld(service().db)
      for (const { ask, figure: asked, value, byHand } of examples)
        assert.deepEqual(await (byHand ? foundByHand(byHand) : foundNaively(world, asked)), byName(value), ask)
    })
})

const rounded = (number: number) => Number(number.toFixed(2))

async function valueOf(asked: Figure): Promise<Value> {
  const rows = await figure(service().db, JSON.stringify(asked))
  const { by, of } = asked
  if (by)
    return rows.map(({ path, class: group, name, value }) => [
      'level' in by ? path : 'each' in by ? name : group,
      rounded(Number(value ?? NaN)),
    ])
  const { value, classes } = rows[0] ?? {}
  // A most common class is named by the classes; its number is that of its things.
  return of.how === 'mode' && classes ? classes.map((each) => [each.value, each.things]) : rounded(Number(value ?? NaN))
}

function byName(value: Value): Map<string, number> {
  if (typeof value === 'number') return new Map([['', value]])
  return new Map(value.map(([group, number]) => [Array.isArray(group) ? group.join('/') : (group ?? ''), number]))
}

async function foundByHand(text: string): Promise<Map<string, number>> {
  const rows = await service().db.rows<{ name?: string; number: string | number }>(text, [])
  return new Map(rows.map(({ name = '', number }) => [name, rounded(Number(number))]))
}

/** The loop writes a class ": Forest". */
const withoutMark = (name: string) => name.replace(/^: /, '')

async function foundNaively(world: World, asked: Figure): Promise<Map<string, number>> {
  const { of, by, order, n, inEach } = asked
  if (of.how === 'mode' && of.subject && !by) {
    const { subject, ...counted } = of
    const groups = await measureNaively(world, { ...counted, how: 'count' }, { class: subject })
    groups.delete(': ')
    return new Map([...groups].map(([name, { things }]) => [withoutMark(name), things]))
  }
  const values = [...(await figureNaively(world, asked))].map(([name, value = NaN]) => [name, value] as const)
  const parentOf = (name: string) => (inEach === undefined ? '' : name.slice(0, name.lastIndexOf('/')))
  const first = values.filter(([name, value]) => {
    const better = values.filter(
      ([other, number]) => parentOf(other) === parentOf(name) && (order === 'lowest' ? number < value : number > value),
    )
    return n === undefined || better.length < n
  })
  return new Map(first.map(([name, value]) => [withoutMark(name), rounded(value)]))
}
