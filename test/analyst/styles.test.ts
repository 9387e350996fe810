import assert from 'node:assert/strict'
import { migrate } from '../../src/db/migrate.js'
import { smallCountry } from './country.js'

describe('the styles for QGIS, when layers and files change', function () {
  this.timeout(120_000)
  const country = smallCountry()

  it('keeps a style that was saved from QGIS, as the default that it is', async () => {
    await country.baseline('lyr_styled', 'frame,a\n1,x\n')
    await country.db.work(`update layer_styles set useasdefault = false where f_table_name = 'lyr_styled';
      insert into layer_styles (f_table_catalog, f_table_schema, f_table_name, f_geometry_column, stylename, styleqml, useasdefault, owner)
      values (current_database(), 'analyst', 'lyr_styled', 'geom', 'mine', '<qgis/>', true, 'someone')`)
    await country.baseline('lyr_styled', 'frame,a\n1,y\n')
    await migrate(country.database.ownerTarget)
    const styles = await country.db.rows<{ name: string; is: boolean }>(
      `select stylename as name, useasdefault as is from layer_styles where f_table_name = 'lyr_styled' order by 1`,
      [],
    )
    assert.deepEqual(
      styles.map(({ name, is }) => [name, is]),
      [
        ['frames', false],
        ['mine', true],
      ],
    )
  })

  it('keeps a style of its own that was saved again from QGIS, which writes the name of the person', async () => {
    await country.baseline('lyr_saved', 'frame,a\n1,x\n')
    await country.db.work(
      `update layer_styles set styleqml = '<qgis/>', owner = 'someone' where f_table_name = 'lyr_saved'`,
    )
    await country.baseline('lyr_saved', 'frame,a\n1,y\n')
    await migrate(country.database.ownerTarget)
    const styles = await country.db.rows<{ owner: string; is: boolean; text: string }>(
      `select owner, useasdefault as is, left(styleqml::text, 7) as text from layer_styles
      where f_table_name = 'lyr_saved' order by owner collate "C"`,
      [],
    )
    assert.deepEqual(
      styles.map(({ owner, is, text }) => [owner, is, text]),
      [
        ['frames', false, '<qgis v'],
        ['someone', true, '<qgis/>'],
      ],
    )
  })

  it('makes its styles again when a file of sql/styles/ has changed, and only then', async () => {
    await country.baseline('lyr_ramp', 'frame,a\n1,1\n2,2\n', [
      { name: 'a', label: 'A', type: 'number', summary: 'sum' },
    ])
    const colours = async () => {
      const [row] = await country.db.rows<{ ids: string; outline: string; lowest: string }>(
        `select (select string_agg(id::text, ' ' order by f_table_name) from layer_styles where owner = 'frames') as ids,
          (select (xpath('//prop[@k="outline_color"]/@v', styleqml))[1]::text from layer_styles
            where f_table_name = 'frame' and owner = 'frames') as outline,
          (select (xpath('//symbol[@name="0"]//prop[@k="color"]/@v', styleqml))[1]::text from layer_styles
            where f_table_name = 'lyr_ramp' and owner = 'frames') as lowest`,
        [],
      )
      assert.ok(row)
      return row
    }
    const made = await colours()
    assert.deepEqual([made.outline, made.lowest], ['130,130,130,255', '254,240,217,255'])
    await migrate(country.database.ownerTarget)
    assert.deepEqual(await colours(), made)
    // A release whose files had other colours left the styles so.
    await country.db.work(`update style set changed_at = clock_timestamp(),
      styleqml = replace(replace(styleqml::text, '130,130,130,255', '1,2,3,4'), '254,240,217,255', '5,6,7,8')::xml`)
    await country.db.work('select analyst_views()')
    const before = await colours()
    assert.deepEqual([before.outline, before.lowest], ['1,2,3,4', '5,6,7,8'])
    await migrate(country.database.ownerTarget)
    const after = await colours()
    assert.deepEqual([after.outline, after.lowest], [made.outline, made.lowest])
    assert.notEqual(after.ids, before.ids)
  })
})
