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

  it('a frame by its id and its coordinates', async () => {
    await goesTo(FRAME, /^\/app\/map\?frame=324378020$/)
    for (const words of ['0.105, 0.205', '0.105 0.205'])
      await goesTo(words, /^\/app\/map\?lat=0\.105&lon=0\.205&z=12&frame=324378020$/)
    assert.match((await open('?q=1.5%201.5')).text, /No frame contains 1\.5, 1\.5/)
    assert.match((await open('?q=99')).text, /The index has no frame 99/)
  })

  it('the right order where the longitude was written first, and says what a latitude is', async () => {
    const { text } = await open('?q=95%2C%2010')
    assert.match(text, /A latitude lies between -90 and 90; 95 is none\. Are they swapped\?/)
    assert.match(text, /<a href="\/app\/map\?q=10%2C\+95">Latitude 10, longitude 95<\/a>/)
    assert.match((await open('?q=9%2C%20181')).text, /A longitude lies between -180 and 180; 181 is none\.<\/p>/)
  })

  it('a unit by its name, without accents or with the units above it', async () => {
    await goesTo('marembe', /^\/app\/map\?state=MAREMBE$/)
    await goesTo('LAKESIDE', /\?state=MAREMBE&lga=LAKESIDE$/)
    await goesTo('cote evora', /\?state=C%C3%94TE\+%C3%89VORA$/)
    await goesTo('Côte Évora', /\?state=C%C3%94TE\+%C3%89VORA$/)
    // An address of a unit is read in the same way.
    const written = await open('?state=cote-evora&lga=evora%20cote')
    assert.equal(written.headers.location, '/app/map?state=C%C3%94TE+%C3%89VORA&lga=%C3%89VORA+C%C3%94TE')
    assert.equal((await open('?state=cote-evora&lga=lakeside')).status, 200)
    await goesTo('kofa north', /&ward=KOFA\+%28NORTH%29$/)
    await goesTo('Old Market, Kirin Gate, Marembe', /&lga=KIRIN\+GATE&ward=OLD\+MARKET$/)
    await goesTo('Ndara coast', /&lga=N%27DARA\+COAST$/)
    assert.match((await open('?q=Ndara')).text, /2 units have this name/)
    await goesTo('long-spit', /&lga=LONG\+SPIT$/)
    assert.match((await open('?q=old%20market')).text, /2 units have this name/)
  })

  it('a unit by its code', async () => {
    await goesTo('MR-02', /\?state=MAREMBE&lga=LAKESIDE$/)
    await goesTo('mr-02-03', /\?state=MAREMBE&lga=LAKESIDE&ward=LAKE\+ISLAND$/)
  })

  it('nothing for signs that mean anything in SQL', async () => {
    for (const words of ['%', '_', '%%', '---', "'", '\\', '*'])
      assert.match((await open(`?q=${encodeURIComponent(words)}`)).title, /^Nothing found for/, words)
  })

  it('a unit whose name has a slip, and says that the name is another', async () => {
    for (const [words, name] of [
      ['Lakesde', 'LAKESIDE'],
      ['marembee', 'MAREMBE'],
      ['Kirn Gate', 'KIRIN GATE'],
      ['Twn Wells', 'TWIN WELLS'],
    ] as const) {
      const { text } = await open(`?q=${encodeURIComponent(words)}`)
      assert.match(text, /No unit has this name\. These are alike:/, words)
      assert.equal(/<ul class="results">\s*<li>\s*<a [^>]*>([^<]*)</.exec(text)?.[1], name, words)
    }
    assert.match((await open('?q=xyzzy')).title, /^Nothing found for/)
    // The line for psql reads names alone.
    for (const words of ['Lakesde', 'xyzzy'])
      assert.match(
        (await open(`?q=${words}&show=psql&of=panel`)).text,
        /The line finds names that hold the text exactly, in either case; the search finds codes and similar names too\./,
      )
  })
})
