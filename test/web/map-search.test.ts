import assert from 'node:assert/strict'
import type { Visitor } from '../support/browse.js'
import { panelTitle } from './pages.js'
import { memberOf } from './visitors.js'

const FRAME = '324378020'

describe('the search of the map finds', () => {
  let demo: Visitor
  before(async () => (demo = await memberOf()))

  const open = async (query: string) => {
    const answer = await demo.get(`/app/map${query}`)
    return { ...answer, text: answer.text.replace(/\s+/g, ' '), title: panelTitle(answer.text) }
  }

  const goesTo = async (words: string, to: RegExp) => {
    const { status, headers } = await open(`?q=${encodeURIComponent(words)}`)
    assert.equal(status, 303, words)
    assert.match(headers.location ?? '', to, words)
  }

  it('a frame by its id, its coordinates and its Plus Code', async () => {
    await goesTo(FRAME, /^\/app\/map\?frame=324378020$/)
    await goesTo('0.205E, 0.105N', /^\/app\/map\?lat=0\.105&lon=0\.205&z=12&frame=324378020$/)
    await goesTo('6FG24624+2X', /^\/app\/map\?lat=0\.1\d+&lon=0\.2\d+&z=12&frame=\d+$/)
    assert.match((await open('?q=1.5%201.5')).text, /No frame contains 1\.5, 1\.5/)
    assert.match((await open('?q=99')).text, /The index has no frame 99/)
  })

  it('a unit by its name, without accents or with the units above it', async () => {
    await goesTo('marembe', /^\/app\/map\?state=MAREMBE$/)
    await goesTo('LAKESIDE', /\?state=MAREMBE&lga=LAKESIDE$/)
    await goesTo('cote evora', /\?state=C%C3%94TE\+%C3%89VORA$/)
    await goesTo('Côte Évora', /\?state=C%C3%94TE\+%C3%89VORA$/)
    await goesTo('kofa north', /&ward=KOFA\+%28NORTH%29$/)
    await goesTo('Old Market, Kirin Gate, Marembe', /&lga=KIRIN\+GATE&ward=OLD\+MARKET$/)
    await goesTo('Ndara coast', /&lga=N%27DARA\+COAST$/)
    assert.match((await open('?q=Ndara')).text, /2 units have this name/)
    await goesTo('long-spit', /&lga=LONG\+SPIT$/)
    assert.match((await open('?q=old%20market')).text, /2 units have this name/)
  })

  it('nothing for signs that mean anything in SQL', async () => {
    for (const words of ['%', '_', "'", '\\'])
      assert.match((await open(`?q=${encodeURIComponent(words)}`)).title, /^Nothing found for/, words)
  })
})
