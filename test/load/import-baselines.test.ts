import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { newOrganisation } from '../support/service.js'
import { number } from './files.js'
import { first, second, serviceForImports, third } from './imports.js'

describe('importing a baseline', function () {
  this.timeout(120_000)
  const imports = serviceForImports()

  const baseline: typeof imports.baseline = (...given) => imports.baseline(...given)

  it('keeps values exactly as stored', async () => {
    const odd = [
      '007',
      '1e5',
      '  x ',
      '',
      'a "quoted" word',
      'a,comma',
      'two\nlines',
      '\u{1F600} é',
      '-0',
      'null',
      '\\n',
      '\t',
    ]
    const cells = odd.map((value) => `"${value.replaceAll('"', '""')}"`)
    const head = odd.map((_, i) => `a${i}`)
    const made = await baseline(
      'lyr_odd',
      `frame,${head.join()}\r\n${first},${cells.join()}\r\n${second},${head.join()}\r\n`,
    )
    assert.deepEqual([made.kind, made.items], ['frames', 2])
    assert.deepEqual(
      (await imports.entry(first, 'lyr_odd'))?.values,
      Object.fromEntries(odd.map((value, i) => [`a${i}`, value])),
    )
    assert.deepEqual(
      (await imports.entry(second, 'lyr_odd'))?.values,
      Object.fromEntries(head.map((name) => [name, name])),
    )
    assert.equal(await imports.entry(third, 'lyr_odd'), undefined)
  })

  it('takes unquoted odd values, a byte order mark, blank lines, and the form that spreadsheets write', async () => {
    await baseline('lyr_bare', `\uFEFFid,n,t\n\n${first},007,  x \n${second},1e5,y`)
    assert.deepEqual((await imports.entry(first, 'lyr_bare'))?.values, { n: '007', t: '  x ' })
    assert.deepEqual((await imports.entry(second, 'lyr_bare'))?.values, { n: '1e5', t: 'y' })
    await baseline('lyr_sheet', `\uFEFFsize;Frame_ID;n\r\n5";${first};1,5\r\n`)
    assert.deepEqual((await imports.entry(first, 'lyr_sheet'))?.values, { size: '5"', n: '1,5' })
  })

  it('tells numbers from categories where no catalogue gives the types', async () => {
    await baseline('lyr_told', `id,n,m,t\n${first},1.5,,x\n${second},-2e3,4,5`)
    const rows = await imports.db.rows<{ name: string; type: string; summary: string }>(
      `select name, type, summary from attribute where layer_id = 'lyr_told' order by place`,
      [],
    )
    assert.deepEqual(
      [...rows],
      [
        { name: 'n', type: 'number', summary: 'mean' },
        { name: 'm', type: 'number', summary: 'mean' },
        { name: 't', type: 'category', summary: 'mode' },
      ],
    )
  })

  it('replaces a dataset whole, and leaves no row of the version before', async () => {
    const one = await baseline('lyr_again', `id,a,b\n${first},1,2\n${second},3,4`)
    const two = await baseline('lyr_again', `id,b,c\n${second},5,6\n${third},7,8`)
    assert.ok(Number(two.version) > Number(one.version))
    assert.deepEqual(
      (await imports.recorded([first, second, third])).map(
        ({ datasets }) => datasets.find(({ layerId }) => layerId === 'lyr_again')?.values,
      ),
      [undefined, { b: '5', c: '6' }, { b: '7', c: '8' }],
    )
    assert.equal(
      await number(imports.db, `select count(*)::int as n from baseline_row where version = ${one.version}`),
      0,
    )
    const names = await imports.db.rows<{ name: string }>(
      `select name from attribute where layer_id = 'lyr_again' order by place`,
      [],
    )
    assert.deepEqual(
      names.map(({ name }) => name),
      ['b', 'c'],
    )
  })

  it('gives each import a version of its own, also where the sequence was set back behind the rows', async () => {
    await baseline('lyr_before', `frame_id,a\n${first},kept\n`)
    await imports.db.work(`select setval('dataset_version', 1, false)`)
    const made = await baseline('lyr_after', `frame_id,a\n${first},new\n`)
    assert.deepEqual((await imports.entry(first, 'lyr_before'))?.values, { a: 'kept' })
    assert.deepEqual((await imports.entry(first, 'lyr_after'))?.values, { a: 'new' })
    // Rows of an import that was removed count too.
    await imports.db.work(`insert into baseline_row values (5000, ${second}, '{"a":"of nobody"}')`)
    const next = await baseline('lyr_after', `frame_id,a\n${first},newer\n`)
    assert.ok(Number(next.version) > 5000 && Number(made.version) > 1, next.version)
    const [last] = await imports.db.rows<{ at: string }>('select last_value::text as at from dataset_version', [])
    assert.equal(last?.at, next.version)
    await imports.db.work('delete from baseline_row where version = 5000')
  })

  it('cannot give two datasets one version', async () => {
    await assert.rejects(
      imports.db.work(
        `update dataset set version = (select version from dataset where layer_id = 'lyr_after') where layer_id = 'lyr_before'`,
      ),
      /duplicate key value violates unique constraint "dataset_version_once"/,
    )
  })

  it('lets no organisation replace the dataset of another', async () => {
    await baseline('lyr_mine', `id,a\n${first},1`)
    const other = await findOrganisation(imports.db.run, await newOrganisation(imports.db))
    await assert.rejects(
      baseline('lyr_mine', `id,a\n${first},2`, { orgId: other.orgId }),
      /lyr_mine belongs to ".*": only its owner replaces it/,
    )
    assert.deepEqual((await imports.entry(first, 'lyr_mine'))?.values, { a: '1' })
  })

  it('lets readers see the old rows or the new ones, never a mixture', async () => {
    const ids = (
      await imports.db.rows<{ id: string }>('select frame_id::text as id from frame order by frame_id limit 20', [])
    ).map(({ id }) => id)
    const csv = (tag: string) => `id,tag\n${ids.map((id) => `${id},${tag}`).join('\n')}`
    await baseline('lyr_turns', csv('v0'))
    const reading = { on: true }
    let reads = 0
    const tags = new Set<string>()
    const reader = async () => {
      while (reading.on) {
        const frames = await imports.recorded(ids)
        const seen = new Set(
          frames.map(({ datasets }) => datasets.find(({ layerId }) => layerId === 'lyr_turns')?.values?.['tag']),
        )
        assert.equal(seen.size, 1, [...seen].join())
        tags.add([...seen][0] ?? 'none')
        reads += 1
        await sleep(5)
      }
    }
    const readers = Promise.all([reader(), reader()])
    // The embedded database answers few readers during an import.
    const haveRead = () => reads > 10
    for (let turn = 1; turn <= 2 || (!haveRead() && turn < 20); turn += 1) await baseline('lyr_turns', csv(`v${turn}`))
    reading.on = false
    await readers
    assert.ok(reads > 10 && tags.size > 1 && !tags.has('none'), `${reads} reads of ${[...tags].join()}`)
  })
})
