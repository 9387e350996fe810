import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fileURLToPath } from 'node:url'
import { projectFolder } from '../../src/db/statement.js'
import { UsageError } from '../../src/cli/command.js'
import { exportCommand } from '../../src/cli/export.js'
import { runCommand } from '../../src/cli/program.js'
import { readConfig } from '../../src/config.js'
import { frames, framesProcess, type Ran, startFrames } from '../support/cli.js'
import { service, startService } from '../support/service.js'
import { startRelay, type Fate, type Relay } from '../support/relay.js'

type Line = { type: string; id: string; geometry: { type: string }; properties: Record<string, string> }
const run = promisify(execFile)
const hasOgr = spawnSync('ogr2ogr', ['--version']).status === 0
const box = ['--bbox', '0.1,0.05,0.4,0.35']
const unit = ['--state', 'marembe', '--lga', 'lakeside']

/** As main.ts runs it, without the second that a process takes to start. */
async function told([, ...words]: string[], env: Record<string, string>): Promise<Ran> {
  const json = words.includes('--json')
  let [out, err] = ['', '']
  const result = (value: unknown, text: string) => (out += `${json ? JSON.stringify(value) : text}\n`)
  const progress = (step: string) => (err += `${step}\n`)
  try {
    await runCommand(
      exportCommand,
      readConfig(env),
      words.filter((word) => word !== '--json'),
      { json, result, progress },
    )
    return { status: 0, out, err }
  } catch (error) {
    return { status: error instanceof UsageError ? 2 : 1, out, err: `${err}${(error as Error).message}` }
  }
}

