import assert from 'node:assert/strict'
import { figuresOfBaselines, namesOfFeatures, propertyOfFeatures } from '../../src/core/db/statements.js'
import { sqlText } from '../../src/core/db/statement.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { collection, feature, quiet } from './files.js'
import { first, second, serviceForImports, third } from './imports.js'

describe('the catalogue of an import', function () {
  this.timeout(120_000)
  const imports = serviceForImports()

  const weighted = {
    name: 'minutes',
    label: 'Minutes',
    type: 'number',
    summary: 'weighted_mean',
    weight: 'homes',
  } as const

  it('keeps a weight of 0', async () => {
    await imports.baseline('lyr_weighed', `id,minutes,homes\n${first},5,3\n${second},6,0`, { catalogue: [weighted] })
    const [figure] = (await figuresOfBaselines(imports.db, [first, second], ['lyr_weighed'])).filter(
      ({ name }) => name === 'minutes',
    )
    assert.deepEqual([figure?.frames, figure?.weightedFrames, figure?.weightedMean], [2, 1, '5'])
    const [none] = await figuresOfBaselines(imports.db, [second], ['lyr_weighed'])
    assert.deepEqual([none?.weightedFrames, none?.weightedMean], [0, null])
  })

  const classesOf = async (layerId: string) => {
    const rows = await imports.db.rows<{ name: string; value: string; items: number }>(
      `select name, value, items::int as items from class where layer_id = '${layerId}' order by name, value`,
      [],
    )
    return rows.map(({ name, value, items }) => `${name} ${value} ${items}`)
  }

  it('keeps the distinct values of categories, and not those of codes and numbers', async () => {
    const code = { name: 'code', label: 'Code', type: 'category', summary: 'none' } as const
    const rows = `id,n,cover,code\n${first},1, Forest ,a\n${second},2,Forest,b\n${third},3,,c`
    await imports.baseline('lyr_sorted', rows, { catalogue: [code] })
    assert.deepEqual(await classesOf('lyr_sorted'), ['cover Forest 2'])
    await imports.baseline('lyr_sorted', `id,cover\n${first},Mangrove`)
    assert.deepEqual(await classesOf('lyr_sorted'), ['cover Mangrove 1'])
  })

  it('keeps the properties of features, and the values of those that sort them into classes', async () => {
    const at = { type: 'Point', coordinates: [0.205, 0.105] }
    const schools = Array.from({ length: 201 }, (_, i) =>
      feature(i, at, { name: `School ${i}`, level: i % 2 ? 'Primary' : 'Secondary', pupils: i, blank: ' ' }),
    )
    await imports.features('lyr_taught', collection(schools))
    const properties = await imports.db.rows<{ name: string; type: string; items: number }>(
      `select name, type, items::int as items from property where layer_id = 'lyr_taught' order by name`,
      [],
    )
    assert.deepEqual(
      properties.map(({ name, type, items }) => `${name} ${type} ${items}`),
      ['level category 201', 'name category 201', 'pupils number 201'],
    )
    assert.deepEqual(await classesOf('lyr_taught'), ['level Primary 100', 'level Secondary 101'])
  })

  it('refuses a synonym that means only some of the features, also where the class comes later, and reads one as the class', async () => {
    const at = { type: 'Point', coordinates: [0.205, 0.105] }
    const sites = (...kinds: string[]) => collection(kinds.map((kind, i) => feature(i, at, { kind, beds: 10 })))
    const load = (text: string, synonyms?: string[]) =>
      importFeatures(
        imports.db,
        imports.folder.write('sites.geojson', text),
        { ...imports.wanted('lyr_sites'), name: 'Clinics', synonyms },
        quiet,
      )
    const refused =
      /^Error: "hospitals" is no synonym of Clinics: only some of them have kind "Hospital", and a question with that word would get them all\. Leave it out of the synonyms\.$/
    await assert.rejects(load(sites('Hospital', 'Clinic', 'Clinic'), ['clinic', 'hospitals', 'PHC']), refused)
    assert.deepEqual(await classesOf('lyr_sites'), [])
    // All of them are hospitals, so the word is another one for them.
    await load(sites('Hospital', 'Hospital'), ['clinic', 'hospitals'])
    await assert.rejects(load(sites('Hospital', 'Clinic', 'Clinic')), refused)
    await load(sites('Hospital', 'Clinic', 'Clinic'), ['clinic', 'PHC'])
    // A dataset may have such a synonym from before.
    await imports.db.rows(
      `update dataset set synonyms = '{hospitals,health post}', version = version where layer_id = 'lyr_sites'`,
      [],
    )
    assert.match(
      await imports.headline([first], 'how many hospitals are there'),
      /^Clinics, kind, Hospital: 1 of 3 clinics/,
    )
    assert.match(await imports.headline([first], 'how many clinics are there'), /^Clinics: 3 /)
    assert.match(await imports.headline([first], 'how many health posts are there'), /^Clinics: 3 /)
    assert.doesNotMatch(await imports.headline([first], 'beds in hospitals'), /^Clinics, beds, total: 30 beds/)
  })

  // Letters of four bytes that do not repeat: PostgreSQL cannot compress them.
  const letters = (count: number) => String.fromCodePoint(...Array.from({ length: count }, (_, i) => 0x20000 + i * 37))

  it('has no classes of an attribute or a property with a value of over 250 characters, and the import says so', async () => {
    const at = { type: 'Point', coordinates: [0.205, 0.105] }
    const [name, longest, remark] = [letters(300), letters(250), letters(251)]
    const note = `1 value has more than 250 characters, such as "${remark.slice(0, 40)}...": none of its values is a class.`
    const columns = `frame_id,${name},remark\n${first},${longest},short\n${second},b,${remark}`
    const made = await imports.baseline('lyr_remarked', columns)
    assert.deepEqual(
      made.columns?.map(({ notes }) => notes),
      [[], [note]],
    )
    assert.deepEqual(await classesOf('lyr_remarked'), [`${name} b 1`, `${name} ${longest} 1`])
    const told = await imports.features(
      'lyr_told',
      collection([feature(1, at, { [name]: longest, remark }), feature(2, at, { [name]: 'b', remark: 'short' })]),
    )
    assert.deepEqual(told.notes, [`remark: ${note}`])
    assert.deepEqual(await classesOf('lyr_told'), [`${name} b 1`, `${name} ${longest} 1`])
    const faults = await imports.db.rows<{ what: string }>(sqlText('doctor/classes_kept'), [100])
    assert.deepEqual(
      faults.filter(({ what }) => /lyr_remarked|lyr_told/.test(what)),
      [],
    )
    assert.equal((await imports.entry(second, 'lyr_remarked'))?.values?.['remark'], remark)
  })

  it('says of a property how to write its numbers, where it is a category for want of plain ones', async () => {
    const at = { type: 'Point', coordinates: [0.205, 0.105] }
    const beds = ['1,5', '2,25', 3, null, 'NaN']
    const made = await imports.features(
      'lyr_beds',
      collection(beds.map((each, i) => feature(i, at, { beds: each, code: `${i}${'ABCDE'[i]}` }))),
    )
    assert.deepEqual(made.notes, [
      'beds: 3 of 4 values look like numbers but are no plain ones, so it is a category: write 1.5 for "1,5", nothing for "NaN".',
    ])
  })

  it('leaves out properties that PostgreSQL cannot read, and reads the others that look like them', async () => {
    const names = ['"half \\ud83d"', '"\\udc00 half"', '"pair \\ud83d\\ude00"', '"back \\\\ud83d"', '"plain"']
    const features = names.map(
      (name, i) =>
        `{"type":"Feature","id":"f${i}","geometry":{"type":"Point","coordinates":[0.205,0.105]},"properties":{"name":${name},"beds":${i}}}`,
    )
    await imports.features('lyr_unreadable', features.join('\n'))
    const [named] = await namesOfFeatures(imports.db, [first], 'lyr_unreadable', 10)
    assert.deepEqual(named?.names.toSorted(), ['back \\ud83d', 'f0', 'f1', 'pair \u{1F600}', 'plain'])
    const [beds] = await propertyOfFeatures(imports.db, [first], 'lyr_unreadable', 'beds')
    assert.deepEqual([beds?.features, beds?.numbers, beds?.total], [5, 3, '9'])
    assert.deepEqual((await classesOf('lyr_unreadable')).length, 3)
  })
})

