import assert from 'node:assert/strict'
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { framesAt } from '../../src/core/db/statements.js'
import { databaseSettings } from '../export/setup.js'
import { frames } from '../support/cli.js'
import { sample } from '../support/sample.js'
import { service } from '../support/service.js'

describe('frames locate', function () {
  this.timeout(120_000)
  let folder: string
  beforeEach(() => {
    folder = mkdtempSync(join(tmpdir(), 'frames-locate-'))
  })
  afterEach(() => rmSync(folder, { recursive: true, force: true }))

  const at = (name: string) => join(folder, name)
  const read = (name: string) => readFileSync(at(name), 'utf8')
  const locate = (content: string | Buffer, ...more: string[]) => {
    writeFileSync(at('in.csv'), content)
    return frames(['locate', at('in.csv'), at('out.csv'), ...more], databaseSettings())
  }

  /** In and around the country, and on edges and corners. */
  function randomPoints(count: number): [lon: number, lat: number][] {
    const between = (least: number, most: number) => Number((least + Math.random() * (most - least)).toFixed(6))
    return Array.from({ length: count }, (_, i) => {
      const [lon, lat] = [between(-0.75, 0.6), between(-0.8, 0.6)]
      return [i % 5 < 2 ? Number(lon.toFixed(2)) : lon, i % 5 > 0 && i % 5 < 3 ? Number(lat.toFixed(2)) : lat]
    })
  }

  it('gives random points the frames that /v1/frames/at gives them, in the order of the file', async () => {
    const points = randomPoints(sample(200, 10_000))
    const ran = await locate(`n,lon,lat\n${points.map((point, i) => [i, ...point].join()).join('\n')}\n`, '--json')
    assert.equal(ran.status, 0, ran.err)
    const ids = points.map(() => '')
    const lons = points.map(([lon]) => lon)
    const lats = points.map(([, lat]) => lat)
    for (const { place, id } of await framesAt(service().db, lons, lats)) ids[place - 1] = id
    assert.deepEqual(read('out.csv').trimEnd().split('\n'), [
      'n,lon,lat,frame_id',
      ...points.map((point, i) => [i, ...point, ids[i]].join()),
    ])
    const { seconds, file, ...counts } = JSON.parse(ran.out) as { seconds: number; file: string }
    assert.deepEqual([typeof seconds, file], ['number', at('out.csv')])
    const located = ids.filter(Boolean).length
    assert.deepEqual(counts, {
      rows: points.length,
      located,
      outside: points.length - located,
      rejected: 0,
    })
    assert.deepEqual(readdirSync(folder).sort(), ['in.csv', 'out.csv'])
  })

  it('gives the units and the values of the frame, and leaves both empty off the grid', async () => {
    const content = 'x,y\n0.205,0.105\n50,50\n'
    const ran = await locate(content, '--with-units', '--data', 'lyr_population', '--org', 'demo')
    assert.equal(ran.status, 0, ran.err)
    assert.match(ran.out, /lyr_population has values for 1 row\./)
    const [values] = await service().db.rows<{ before: string; now: string; lower: string; upper: string }>(
      `select recorded ->> 'pop_demest25' as before, recorded ->> 'pop_demest26' as now,
        trim_scale(lower)::text as lower, trim_scale(upper)::text as upper
      from baseline, interval_of_set('{324378020}', 'lyr_population', 'pop_demest26')
      where layer_id = 'lyr_population' and frame_id = 324378020`,
      [],
    )
    assert.equal(
      read('out.csv'),
      'x,y,frame_id,state,stateCode,lga,lgaCode,ward,wardCode,zone,zoneCode,pop_demest25,pop_demest26,pop_demest26_lower,pop_demest26_upper\n' +
        `0.205,0.105,324378020,MAREMBE,MR,LAKESIDE,MR-02,LAKE ISLAND,MR-02-03,NORTHERN ZONE,NZ,${values?.before},${values?.now},${values?.lower},${values?.upper}\n` +
        '50,50,,,,,,,,,,,,,\n',
    )
  })

  it('puts each row into one of the two files, the rejected ones with their line and the reason', async () => {
    const ran = await locate(
      'id,lon,lat\na,0.205,0.105\n\n"b\nb","0,205",0.105\nc,,0.1\nd,0.105\ne,0.2,95\nf,9.05,170\ng,NaN,1\nh,+2.05e-1, 0.105 \n',
    )
    assert.equal(ran.status, 1)
    assert.match(ran.out, /out\.csv: 8 rows, 2 located, 0 off the grid, 6 rejected, in [\d.]+ s\./)
    assert.match(ran.err, /6 of 8 rows have no usable point: see .*out\.rejected\.csv\./)
    assert.equal(read('out.csv'), 'id,lon,lat,frame_id\na,0.205,0.105,324378020\nh,+2.05e-1, 0.105 ,324378020\n')
    assert.equal(
      read('out.rejected.csv'),
      [
        'line,reason,id,lon,lat',
        '4,"lon: a number such as 9.05 is accepted, ""0,205"" came","b\nb","0,205",0.105',
        '6,lon is blank,c,,0.1',
        '7,"3 values are needed, 2 came",d,0.105',
        '8,"lat: 95 is not between -90 and 90: are lon and lat swapped?",e,0.2,95'.replaceAll('"', ''),
        '9,lat: 170 is not between -90 and 90: are lon and lat swapped?,f,9.05,170',
        '10,"lon: a number such as 9.05 is accepted, ""NaN"" came",g,NaN,1',
        '',
      ].join('\n'),
    )
  })

  it('keeps a row that spans lines, with its quotes and line ends, in front of values', async () => {
    const row = '"a,\r\n""b""",0.205,0.105'
    const more = ['--data', 'lyr_terrain,lyr_population', '--org', 'demo']
    const ran = await locate(`\uFEFFname,lon,lat\r\n${row}\r\n`, ...more)
    assert.equal(ran.status, 0, ran.err)
    const written = read('out.csv')
    assert.match(
      written,
      /^\uFEFFname,lon,lat,frame_id,phy_[\w,]+,pop_demest25,pop_demest26,pop_demest26_lower,pop_demest26_upper\r\n/,
    )
    assert.ok(written.includes(`\r\n${row},324378020,`) && written.endsWith('\r\n'), written)
  })

  it('removes the rejected rows of a run before', async () => {
    assert.equal((await locate('lon,lat\nx,1\n')).status, 1)
    assert.ok(existsSync(at('out.rejected.csv')))
    assert.equal((await locate('lon,lat\n0.2,0.1\n')).status, 0)
    assert.ok(!existsSync(at('out.rejected.csv')))
  })

  it('never takes its input or another file for that of rejected rows', async () => {
    const rows = 'lon,lat\n0.205,0.105\nx,1\n'
    writeFileSync(at('other.txt'), 'precious\n')
    symlinkSync(at('in.csv'), at('linked.csv'))
    for (const name of ['in.csv', 'out.csv', 'linked.csv']) {
      const ran = await locate(rows, '--rejected', at(name))
      assert.equal(ran.status, 2, name)
      assert.match(ran.err, /(IN|OUT) and the file of rejected rows are one file: name another/)
      assert.equal(read('in.csv'), rows)
    }
    writeFileSync(at('out.rejected.csv'), rows)
    const corrected = await frames(['locate', at('out.rejected.csv'), at('out.csv')], databaseSettings())
    assert.equal(corrected.status, 2)
    assert.equal(read('out.rejected.csv'), rows)
    assert.equal((await locate('lon,lat\n0.205,0.105\n', '--rejected', at('other.txt'))).status, 0)
    assert.equal(read('other.txt'), 'precious\n')
  })

  it('takes no column for both longitude and latitude', async () => {
    const ran = await locate('lon,lat\n0.205,0.105\n', '--lon', 'lat')
    assert.equal(ran.status, 1)
    assert.match(ran.err, /Column "lat" cannot hold both longitudes and latitudes/)
  })

  it('reads files of every form, and writes their rows as they are', async () => {
    for (const [what, content, expected] of [
      ['semicolons', 'Name;LNG;Lat\nx, y;0.205;0.105\n', 'Name;LNG;Lat;frame_id\nx, y;0.205;0.105;324378020\n'],
      ['tabs', 'longitude\tlatitude\n0.205\t0.105\n', 'longitude\tlatitude\tframe_id\n0.205\t0.105\t324378020\n'],
      ['a byte order mark and CRLF', '\uFEFFX,Y\r\n0.205,0.105\r\n', '\uFEFFX,Y,frame_id\r\n0.205,0.105,324378020\r\n'],
      ['a last line without an end', 'lon,lat\n0.205,0.105', 'lon,lat,frame_id\n0.205,0.105,324378020\n'],
      [
        'quoted names',
        '"the ""lon""",lon,lat\n1,0.205,0.105\n',
        '"the ""lon""",lon,lat,frame_id\n1,0.205,0.105,324378020\n',
      ],
      ['a quote inside a value', 'size,lon,lat\n5",0.205,0.105\n', 'size,lon,lat,frame_id\n5",0.205,0.105,324378020\n'],
      [
        'a column named frame_id',
        'Frame_ID,lon,lat\n7,0.205,0.105\n',
        'Frame_ID,lon,lat,frame_frame_id\n7,0.205,0.105,324378020\n',
      ],
      ['no row', 'lon,lat\n', 'lon,lat,frame_id\n'],
    ] as const) {
      const ran = await locate(content)
      assert.equal(ran.status, 0, `${what}: ${ran.err}`)
      assert.equal(read('out.csv'), expected, what)
    }
  })

  it('lets no added cell be a formula, unless it is told to, and keeps the rows as they are', async () => {
    const { db } = service()
    const name = async (zone: string) => await db.work(`update frame set zone = '${zone}' where frame_id = 324378020`)
    const content = 'a;lon;lat\n=1+1;0.205;0.105\n'
    await name('=2+2;')
    try {
      assert.equal((await locate(content, '--with-units')).status, 0)
      assert.match(read('out.csv'), /^=1\+1;.*;"'=2\+2;";NZ$/m)
      assert.equal((await locate(content, '--with-units', '--no-formula-guard')).status, 0)
      assert.match(read('out.csv'), /^=1\+1;.*;"=2\+2;";NZ$/m)
    } finally {
      await name('NORTHERN ZONE')
    }
  })

  it('takes the columns that are named', async () => {
    const ran = await locate('a,b,lon,lat\n0.205,0.105,1,1\n', '--lon', 'A', '--lat', 'b')
    assert.equal(ran.status, 0, ran.err)
    assert.match(read('out.csv'), /^0\.205,0\.105,1,1,324378020$/m)
  })

  it('refuses a file that it cannot read, and writes none', async () => {
    for (const [what, content, more, said] of [
      [
        'without coordinates',
        'a,b\n1,2\n',
        [],
        /No column is called lon, lng, longitude, x: name one with --lon\. There are a, b\./,
      ],
      [
        'whose columns are misspelt',
        'east,north\n1,2\n',
        ['--lon', 'eastt', '--lat', 'north'],
        /--lon: there is no column "eastt"\. Did you mean east\?/,
      ],
      ['with two columns of one name', 'lon,lat,LON\n1,2,3\n', [], /Two columns are called "lon"/],
      ['that is empty', '', [], /line 1: the names of the columns are needed; the file is empty/],
      [
        'that is not UTF-8',
        Buffer.from([0x6c, 0x6f, 0x6e, 0x2c, 0x6c, 0x61, 0x74, 0x0a, 0xe9]),
        [],
        /line 2: UTF-8 is accepted/,
      ],
      ['with a quote that has no end', 'lon,lat,a\n1,2,"x\n3,4,5\n', [], /^line 2: a quoted value has no end/],
    ] as const) {
      const ran = await locate(content, ...more)
      assert.equal(ran.status, 1, what)
      assert.match(ran.err, said)
      assert.deepEqual(readdirSync(folder), ['in.csv'])
    }
    for (const words of [
      [folder, at('out.csv')],
      [at('in.csv'), folder],
      [at('in.csv'), at('out.csv'), '--rejected', folder],
    ]) {
      const ran = await frames(['locate', ...words], databaseSettings())
      assert.deepEqual([ran.status, ran.err], [1, `${folder} is a folder: a file is needed.\n`])
    }
  })

  it('names the row of a quote without an end behind thousands of others, and leaves no part of a file', async () => {
    const row = '0.205,0.105,"two\nlines"\n'
    const ran = await locate(`lon,lat,a\n${row.repeat(2000)}0.205,0.105,"open\n${'1,2,3\n'.repeat(2000)}`)
    assert.equal(ran.status, 1)
    assert.match(ran.err, /(^|\n)line 4002: a quoted value has no end\. It begins in this row\./)
    assert.deepEqual(readdirSync(folder), ['in.csv'])
  })

  it('refuses values that the organisation cannot read, and the wrong options', async () => {
    const content = 'lon,lat\n0.2,0.1\n'
    for (const [status, more, said] of [
      [2, ['--data', 'lyr_population'], /--data: --org names the organisation/],
      [2, ['--url', 'http://127.0.0.1:1'], /--url is not an option here/],
      [1, ['--org', 'demo', '--data', 'lyr_population,lyr_terain'], /Did you mean lyr_terrain\?/],
      [1, ['--org', 'demo', '--data', 'lyr_market'], /lyr_market costs "demo" 2 credits a call/],
    ] as const) {
      const ran = await locate(content, ...more)
      assert.equal(ran.status, status, ran.err)
      assert.match(ran.err, said)
    }
    const same = await frames(['locate', at('in.csv'), at('in.csv')], databaseSettings())
    assert.equal(same.status, 2)
    assert.match(same.err, /IN and OUT are one file/)
    assert.equal(read('in.csv'), content)
  })
})