describe('frames export', function () {
  this.timeout(120_000)
  let folder: string
  let relays: Relay[]
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-export-'))
    relays = []
  })
  afterEach(async () => {
    for (const relay of relays) await relay.close()
    rmSync(folder, { recursive: true, force: true })
  })

  const at = (name: string) => join(folder, name)
  const relay = async (fate?: Fate) => {
    const started = await startRelay(service().url, fate)
    relays.push(started)
    return started
  }
  const env = () => ({ FRAMES_KEY: service().secret })
  const words = (url: string, file: string, what = unit, page = '100') => [
    'export',
    ...what,
    '--page',
    page,
    '--url',
    url,
    at(file),
  ]
  const linesOf = (file: string) =>
    readFileSync(at(file), 'utf8')
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line)
  const counted = async (where: string) => {
    const [row] = await service().db.rows<{ ids: string[] }>(
      `select array_agg(frame_id::text order by frame_id) as ids from frame where ${where}`,
      [],
    )
    return row?.ids ?? []
  }

  it('writes every frame of a unit once, as the API gives it, in the order of ids', async () => {
    const through = await relay()
    const ran = await told(words(through.url, 'lakeside.geojsonl'), env())
    assert.equal(ran.status, 0, ran.err)
    const lines = linesOf('lakeside.geojsonl')
    const ids = await counted(`state = 'MAREMBE' and lga = 'LAKESIDE'`)
    assert.ok(ids.length > 500)
    assert.deepEqual(
      lines.map(({ id }) => id),
      ids,
    )
    const [kept] = await service().db.rows<{ geojson: string }>(
      'select geojson from frame where frame_id = $1::bigint',
      [ids[0]],
    )
    assert.equal(JSON.stringify(lines[0]?.geometry), kept?.geojson)
    assert.deepEqual(readdirSync(folder), ['lakeside.geojsonl'], 'nothing is left beside it')
    assert.match(ran.out, new RegExp(`has ${ids.length} frames`))
  })

  it('writes every frame that touches a box once, however many there are', async () => {
    const through = await relay()
    const ran = await told([...words(through.url, 'box.geojsonl', box), '--json'], env())
    assert.equal(ran.status, 0, ran.err)
    const ids = linesOf('box.geojsonl').map(({ id }) => id)
    const known = await counted('ST_Intersects(geom, ST_MakeEnvelope(0.1, 0.05, 0.4, 0.35, 4326))')
    assert.ok(known.length > 800, 'more than one answer of 100 holds')
    assert.deepEqual(
      ids.toSorted((one, other) => Number(one) - Number(other)),
      known,
    )
    assert.deepEqual(JSON.parse(ran.out), { file: at('box.geojsonl'), frames: known.length, resumedAt: 0 })
  })

  for (const [what, which, file] of [
    ['a unit', unit, 'whole.geojsonl'],
    ['a unit with its units', [...unit, '--with-units'], 'whole.csv'],
    ['a box', box, 'whole.csv'],
  ] as const) {
    it(`of ${what}, killed and run again, gives the same bytes`, async () => {
      const straight = await relay()
      assert.equal((await told(words(straight.url, file, [...which]), env())).status, 0)
      const wholeFile = readFileSync(at(file))
      rmSync(at(file))

      let stopAt = 6
      let reached = () => {}
      const waiting = new Promise<void>((done) => (reached = done))
      const cut = await relay((call) => {
        if (call >= stopAt) reached()
        return call < stopAt
      })
      const killed = startFrames(words(cut.url, file, [...which]), env())
      await waiting
      killed.child.kill('SIGKILL')
      await killed.ended
      assert.ok(!existsSync(at(file)), 'a file that is not whole has not the name of one')
      const part = readFileSync(at(`${file}.part`))
      assert.ok(part.length > 0 && part.length < wholeFile.length)
      // A line that was not written whole: what a crash may leave.
      writeFileSync(at(`${file}.part`), part.subarray(0, part.length - 7))

      const before = cut.calls().length
      stopAt = Infinity
      const ran = await told(words(cut.url, file, [...which]), env())
      assert.equal(ran.status, 0, ran.err)
      assert.ok(readFileSync(at(file)).equals(wholeFile), 'the same bytes')
      assert.match(ran.err, /going on after \d+ frames/)
      const fewer = straight.calls().length - (cut.calls().length - before)
      if (what !== 'a box') assert.ok(fewer > 0, 'fewer calls than from the start')
    })
  }

  it('begins anew when another question was under way in the same file', async () => {
    let broken = true
    const cut = await relay((call) => (call < 4 || !broken ? true : 500))
    const failed = await told(words(cut.url, 'out.geojsonl'), env())
    assert.equal(failed.status, 1)
    assert.ok(existsSync(at('out.geojsonl.part')))
    broken = false
    const ran = await told(words(cut.url, 'out.geojsonl', ['--state', 'marembe', '--lga', 'central']), env())
    assert.equal(ran.status, 0, ran.err)
    assert.doesNotMatch(ran.err, /going on/)
    assert.deepEqual(
      linesOf('out.geojsonl').map(({ id }) => id),
      await counted(`state = 'MAREMBE' and lga = 'CENTRAL'`),
    )
  })

  it('tries a failure of the server once more, and no oftener; what there is stays', async () => {
    const once = await relay((call) => (call === 3 ? 500 : true))
    const ran = await told(words(once.url, 'once.geojsonl'), env())
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.err, /status 500: trying once more/)
    const twice = await relay((call) => (call === 3 || call === 4 ? 500 : true))
    const failed = await told(words(twice.url, 'twice.geojsonl'), env())
    assert.equal(failed.status, 1)
    assert.match(failed.err, /Something broke\. \(internal\)/)
    assert.equal(twice.calls().length, 4)
    assert.equal(linesOf('twice.geojsonl.part').length, 100)
  })

  it('waits as long as Retry-After says when a bucket is spent, and loses nothing', async () => {
    const big = { burst: 9000, perMinute: 9000 }
    const slow = await startService(service().database, {
      buckets: { key: { burst: 1, perMinute: 30 }, organisation: big, insight: big },
    })
    const through = await startRelay(slow.url)
    try {
      const ran = await told(words(through.url, 'slow.csv', [...unit, '--ward', 'lake island'], '5000'), {
        FRAMES_KEY: slow.secret,
      })
      assert.equal(ran.status, 0, ran.err)
      const ids = await counted(`lga = 'LAKESIDE' and ward = 'LAKE ISLAND'`)
      assert.equal(readFileSync(at('slow.csv'), 'utf8').trimEnd().split('\n').length, 1 + ids.length)
      // The tag, the frames, the tag again: one passes at once, and each of the others after one wait.
      const waits = [...ran.err.matchAll(/waiting (\d+) s: .*\(rate_limited\)/g)].length
      assert.ok(waits === 1 || waits === 2, ran.err)
      assert.equal(through.calls().length, 3 + waits)
    } finally {
      await through.close()
      await slow.stop()
    }
  })

  it('says what the API said of a key that is wrong, and ends with status 1', async () => {
    const ran = await frames(['export', ...unit, '--url', service().url, '--key', 'svc_sk_wrong', at('out.csv')], {})
    assert.equal(ran.status, 1)
    assert.match(ran.err, /refused: .*\(invalid_key\)/)
    assert.deepEqual(readdirSync(folder), [])
  })

  it('says that nothing answers at an address, and ends with status 1', async () => {
    const gone = await startRelay(service().url)
    await gone.close()
    const ran = await told(words(gone.url, 'out.csv'), env())
    assert.equal(ran.status, 1)
    assert.match(ran.err, /cannot be reached: ECONNREFUSED/)
  })

  it('refuses a second run on the same file while the first is under way', async () => {
    let reached = () => {}
    const waiting = new Promise<void>((done) => (reached = done))
    const held = await relay((call) => {
      if (call === 3) reached()
      return call < 3
    })
    const first = startFrames(words(held.url, 'out.geojsonl'), env())
    await waiting
    const second = await told(words(service().url, 'out.geojsonl'), env())
    first.child.kill('SIGKILL')
    await first.ended
    assert.equal(second.status, 1)
    assert.match(second.err, new RegExp(`Process ${first.child.pid} is exporting to `))
  })

  it('keeps what it has when the disk takes no more, and goes on from there', async () => {
    const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
    const line = `ulimit -f 100; exec "${process.execPath}" "${program}" ${words(service().url, 'out.geojsonl').join(' ')}`
    const { PATH } = process.env
    const full = await run('sh', ['-c', line], { env: { PATH, ...env() } }).catch(
      (error: { code: number; stderr: string }) => error,
    )
    assert.equal((full as { code?: number }).code, 1)
    assert.match(full.stderr, /EFBIG/)
    assert.ok(linesOfPart('out.geojsonl') > 100)
    const ran = await told(words(service().url, 'out.geojsonl'), env())
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.err, /going on after/)
    assert.deepEqual(
      linesOf('out.geojsonl').map(({ id }) => id),
      await counted(`state = 'MAREMBE' and lga = 'LAKESIDE'`),
    )
  })
  const linesOfPart = (file: string) => readFileSync(at(`${file}.part`), 'utf8').split('\n').length - 1

  it('begins anew when the index changes under it: lines of two indexes never go together', async () => {
    const change = (by: number) =>
      service().db.rows('update index_generation set generation = generation + $1::int', [by])
    const through = await relay(async (call) => {
      if (call === 4) await change(1)
      return true
    })
    try {
      const ran = await told(words(through.url, 'out.geojsonl'), env())
      assert.equal(ran.status, 0, ran.err)
      assert.match(ran.err, /the index changed meanwhile: beginning anew/)
      assert.deepEqual(
        linesOf('out.geojsonl').map(({ id }) => id),
        await counted(`state = 'MAREMBE' and lga = 'LAKESIDE'`),
      )
    } finally {
      await change(-1)
    }
  })

  it('gives each frame its units, bbox and centre, as asked', async () => {
    const what = [...unit, '--with-units']
    assert.equal((await told(words(service().url, 'out.geojsonl', what, '1000'), env())).status, 0)
    const island = linesOf('out.geojsonl').find(({ id }) => id === '324378020')
    assert.deepEqual([island?.properties['state'], island?.properties['wardCode']], ['MAREMBE', 'MR-02-03'])
    assert.equal((await told(words(service().url, 'out.csv', what, '1000'), env())).status, 0)
    const [head, ...rows] = readFileSync(at('out.csv'), 'utf8').split('\n')
    assert.equal(
      head,
      'id,min_lon,min_lat,max_lon,max_lat,lon,lat,wkt,state,stateCode,lga,lgaCode,ward,wardCode,zone,zoneCode',
    )
    assert.equal(
      rows.find((row) => row.startsWith('324378020,')),
      '324378020,0.2,0.1,0.21,0.11,0.205,0.105,"POLYGON((0.2 0.1,0.21 0.1,0.21 0.11,0.2 0.11,0.2 0.1))",' +
        'MAREMBE,MR,LAKESIDE,MR-02,LAKE ISLAND,MR-02-03,NORTHERN ZONE,NZ',
    )
  })

  it('writes WKT that PostGIS reads as the very frame', async () => {
    const ward = ['--state', 'oke/isale', '--page', '5000', '--url', service().url]
    assert.equal((await told(['export', ...ward, at('out.csv')], env())).status, 0)
    const rows = readFileSync(at('out.csv'), 'utf8')
      .trimEnd()
      .split('\n')
      .slice(1)
      .map((row) => [row.split(',')[0] ?? '', /"(.*)"/.exec(row)?.[1] ?? ''] as const)
    assert.ok(rows.some(([, wkt]) => wkt.startsWith('MULTIPOLYGON')))
    const [same] = await service().db.rows<{ n: number }>(
      `select count(*)::int as n from unnest($1::bigint[], $2::text[]) as given (frame_id, wkt)
      join frame using (frame_id) where ST_OrderingEquals(frame.geom, ST_GeomFromText(wkt, 4326))`,
      [rows.map(([id]) => id), rows.map(([, wkt]) => wkt)],
    )
    assert.equal(same?.n, rows.length)
  })

  it('says what is wrong with its words, and ends with status 2', async () => {
    for (const [given, said] of [
      [['out.csv'], /--state and --bbox/],
      [[...box, ...unit, 'out.csv'], /--state and --bbox/],
      [['--bbox', '0,0,1,1', '--lga', 'x', 'out.csv'], /go with --state/],
      [['--state', 'x', '--ward', 'y', 'out.csv'], /--ward goes with --lga/],
      [['--state', 'x', 'out.shp'], /\.geojsonl, \.csv and \.gpkg are accepted, "out\.shp" came/],
      [
        ['--state', 'x', '--page', '0', 'out.csv'],
        /--page: a whole number from 1 to 5,000, in digits alone, is accepted/,
      ],
      [['--state', 'x', '--url', 'ftp://x', 'out.csv'], /--url: an address/],
    ] as const) {
      const ran = await told(['export', ...given], env())
      assert.equal(ran.status, 2, given.join(' '))
      assert.match(ran.err, said)
    }
    const keyless = await told(['export', '--state', 'x', 'out.csv'], {})
    assert.equal(keyless.status, 2)
    assert.match(keyless.err, /A key is needed: FRAMES_KEY/)
  })

  for (const [what, given, said] of [
    ['a misspelt state', ['--state', 'marmebe'], /There is no state "marmebe"\. Did you mean MAREMBE\?/],
    [
      'a misspelt LGA',
      ['--state', 'marembe', '--lga', 'lakside'],
      /no LGA "lakside" in marembe\. Did you mean LAKESIDE\?/,
    ],
    [
      'a misspelt ward',
      [...unit, '--ward', 'sand  kuay'],
      /no ward "sand  kuay" in lakeside, marembe\. Did you mean SAND QUAY\?/,
    ],
    [
      'a unit that is like no other',
      ['--state', 'atlantis'],
      /no state "atlantis"\. There are .*MAREMBE, .*OKE\/ISALE\./,
    ],
    [
      'a box off the grid',
      ['--bbox', '50,50,51,51'],
      /No frame touches the box 50,50,51,51 \(minLon,minLat,maxLon,maxLat/,
    ],
  ] as const) {
    it(`ends with an error, and without a file, for ${what}`, async () => {
      const ran = await told(['export', ...given, '--url', service().url, at('out.csv')], env())
      assert.equal(ran.status, 1, ran.err)
      assert.match(ran.err, said)
      assert.match(ran.err, /out\.csv is not written\./)
      assert.deepEqual(readdirSync(folder), [])
    })
  }

  for (const given of [['--bbox', '-0.1,-0.1,0.1,0.1'], ['--bbox=-0.1,-0.1,0.1,0.1']]) {
    it(`takes a box that begins with a minus sign: ${given.join(' ')}`, async () => {
      const ran = await frames(['export', ...given, '--url', service().url, at('out.geojsonl')], env())
      assert.equal(ran.status, 0, ran.err)
      const known = await counted('ST_Intersects(geom, ST_MakeEnvelope(-0.1, -0.1, 0.1, 0.1, 4326))')
      assert.ok(known.length > 300)
      assert.equal(linesOf('out.geojsonl').length, known.length)
    })
  }

  it('says in its help what is in each file: names, coordinates and order', async () => {
    const ran = await framesProcess(['export', '--help'], {})
    assert.equal(ran.status, 0)
    const said = ran.out.replaceAll(/\s+/g, ' ')
    const what = [...unit, '--ward', 'lake island', '--url', service().url]
    assert.equal((await told(['export', ...what, at('out.geojsonl')], env())).status, 0)
    assert.match(said, /type, id \(text\), geometry \(Polygon, or MultiPolygon .*?\), properties \(empty\)/)
    assert.deepEqual(Object.keys(linesOf('out.geojsonl')[0] ?? {}), ['type', 'id', 'geometry', 'properties'])
    assert.equal((await told(['export', ...what, '--with-units', at('out.csv')], env())).status, 0)
    const names = readFileSync(at('out.csv'), 'utf8').split('\n')[0]?.split(',') ?? []
    assert.ok(said.includes(`${names.slice(0, 7).join(', ')} (the middle of the corners), wkt.`))
    assert.ok(said.includes(`${names.slice(8, -1).join(', ')} and zoneCode: as properties`))
    assert.match(said, /EPSG:4326.*order of their ids.*layer "frame" of MultiPolygons.*no file is written/)
  })

  it('says that a GeoPackage needs ogr2ogr where there is none, before it asks anything', async () => {
    const through = await relay()
    const ran = await framesProcess(words(through.url, 'out.gpkg'), { ...env(), PATH: folder })
    assert.equal(ran.status, 1)
    assert.match(ran.err, /written by ogr2ogr, which is not installed here/)
    assert.deepEqual(through.calls(), [])
  })

  it('writes a GeoPackage of one layer, every frame a MultiPolygon', async function () {
    if (!hasOgr && process.env['CI'] !== 'true') return this.skip()
    const ran = await told(words(service().url, 'out.gpkg', [...unit, '--with-units'], '1000'), env())
    assert.equal(ran.status, 0, ran.err)
    const { stdout } = await run('ogrinfo', ['-so', at('out.gpkg'), 'frame'])
    const ids = await counted(`state = 'MAREMBE' and lga = 'LAKESIDE'`)
    assert.match(
      stdout,
      new RegExp(`Geometry: Multi Polygon[\\s\\S]*Feature Count: ${ids.length}\\n[\\s\\S]*wardCode: String`),
    )
    assert.match(stdout, /^id: String/m)
    assert.deepEqual(readdirSync(folder), ['out.gpkg'])
  })
})