describe('the figures that an import reports', () => {
  const imports = serviceForImports()

  it('come with the import of a baseline, for each column in the order of the file', async () => {
    const rows = `id,depth,kind\n${first},12.5,dry\n${second},7,\n`
    const { columns = [] } = await imports.baseline('lyr_quality', rows)
    assert.deepEqual(
      columns.map(({ name, recorded, blank, total, classes }) => [name, recorded, blank, total, classes]),
      [
        ['depth', 2, 0, '19.5', undefined],
        ['kind', 1, 1, undefined, 1],
      ],
    )
  })

  it('are the values, blanks, range and exact total of a column of numbers, whatever its summary', async () => {
    const values = ['0.1', '0.2', '', ' ', '-5', '1e3', '9007199254740993', '3.00', '007']
    const rows = values.map((value, at) => [Number(first) + at, value, value, value, value].join()).join('\n')
    const entry = { label: 'Depth', type: 'number' } as const
    const catalogue = [
      { ...entry, name: 'a', summary: 'sum' },
      { ...entry, name: 'b', summary: 'mean' },
      { ...entry, name: 'c', summary: 'weighted_mean', weight: 'area' },
      { ...entry, name: 'd', summary: 'none' },
    ] as const
    const { columns = [] } = await imports.baseline('lyr_exact', `id,a,b,c,d\n${rows}\n`, { catalogue })
    const figures = {
      recorded: 7,
      blank: 2,
      odd: 1,
      lowest: '-5',
      highest: '9007199254740993',
      total: '9007199254741991.3',
    }
    const notes = ['1 value is no plain number, such as 007: it counts in no figure.']
    assert.deepEqual(
      columns,
      catalogue.map(({ name, type, summary }) => ({ name, type, summary, ...figures, notes })),
    )
  })

  it('say why a column of numbers became a category', async () => {
    const rows = `id,depth,code,given\n${first},12.5,a,1\n${second},n/a,b,x\n${third}, 7 ,c,2\n`
    const catalogue = [{ name: 'given', label: 'Given', type: 'category', summary: 'mode' }] as const
    const { columns = [] } = await imports.baseline('lyr_few', rows, { catalogue })
    const note =
      '1 of 3 values is no number, such as "n/a": the column is a category. Correct the file, or give its type with --attributes.'
    assert.deepEqual(
      columns.map(({ name, classes, notes }) => [name, classes, notes]),
      [
        ['depth', 3, [note]],
        ['code', 3, []],
        ['given', 3, []],
      ],
    )
  })

  it('take a number with blanks around it for a number, as figures do', async () => {
    const rows = `id,depth\n${first}, 12.5\n${second},  \n${third},7\n`
    const { columns = [] } = await imports.baseline('lyr_blanks', rows)
    assert.deepEqual(
      columns.map(({ recorded, blank, odd, total }) => [recorded, blank, odd, total]),
      [[2, 1, 0, '19.5']],
    )
  })

  it('name the category that is nearest to a new one', async () => {
    const take = async (category: string) =>
      (await imports.baseline('lyr_one', `id,depth\n${first},12.5\n`, { category })).notes
    assert.deepEqual(await take('Populaton'), ['The category "Populaton" is new. Did you mean Population?'])
    assert.deepEqual(await take('population'), ['The category "population" is new. Did you mean Population?'])
    assert.deepEqual(await take('Hydrology'), [])
    assert.deepEqual(await take('Hydrologie'), ['The category "Hydrologie" is new. Did you mean Hydrology?'])
  })

  it('count the features that touch no frame', async () => {
    const sites = 'id,lon,lat\na,0.205,0.105\nb,50,50\nc,51,51\n'
    const { items, outside } = await imports.features('lyr_sites', sites, 'sites.csv')
    assert.deepEqual([items, outside], [3, 2])
  })
})
