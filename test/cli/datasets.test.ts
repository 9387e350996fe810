import assert from 'node:assert/strict'
import { createOrganisation } from '../../src/access/organisations.js'
import { temporaryFolder } from '../load/files.js'
import { frames } from '../support/cli.js'
import { commandRuns } from './command-runs.js'

type Dataset = {
  layerId: string
  kind: string
  items: number
  vintage?: string
  licences: { to: string; orgId?: string; price?: number }[]
}

describe('frames import and frames datasets', function () {
  this.timeout(120_000)
  const runs = commandRuns()
  const { json, refused } = runs
  const folder = temporaryFolder()
  const rows = folder.write('rows.csv', 'frame,depth,note\n324378020,12,dry\n324378021,7,\n')

  before(async () => {
    for (const name of ['Owner', 'Reader']) await createOrganisation(runs.database.db, name, 'trial')
  })
  after(() => folder.remove())

  const about = (id: string) => ['--id', id, '--name', 'Wells', '--category', 'Physical', '--org', 'Owner']
  const listed = async () => await json<Dataset[]>('datasets', 'list')

  it('imports a baseline with its catalogue, shows progress, and says what is served', async () => {
    const catalogue = folder.write(
      'attributes.json',
      JSON.stringify([
        { name: 'depth', label: 'Depth', unit: 'm', type: 'number', summary: 'mean', synonyms: ['how deep'] },
      ]),
    )
    const ran = await frames(
      ['import', 'baseline', rows, ...about('lyr_wells'), '--vintage', '2025', '--attributes', catalogue, '--json'],
      runs.env,
    )
    assert.equal(ran.status, 0, ran.err)
    const made = JSON.parse(ran.out) as Record<string, unknown>
    assert.deepEqual([made['layerId'], made['kind'], made['items']], ['lyr_wells', 'frames', 2])
    assert.match(ran.err, /s {2}putting the new rows in place/)
    const attributes = await runs.database.db.rows<Record<string, unknown>>(
      `select name, label, unit, type, summary, synonyms from attribute where layer_id = 'lyr_wells' order by place`,
      [],
    )
    assert.deepEqual(
      [...attributes],
      [
        { name: 'depth', label: 'Depth', unit: 'm', type: 'number', summary: 'mean', synonyms: ['how deep'] },
        { name: 'note', label: 'note', unit: null, type: 'category', summary: 'mode', synonyms: [] },
      ],
    )
    const [dataset] = await listed()
    assert.deepEqual(
      { ...dataset, orgId: '', importedAt: '' },
      {
        layerId: 'lyr_wells',
        name: 'Wells',
        category: 'Physical',
        kind: 'frames',
        orgId: '',
        vintage: '2025',
        items: 2,
        importedAt: '',
        licences: [],
      },
    )
  })

  it('licenses to one organisation, per query or not, or to everyone, and takes it back', async () => {
    const license = (...words: string[]) => json<object>('datasets', 'license', 'lyr_wells', '--to', ...words)
    const [{ orgId } = { orgId: '' }] = (await json<{ orgId: string; name: string }[]>('orgs', 'list')).filter(
      ({ name }) => name === 'Reader',
    )
    const reader = { to: 'Reader', orgId }
    assert.deepEqual(await license(orgId, '--per-query', '3'), { layerId: 'lyr_wells', ...reader, price: 3 })
    assert.deepEqual(await license('everyone'), { layerId: 'lyr_wells', to: 'everyone' })
    assert.deepEqual((await listed())[0]?.licences, [{ ...reader, price: 3 }, { to: 'everyone' }])
    const list = async (org: string) => (await frames(['datasets', 'list', '--org', org], runs.env)).out
    assert.match(await list('Reader'), /^lyr_wells .* Wells {2}\(3 credits a call\)$/m, 'its own licence counts')
    assert.match(await list('Owner'), /^lyr_wells .* Wells {2}\(its own\)$/m)
    const [seen] = await json<Dataset[]>('datasets', 'list', '--org', 'Reader')
    assert.deepEqual(seen?.licences, [{ to: 'Reader', orgId, price: 3 }])
    await license('Reader')
    assert.match(await list('Reader'), /^lyr_wells .* Wells {2}\(free\)$/m)
    assert.deepEqual((await listed())[0]?.licences, [reader, { to: 'everyone' }])
    await json('datasets', 'unlicense', 'lyr_wells', '--from', 'Reader')
    await json('datasets', 'unlicense', 'lyr_wells', '--from', 'everyone')
    assert.deepEqual((await listed())[0]?.licences, [])
  })

  it('refuses what cannot be a licence, and says why', async () => {
    await refused(1, /"lyr_well". Did you mean lyr_wells\?/, ...'datasets license lyr_well --to Reader'.split(' '))
    await refused(
      1,
      /No dataset has the id "lyr_none"\. "datasets list"/,
      'datasets',
      'license',
      'lyr_none',
      '--to',
      'Reader',
    )
    await refused(
      1,
      /No organisation has the id or name "Nobody"/,
      'datasets',
      'license',
      'lyr_wells',
      '--to',
      'Nobody',
    )
    await refused(
      1,
      /belongs to "Owner", which reads it without a licence/,
      'datasets',
      'license',
      'lyr_wells',
      '--to',
      'Owner',
    )
    const licensed = ['datasets', 'license', 'lyr_wells', '--to', 'Reader', '--per-query']
    for (const price of ['0', '0.5', '-5', '1e3', ' 12 ', '1000001']) {
      await refused(
        2,
        new RegExp(`--per-query: a whole number from 1 to 1,000,000, in digits alone, is accepted, "${price}" came`),
        ...licensed,
        price,
      )
    }
    await refused(2, /Missing: --to/, 'datasets', 'license', 'lyr_wells')
    await refused(1, /is not licensed to Reader/, 'datasets', 'unlicense', 'lyr_wells', '--from', 'Reader')
    await refused(2, /One of list, license, unlicense is needed after the command; "drop" came/, 'datasets', 'drop')
  })

  it('refuses an import that is not well described, or whose file is not there', async () => {
    await refused(
      2,
      /One of frames, baseline, features is needed after the command; "rows" came/,
      'import',
      'rows',
      rows,
    )
    await refused(2, /Missing: --id, --name, --category, --org/, 'import', 'baseline', rows)
    await refused(
      2,
      /an id of the form lyr_wells: lyr_ and letters, digits or underscores, is accepted, "wells" came/,
      'import',
      'baseline',
      rows,
      ...about('wells'),
    )
    await refused(
      1,
      /No organisation has the id or name "Nobody"/,
      'import',
      'baseline',
      rows,
      ...about('lyr_x').with(7, 'Nobody'),
    )
    await refused(
      1,
      /No organisation has the id or name "everyon"\. Did you mean everyone\?/,
      'datasets',
      'license',
      'lyr_wells',
      '--to',
      'everyon',
    )
    await refused(1, /There is no file \/nowhere\.csv\./, 'import', 'baseline', '/nowhere.csv', ...about('lyr_x'))
    const odd = folder.write('odd.json', '[{"name":"depth","label":"Depth","type":"text","summary":"sum"}]')
    await refused(
      1,
      /attribute 1: type: number or category is accepted, "text" came/,
      'import',
      'baseline',
      rows,
      ...about('lyr_x'),
      '--attributes',
      odd,
    )
    const strange = folder.write(
      'strange.json',
      '[{"name":"colour","label":"Colour","type":"category","summary":"mode"}]',
    )
    await refused(
      1,
      /The catalogue has colour, which is no column: depth, note are/,
      'import',
      'baseline',
      rows,
      ...about('lyr_x'),
      '--attributes',
      strange,
    )
    assert.deepEqual(
      (await listed()).map(({ layerId }) => layerId),
      ['lyr_wells'],
    )
  })
})
