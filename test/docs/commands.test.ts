import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { createOrganisation, findOrganisation } from '../../src/core/access/organisations.js'
import { groupThousands } from '../../src/core/decimal.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { feature, fingerprint, temporaryFolder } from '../load/files.js'
import { tiff } from '../load/tiff.js'
import { frames, settingsFor, wordsOf } from '../support/cli.js'
import { newDatabase, type TestDatabase } from '../support/database.js'
import { fixture, mint, service, startService } from '../support/service.js'
import { insightOf } from '../insight/ask.js'
import { page, printed, section, shellLines } from './curls.js'

describe('the commands of the documentation', function () {
  this.timeout(120_000)
  let database: TestDatabase
  before(async () => {
    database = await newDatabase()
  })
  after(() => database.drop())
  const env = () => settingsFor(database.ownerTarget)

  /** The first frame of each ward of a state: file people.csv has them. */
  const countedFrames = () =>
    database.db.rows<{ id: string; unit: string }>(
      `select frame_id::text as id, array_to_string(array[state, lga, ward], '/') as unit from frame
       where (frame_id in (select min(frame_id) from frame group by state, lga, ward)) and state = 'MAREMBE' order by frame_id limit 40`,
      [],
    )

  it('on keys do what the page for operators says, in order', async () => {
    const lines = shellLines(page('docs/keys.md'))
    assert.equal(lines.length, 10)
    await createOrganisation(database.db, 'demo', 'trial')
    let keyId = ''
    for (const line of lines) {
      const said = await printed(line.replace('key_AbCdEfGhIjKl', keyId), env())
      keyId = /key_\w{12}/.exec(said)?.[0] ?? keyId
      if (line.includes('orgs create'))
        assert.match(said, /^Created: the organisation "Survey office" \(org_\w+\), plan \w+, has \d+ credits\.$/m)
      if (line.includes('orgs list')) assert.match(said, /150 credits {2}Survey office/)
      if (line.includes('keys mint')) assert.match(said, /^svc_sk_\w{36}$/m)
      if (line.includes('people invite')) assert.match(said, /\/app\/link\?t=svc_in_\w{43}$/m)
      if (line.includes('events')) assert.match(said, / revoked .* minted [\s\S]* created /s)
      if (line.includes('keys revoke')) assert.match(said, new RegExp(`^Revoked: ${keyId} .* revoked`))
    }
  })

  it('on datasets do what the page for operators says, in order', async () => {
    // The second one imports a grid of the reader's own: test/load/own-country.txt does it.
    const [build = '', _import, ...lines] = shellLines(page('docs/load.md'))
    const built = await printed(build, env(), (word) =>
      word.startsWith('fixtures/') ? fixture(word.replace('fixtures/', '')) : word,
    )
    assert.match(
      built,
      /: 12411 frames, 4 states, 12 local government areas, 60 wards\.\n1086 frames are cut at the boundary, 147 /,
    )
    assert.equal(await fingerprint(database.db), await fingerprint(service().db))
    const files = temporaryFolder()
    const place = '{"type":"Feature","geometry":{"type":"Point","coordinates":[0.205,0.105]}}'
    const written: Record<string, string> = {
      'rows.csv': files.write('rows.csv', 'frame,depth\n324378020,12\n324378021,7\n'),
      'wells.geojson': files.write('wells.geojson', place),
    }
    const [west, north] = [0.2, 0.2]
    const pixels = { width: 10, height: 10, place: [west, north, 0.01, 0.01] as const }
    const numbers = Array.from({ length: 100 }, (_, i) => i)
    written['people.tif'] = files.write('people.tif', tiff({ ...pixels, bands: [numbers] }))
    written['cover.tif'] = files.write('cover.tif', tiff({ ...pixels, bands: [numbers.map((n) => 10 + (n % 2) * 10)] }))
    const square = {
      type: 'Polygon',
      coordinates: [
        [
          [west, 0.1],
          [0.3, 0.1],
          [0.3, north],
          [west, north],
          [west, 0.1],
        ],
      ],
    }
    written['soils.geojson'] = files.write('soils.geojson', JSON.stringify(feature(1, square, { soil: 'clay' })))
    written['budget.csv'] = files.write('budget.csv', 'State,LGA,Ward,budget\nMarembe,Lakeside,Sand Quay,1000\n')
    written['pupils.csv'] = files.write('pupils.csv', 'State,LGA,pupils\nMarembe,Lakeside,640\n')
    const [, catalogue = ''] = /```json\n([\s\S]*?)```/.exec(page('docs/load.md')) ?? []
    const counted = await countedFrames()
    written['people.csv'] = files.write(
      'people.csv',
      `frame,pop\n${counted.map(({ id }, i) => `${id},${2 ** i}`).join('\n')}\n`,
    )
    written['people.json'] = files.write('people.json', catalogue)
    const said: string[] = []
    for (const line of lines) said.push(await printed(line, env(), (word) => written[word] ?? word))
    files.remove()
    assert.deepEqual(said.slice(0, 4), [
      'lyr_wells is being served: 2 frames.\n  depth (number, summary mean): 2 values, from 7 to 12, total 19. ' +
        'All are whole numbers: if they count something, give summary "sum" with --attributes.\n',
      'lyr_well_sites is being served: 1 point.\n',
      'lyr_wells may be read by demo at 2 a query.\n',
      'lyr_well_sites may be read by everyone.\n',
    ])
    assert.match(said[4] ?? '', /^lyr_wells .*Wells {2}\(demo at 2 a query\)$/m)
    assert.match(said[5] ?? '', /^lyr_wells .*Wells {2}\(2 credits a call\)$/m)
    assert.equal(said[6], 'lyr_wells is not licensed to demo any more.\n')
    const [dry = '', shares = ''] = lines.flatMap((line, i) => (line.includes('import raster') ? [said[i] ?? ''] : []))
    const made = lines.flatMap((line, i) => (/--by |--from shapes/.test(line) ? [said[i] ?? ''] : []))
    assert.match(made[0] ?? '', /soil \(category, summary mode\): 100 values, 1 different/)
    assert.match(made[1] ?? '', /budget \(number, summary sum\): .* total 1000/)
    assert.match(made[2] ?? '', /pupils \(number, summary sum\): .* total 640/)
    assert.match(dry, /would be served, and nothing was changed: 100 frames\.[\s\S]* 4950 in frames, 0 outside\./)
    assert.match(shares, /^ {2}Forest \(number, summary weighted_mean\): 100 values, from 0 to 1, total 50/m)
  })

  it('on datasets make a country that answers by its own names: no baseline repeats its units', async () => {
    const counted = await countedFrames()
    const started = await startService(database)
    try {
      const { secret } = await mint(database.db, {
        org: (await findOrganisation(database.db.run, 'Survey office')).orgId,
      })
      const request = { url: started.url, secret }
      const people = (name: string) =>
        groupThousands(
          String(counted.reduce((all, { unit }, i) => all + (unit.split('/').includes(name) ? 2 ** i : 0), 0)),
        )
      for (const [place, name] of [
        ['Lakeside', 'LAKESIDE'],
        ['lakeside LGA', 'LAKESIDE'],
        ['Kofa (North)', 'KOFA (NORTH)'],
        ['sand quay', 'SAND QUAY'],
        ['Marembe', 'MAREMBE'],
      ] as const) {
        const question = `how many people live in ${place}`
        const { headline, facets } = await insightOf(request, { frameIds: counted.map(({ id }) => id), question })
        assert.equal(facets[0]?.value, `${people(name)} people`, `${question}: ${headline}`)
        assert.ok(headline.includes(` ${people(name)} people`), headline)
      }
    } finally {
      await started.stop()
    }
  })

  it('on SQL in migrations/README.md are right', async () => {
    const { keyId, orgId } = await mint(database.db)
    const [, block = ''] = /## Mint, revoke[\s\S]*?```sql\n([\s\S]*?)```/.exec(page('migrations/README.md')) ?? []
    const statements = block.split(';\n').filter((statement) => statement.trim())
    assert.equal(statements.length, 3)
    for (const statement of statements)
      await database.db.rows(statement.replace('key_AbCdEfGhIjKl', keyId).replace('org_AbCdEfGhIjKl', orgId), [])
    const [row] = await database.db.rows<{ state: boolean }>(
      'select revoked_at <= clock_timestamp() as state from api_key where key_id = $1::text',
      [keyId],
    )
    assert.equal(row?.state, true)
  })

  it('on the doctor show what it says of a missing index, and fix it', async () => {
    const text = page('migrations/README.md')
    const [line = ''] = shellLines(section(text, '## What is wrong with a database'))
    const [, shown = ''] = /```\n(wrong {2}schema[\s\S]*?)```/.exec(text) ?? []
    const doctor = (...more: string[]) =>
      frames([...wordsOf(line.replace('npm run -s frames -- ', '')), ...more], env())
    await database.db.work('drop index frame_geom_idx')
    const before = await doctor()
    assert.ok(before.out.includes(shown) && shown !== '', before.out)
    assert.equal(before.status, 1)
    await database.db.work(shown.split('\n').slice(1).join('\n'))
    assert.doesNotMatch((await doctor('--only', 'schema')).out, /schema/)
  })

  it('on roles make them', async () => {
    const [line = ''] = shellLines(page('docs/deploy.md')).filter((each) => each.includes('roles.sql'))
    const script = fileURLToPath(new URL('migrations/roles.sql', projectFolder))
    const pasted = line
      .replaceAll('=...', '=')
      .replace(/-d \S+/, `-d '${database.adminTarget as string}'`)
      .replace('migrations/roles.sql', script)
    const { stdout } = await promisify(execFile)('sh', ['-c', pasted])
    assert.match(stdout, /The roles frames_owner, frames_service, frames_console and frames_analyst are ready/)
  })
})
