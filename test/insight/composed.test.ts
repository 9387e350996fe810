import assert from 'node:assert/strict'
import { listDatasets } from '../../src/core/access/index.js'
import type { DatasetRow } from '../../src/core/db/index.js'
import { defined } from '../../src/core/defined.js'
import { computeFigure, figureSubject, readsOf, setInPlace } from '../../src/core/figures/index.js'
import { type Catalogue, catalogueFor, emptyCatalogues } from '../../src/core/insight/reading/catalogue.js'
import { composedReading, productionsOf } from '../../src/core/insight/reading/composed.js'
import { cueAt, isIgnored } from '../../src/core/insight/reading/phrases.js'
import { plainWordsOf } from '../../src/core/insight/reading/words.js'
import { examples } from '../figures/examples.js'
import { seeded } from '../faults/seeded.js'
import { service } from '../support/service.js'

const catalogues = emptyCatalogues()

/** The stems of all words that are asked are those of one catalogue. */
const catalogueOf = async (words: string): Promise<Catalogue> =>
  catalogueFor({ reader: service().db, datasets: await allDatasets(), cache: catalogues }, words)

const allDatasets = async () =>
  (await listDatasets(service().db.run)).map((dataset): DatasetRow => {
    const { vintage = null, distanceTo = null } = dataset
    return { ...dataset, vintage, distanceTo, version: '', price: null }
  })

/** The mean of a unit is weighted by area, as the catalogue says; that of the example is not. */
const OTHERWISE: ReadonlySet<string> = new Set([
  'How many wards have over 10,000 people and a mean slope of over 1 degree?',
  'What is the mean slope of the frames of Lakeside?',
])

function figureIn(catalogue: Catalogue, question: string, productions = productionsOf(catalogue)): string | undefined {
  const operation = composedReading(catalogue, question, 'country', productions)?.asks[0]?.operation
  if (operation?.op !== 'figure') return undefined
  return JSON.stringify([operation.figure, operation.measure])
}

describe('a question that is one figure', function () {
  this.timeout(600_000)

  it('has an example for each production, which is not read so without it', async () => {
    for (const [i, { example, category, parts }] of productionsOf(await catalogueOf('')).entries()) {
      const catalogue = await catalogueOf(example)
      const own = figureIn(catalogue, example)
      const others = productionsOf(catalogue).filter((_, k) => k !== i)
      assert.ok(own, `${category} of ${parts.join(' ')}: "${example}" is not read`)
      assert.notEqual(own, figureIn(catalogue, example, others), `${category} of ${parts.join(' ')}: "${example}"`)
    }
  })

  it('is another figure, or none, with a name of the catalogue more', async () => {
    const random = seeded(47)
    const of = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)] as Value
    const { topics } = await catalogueOf('')
    const known = topics.flatMap(({ names, classes }) => [...names, ...classes]).flatMap(plainWordsOf)
    const words = [...new Set(known)].filter((word) => /^\p{L}{3}/u.test(word) && !isIgnored(word) && !cueAt([word], 0))
    const swallowed: string[] = []
    for (const { example } of productionsOf(await catalogueOf(''))) {
      const more = Array.from({ length: 4 }, () => of(words))
      const catalogue = await catalogueOf([example, ...more].join(' '))
      const own = figureIn(catalogue, example)
      for (const word of more) {
        const parts = example.split(' ')
        parts.splice(Math.floor(random() * (parts.length + 1)), 0, word)
        const question = parts.join(' ')
        if (figureIn(catalogue, question) === own) swallowed.push(question)
      }
    }
    assert.deepEqual(swallowed, [])
  })

  it('is another figure, or none, without one of its numbers, classes or places', async () => {
    const kept: string[] = []
    for (const { example } of productionsOf(await catalogueOf(''))) {
      const catalogue = await catalogueOf(example)
      const classes = catalogue.topics.flatMap((topic) => topic.classes.map((each) => each.toLowerCase()))
      const own = figureIn(catalogue, example)
      const parts = example.split(' ')
      for (const [i, part] of parts.entries()) {
        const [word = ''] = plainWordsOf(part)
        if (!/^\d/.test(word) && !classes.includes(word) && !catalogue.units.has(word)) continue
        const question = parts.filter((_, k) => k !== i).join(' ')
        if (figureIn(catalogue, question) === own) kept.push(question)
      }
    }
    assert.deepEqual(kept, [])
  })

  it('is none where more distances would be measured than are allowed', async () => {
    const ask = 'How many people live within 900 km of a secondary school?'
    const [own] = composedReading(await catalogueOf(ask), ask, 'country')?.asks ?? []
    const operation = own?.operation
    if (operation?.op !== 'figure') assert.fail('it is not read')
    const reads = readsOf(service().db, await allDatasets())
    const figure = {
      ...figureSubject(own?.subject ?? assert.fail()),
      statistic: 'figure' as const,
      figure: operation.figure,
    }
    assert.equal(await computeFigure(reads, await setInPlace(reads, { unit: [] }), figure), undefined)
  })

  it('has the number of the example of docs/figures.md that asks so', async () => {
    const { db } = service()
    const reads = readsOf(db, await allDatasets())
    const set = await setInPlace(reads, { unit: [] })
    let asked = 0
    for (const { ask, value } of examples) {
      const [own] = composedReading(await catalogueOf(ask), ask, 'country')?.asks ?? []
      if (own?.operation.op !== 'figure' || typeof value !== 'number' || OTHERWISE.has(ask)) continue
      const { figure, measure } = own.operation
      const of = { ...figureSubject(own.subject), statistic: 'figure' as const, figure, ...defined({ measure }) }
      const facet = await computeFigure(reads, set, of)
      const [number = ''] = /[\d,.]+/.exec(facet?.value ?? '') ?? []
      // A share has one digit behind the point.
      assert.ok(Math.abs(Number(number.replaceAll(',', '')) - value) <= 0.05, `${ask} ${facet?.value}, not ${value}`)
      asked += 1
    }
    assert.ok(asked > 35, String(asked))
  })
})
