import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { license } from '../../src/core/access/licences.js'
import { createOrganisation } from '../../src/core/access/organisations.js'
import { importBaseline } from '../../src/tools/load/import-baseline.js'
import { importFeatures } from '../../src/tools/load/import-features.js'
import { signIn } from '../support/browse.js'
import { newDatabase } from '../support/database.js'
import { newOrganisation, startService } from '../support/service.js'
import { newFolder } from '../support/temporary.js'

describe('datasets that a stranger licenses to everyone', () => {
  it('take no first place on the map: neither its colour nor its questions, unless the licence names the organisation', async () => {
    const database = await newDatabase('datasets')
    const { db } = database
    const operator = await newOrganisation(db)
    const stranger = (await createOrganisation(db, 'AAA Stranger', 'trial')).orgId
    const running = await startService(database, { publicUrl: 'listening', operators: [operator] })
    const folder = newFolder('strangers')
    const file = (name: string, text: string) => {
      writeFileSync(join(folder, name), text)
      return join(folder, name)
    }
    const of = (orgId: string, layerId: string, name: string) => ({ orgId, layerId, name, category: 'Population' })
    const crowd = {
      name: 'crowd',
      label: 'AAA crowd, 2030 estimate',
      unit: 'buyers',
      plural: 'buyers',
      type: 'number',
      summary: 'sum',
    } as const
    const importCrowd = (orgId: string, layerId: string) =>
      importBaseline(
        db,
        file(`${layerId}.csv`, 'id,crowd\n324378020,5\n324378021,7'),
        { ...of(orgId, layerId, 'AAA crowd'), vintage: '2030', catalogue: [crowd] },
        () => {},
      )
    try {
      await importCrowd(stranger, 'lyr_aaa_crowd')
      const points = { ...of(stranger, 'lyr_aaa_stands', 'AAA stands'), hasDistances: false }
      await importFeatures(db, file('stands.csv', 'id,lon,lat\n1,0.205,0.105'), points, () => {})
      await license(db.run, 'lyr_aaa_crowd', 'everyone', undefined)
      await license(db.run, 'lyr_aaa_stands', 'everyone', undefined)
      const firstView = async (orgId: string) => {
        const text = (await (await signIn(running.url, db, { orgId })).get('/app/map')).text.replace(/\s+/g, ' ')
        const questions = /aria-label="Questions to begin with">(.*?)<\/ul>/.exec(text)?.[1] ?? ''
        return {
          first: /<select id="colour" name="colour">.*?<option value="([^"]*)"/.exec(text)?.[1],
          chosen: /<option value="([^"]*)" selected>/.exec(text)?.[1],
          isAsked: /buyers|aaa stands/.test(questions),
        }
      }
      const other = await newOrganisation(db)
      const population = { first: 'lyr_buildings bld_dens', chosen: 'lyr_population pop_demest26', isAsked: false }
      assert.deepEqual(await firstView(other), population)
      const own = { first: 'lyr_aaa_crowd crowd', chosen: 'lyr_aaa_crowd crowd', isAsked: true }
      assert.deepEqual(await firstView(stranger), own)
      await license(db.run, 'lyr_aaa_crowd', other, undefined)
      assert.deepEqual(await firstView(other), own)
      // What the operators own is no stranger's.
      await importCrowd(operator, 'lyr_operator_crowd')
      await license(db.run, 'lyr_operator_crowd', 'everyone', undefined)
      const third = await firstView(await newOrganisation(db))
      assert.deepEqual([third.first, third.chosen], Array(2).fill('lyr_operator_crowd crowd'))
    } finally {
      await running.stop()
    }
  }).timeout(120_000)
})
