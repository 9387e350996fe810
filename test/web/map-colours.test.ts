import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { projectFolder } from '../../src/core/db/statement.js'
import { CLASS_COLOURS, classColours } from '../../src/app/map/classing.js'
import { lightness, seenDifference } from './seen-difference.js'

const css = readFileSync(new URL('src/app/browser/map.css', projectFolder), 'utf8')
const coloursOf = (name: string): string[] =>
  [1, 2].flatMap((scheme) =>
    Array.from(
      css.matchAll(new RegExp(`--${name}: (?:light-dark\\()?(#[0-9a-f]{6})(?:, (#[0-9a-f]{6})\\))?;`, 'g')),
      (found) => found[scheme] ?? [],
    ).flat(),
  )
/** Of the light scheme and of the dark one. */
const GROUNDS = coloursOf('map-ground')

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
    const colours = classColours(Array.from({ length: 15 }, (_, i) => `class ${i}`))
    assert.equal(new Set(colours).size, CLASS_COLOURS)
    assert.deepEqual(colours.slice(-2), [5, 1])
    assert.equal(new Set(classColours(Array.from({ length: 12 }, (_, i) => `forest ${i}`))).size, CLASS_COLOURS)
  })

  it('of numbers, and of changes from none, grow darker or lighter step by step, also in grey and for all kinds of vision', () => {
    const [ramps, changes] = [coloursOf('ramp-\\w+'), coloursOf('change-\\d')]
    assert.deepEqual([ramps.length, changes.length, GROUNDS.length], [16, 14, 2])
    const halves = [0, 7].flatMap((scheme) => {
      const [less, more] = [changes.slice(scheme, scheme + 4).toReversed(), changes.slice(scheme + 3, scheme + 7)]
      return [less, more]
    })
    const [lessLight = [], moreLight = [], lessDark = [], moreDark = []] = halves
    const schemes = [ramps.slice(0, 8), ramps.slice(8), lessLight, lessDark, moreLight, moreDark]
    for (const [scheme, ramp] of schemes.entries()) {
      const sign = scheme % 2 === 0 ? -1 : 1
      for (const [i, colour] of ramp.entries())
        for (const [j, other] of ramp.slice(0, i).entries()) {
          const about = `${other} to ${colour}`
          assert.ok((lightness(colour) - lightness(other)) * sign >= 8 * (i - j), about)
          if (j === i - 1 || scheme > 1) assert.ok(seenDifference(colour, other) >= 10, about)
        }
    }
  })

  it('differ from one another and from the ground for all kinds of vision', () => {
    const classes = coloursOf('class-\\w+')
    assert.equal(classes.length, CLASS_COLOURS + 1)
    // No change is as pale as zero.
    const changes = coloursOf('change-\\d').filter((_colour, i) => i % 7 !== 3)
    for (const scheme of [changes.slice(0, 6), changes.slice(6)])
      for (const [i, one] of scheme.entries())
        for (const other of scheme.slice(i + 1)) assert.ok(seenDifference(one, other) >= 10, `${one} and ${other}`)
    const pairs = [
      ...classes.flatMap((one, i) => [...classes.slice(i + 1), ...GROUNDS].map((other) => [one, other] as const)),
      ...changes.map((one, i) => [one, GROUNDS[i < 6 ? 0 : 1] ?? ''] as const),
    ]
    for (const [one, other] of pairs) assert.ok(seenDifference(one, other) >= 19, `${one} and ${other}`)
  })
})
