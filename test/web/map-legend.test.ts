import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { CLASS_COLOURS, classColours } from '../../src/app/map/class-colours.js'
import type { Visitor } from '../support/browse.js'
import { newOrganisation, service } from '../support/service.js'
import { seenDifference } from './seen-difference.js'
import { signedIn } from './visitors.js'

describe('the legend of the map', () => {
  let visitor: Visitor
  before(async () => (visitor = await signedIn({ orgId: await newOrganisation(service().db) })))

  async function classesOf(query: string): Promise<Map<string, string[]>> {
    const { text } = await visitor.get(`/app/map?part=panel${query}`)
    const lists = text.replace(/\s+/g, ' ').matchAll(/data-level="(\w+)">(.*?)<\/div>/g)
    return new Map(
      Array.from(lists, ([, level = '', list = '']) => [
        level,
        Array.from(list.matchAll(/ramp-\d">([^<]*)</g), ([, label = '']) => label),
      ]),
    )
  }

  it('counts whole numbers from one above the class before', async () => {
    for (const query of ['&dataset=lyr_population&attribute=pop_demest26', '&dataset=lyr_schools&attribute=features'])
      for (const [level, labels] of await classesOf(query)) {
        const bounds = labels.map((label) => label.replaceAll(',', '').split('–').map(Number))
        assert.ok(bounds.flat().every(Number.isInteger), labels.join('; '))
        for (const [i, [from]] of bounds.entries())
          if (i > 0) assert.equal(from, (bounds[i - 1]?.at(-1) ?? 0) + 1, `${level}: ${labels.join('; ')}`)
      }
  })

  it('lets classes of other numbers, and of means of whole ones, touch', async () => {
    const index = await classesOf('&dataset=lyr_urban&attribute=urb_index')
    const ends = (index.get('frame') ?? []).map((label) => label.split('–'))
    assert.ok(ends.length > 2)
    for (const [i, [from]] of ends.entries()) if (i > 0) assert.equal(from, ends[i - 1]?.at(-1))
  })
})

describe('the colours of classes', () => {
  it('fit the usual classes of land, whatever their order', () => {
    const names = ['Bare rock', 'Built-up', 'Cropland', 'Forest', 'Grassland', 'Shrub', 'Water', 'Wetland', 'Woodland']
    const colours = new Map(names.map((name, i) => [name, classColours(names)[i]]))
    const turned = names.toReversed()
    for (const name of ['Bare rock', 'Built-up', 'Cropland', 'Grassland', 'Water'])
      assert.equal(classColours(turned)[turned.indexOf(name)], colours.get(name), name)
    assert.deepEqual([colours.get('Water'), colours.get('Forest'), colours.get('Built-up')], [1, 6, 9])
  })

  it('are different for each of twelve classes, and blue comes last', () => {
    const names = Array.from({ length: 15 }, (_, i) => `class ${i}`)
    const colours = classColours(names)
    assert.equal(new Set(colours).size, CLASS_COLOURS)
    assert.deepEqual(colours.slice(-2), [5, 1])
    const woods = Array.from({ length: 12 }, (_, i) => `forest ${i}`)
    assert.equal(new Set(classColours(woods)).size, CLASS_COLOURS)
  })

  it('differ from one another and from the ground for all kinds of colour vision', () => {
    const css = readFileSync(new URL('src/app/browser/map.css', projectFolder), 'utf8')
    const classes = Array.from(css.matchAll(/--class-(\w+): (#[0-9a-f]{6});/g), ([, name = '', colour = '']) => ({
      name,
      colour,
    }))
    const grounds = Array.from(css.matchAll(/--map-ground: (#[0-9a-f]{6});/g), ([, colour = '']) => ({
      name: 'ground',
      colour,
    }))
    assert.deepEqual([classes.length, grounds.length], [CLASS_COLOURS + 1, 2])
    for (const [i, one] of classes.entries())
      for (const other of [...classes.slice(i + 1), ...grounds]) {
        const difference = seenDifference(one.colour, other.colour)
        assert.ok(difference >= 19, `${one.name} and ${other.name}: ${difference.toFixed(1)}`)
      }
  })
})
