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

const CROWD = { name: 'crowd', label: 'AAA crowd, 2030 estimate', unit: 'buyers', plural: 'buyers' }

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
    const about = { category: 'Population', vintage: '2030' }
    const importCrowd = async (orgId: string, layerId: string) => {
      const catalogue = [{ ...CROWD, type: 'number', summary: 'sum' } as const]
      const rows = file(`${layerId}.csv`, 'id,crowd\n324378020,5\n324378021,7')
      await importBaseline(db, rows, { ...about, orgId, layerId, name: 'AAA crowd', catalogue }, () => {})
      await license(db.run, layerId, 'everyone', undefined)
    }
    /** What stands first among the colours, what is chosen, and whether a question to begin with is about the stranger's. */
    const firstView = async (orgId: string) => {
      const text = (await (await signIn(running.url, db, { orgId })).get('/app/map')).text.replace(/\s+/g, ' ')
      const questions = /aria-label="Questions to begin with">(.*?)<\/ul>/.exec(text)?.[1] ?? ''
      return [
        /<select id="colour" name="colour">.*?<option value="([^"]*)"/.exec(text)?.[1],
        /<option value="([^"]*)" selected>/.exec(text)?.[1],
        /buyers|aaa stands/.test(questions),
      ]
    }
    try {
      await importCrowd(stranger, 'lyr_aaa_crowd')
      const stands = { ...about, orgId: stranger, layerId: 'lyr_aaa_stands', name: 'AAA stands', hasDistances: false }
      await importFeatures(db, file('stands.csv', 'id,lon,lat\n1,0.205,0.105'), stands, () => {})
      await license(db.run, 'lyr_aaa_stands', 'everyone', undefined)
      const other = await newOrganisation(db)
      assert.deepEqual(await firstView(other), ['lyr_buildings bld_dens', 'lyr_population pop_demest26', false])
      const own = ['lyr_aaa_crowd crowd', 'lyr_aaa_crowd crowd', true]
      assert.deepEqual(await firstView(stranger), own)
      await license(db.run, 'lyr_aaa_crowd', other, undefined)
      assert.deepEqual(await firstView(other), own)
      // What the operators own is no stranger's.
      await importCrowd(operator, 'lyr_operator_crowd')
      const third = await firstView(await newOrganisation(db))
      assert.deepEqual(third.slice(0, 2), Array(2).fill('lyr_operator_crowd crowd'))
    } finally {
      await running.stop()
    }
  }).timeout(120_000)
})
