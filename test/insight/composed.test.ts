import assert from 'node:assert/strict'
import { listDatasets } from '../../src/core/access/index.js'
import type { DatasetRow } from '../../src/core/db/index.js'
import { readsOf, setInPlace } from '../../src/core/figures/index.js'
import { answerAsk } from '../../src/core/insight/ask.js'
import { placedAsks, placingOf } from '../../src/core/insight/placing.js'
import { type Catalogue, catalogueFor, emptyCatalogues } from '../../src/core/insight/reading/catalogue.js'
import type { Production } from '../../src/core/insight/reading/production.js'
import { PRODUCTIONS, readQuestion } from '../../src/core/insight/reading/read.js'
import { isWordOfLanguage } from '../../src/core/insight/reading/cues.js'
import { plainWordsOf } from '../../src/core/insight/reading/words.js'
import { examples } from '../figures/examples.js'
import { seeded } from '../faults/seeded.js'
import { service } from '../support/service.js'
import { keepSeen, type Seen, seenBefore, textOfReading } from './seen.js'

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

/** What a question asks for, where every word of it is read. */
function figureIn(
  catalogue: Catalogue,
  question: string,
  productions: readonly Production[] = PRODUCTIONS,
): string | undefined {
  const { asks, unknown, unanswered, places, wants } = readQuestion(catalogue, question, {
    level: 'country',
    productions,
  })
  if (unknown.length + unanswered.length > 0 || (asks.length === 0 && wants !== 'profile')) return undefined
  return JSON.stringify([asks, places], (key, value: unknown) => (key === 'words' ? undefined : value))
}

describe('a question that is one figure', function () {
  this.timeout(600_000)

  it('has an example for each production, which is not read so without it', async () => {
    for (const production of PRODUCTIONS) {
      const { example, category, parts } = production
      const catalogue = await catalogueOf(example)
      const own = figureIn(catalogue, example)
      const others = PRODUCTIONS.filter((each) => each !== production)
      assert.ok(own, `${category} of ${parts.join(' ')}: "${example}" is not read`)
      assert.notEqual(own, figureIn(catalogue, example, others), `${category} of ${parts.join(' ')}: "${example}"`)
    }
  })

  it('is another figure, or none, with a name of the catalogue more', async () => {
    const random = seeded(47)
    const of = <Value>(all: readonly Value[]) => all[Math.floor(random() * all.length)] as Value
    const { topics } = await catalogueOf('')
    // A part of a name may complete it.
    const known = topics.flatMap(({ names, classes }) => [...names, ...classes]).map(plainWordsOf)
    const words = [...new Set(known.flatMap((all) => (all.length === 1 ? all : [])))].filter(
      (word) => /^\p{L}{3}/u.test(word) && !isWordOfLanguage(word),
    )
    const swallowed: string[] = []
    for (const { example } of PRODUCTIONS) {
      const more = Array.from({ length: 4 }, () => of(words))
      const catalogue = await catalogueOf([example, ...more].join(' '))
      const own = figureIn(catalogue, example)
      for (const word of more) {
        // Another name of what is asked asks for nothing else.
        const isAsked = topics.some(
          ({ subject, names, classes }) =>
            [...names, ...classes].some((name) => plainWordsOf(name).join(' ') === word) &&
            own?.includes(JSON.stringify(Object.values(subject).at(-1))),
        )
        if (isAsked) continue
        const parts = example.replace(/[?.]$/, '').split(' ')
        parts.splice(Math.floor(random() * (parts.length + 1)), 0, word)
        const question = parts.join(' ')
        if (figureIn(catalogue, question) === own) swallowed.push(question)
      }
    }
    assert.deepEqual(swallowed, [])
  })

  it('is another figure, or none, without one of its numbers, classes or places', async () => {
    const kept: string[] = []
    for (const { example } of PRODUCTIONS) {
      const catalogue = await catalogueOf(example)
      const classes = catalogue.topics.flatMap((topic) => topic.classes.map((each) => each.toLowerCase()))
      const own = figureIn(catalogue, example)
      const parts = example.split(' ')
      for (const [i, part] of parts.entries()) {
        const [word = ''] = plainWordsOf(part)
        // Without a level, an interval is the one of 95 %.
        if (part === '95%') continue
        if (!/^\d/.test(word) && !classes.includes(word) && !catalogue.units.has(word)) continue
        const question = parts.filter((_, k) => k !== i).join(' ')
        if (figureIn(catalogue, question) === own) kept.push(question)
      }
    }
    assert.deepEqual(kept, [])
  })

  it('is read as it was read before, or the change is in seen.jsonl', async () => {
    const known = seenBefore()
    const asked = [
      ...PRODUCTIONS.map(({ example }) => example),
      ...examples.map(({ ask }) => ask),
      ...known.map(({ ask }) => ask),
    ]
    const seen: Seen[] = []
    for (const ask of [...new Set(asked)].toSorted())
      seen.push({ ask, reads: textOfReading(readQuestion(await catalogueOf(ask), ask, { level: 'country' })) })
    if (process.env['UPDATE'] === '1') keepSeen(seen)
    else assert.deepEqual(seen, known)
  })

  it('is none where more distances would be measured than are allowed', async () => {
    const ask = 'How many people live within 900 km of a secondary school?'
    const [own] = readQuestion(await catalogueOf(ask), ask, { level: 'country' }).asks
    assert.equal(own?.operation.op, 'figure')
    const reads = readsOf(service().db, await allDatasets())
    assert.equal((await answerAsk(reads, await setInPlace(reads, { unit: [] }), own)).isAnswered, false)
  })

  it('has the number of the example of docs/figures.md that asks so', async () => {
    const { db } = service()
    const reads = readsOf(db, await allDatasets())
    const set = await setInPlace(reads, { unit: [] })
    let asked = 0
    for (const { ask, value } of examples) {
      const { asks, unknown, unanswered } = readQuestion(await catalogueOf(ask), ask, { level: 'country' })
      const [own, ...others] = placedAsks(
        asks,
        await placingOf(
          reads,
          set,
          asks.flatMap(({ places = [] }) => places),
        ),
        true,
      )
      if (
        !own ||
        others.length + unknown.length + unanswered.length > 0 ||
        typeof value !== 'number' ||
        OTHERWISE.has(ask)
      )
        continue
      const { facets, isAnswered } = await answerAsk(reads, set, own)
      assert.ok(isAnswered, ask)
      const numbers = [...(facets[0]?.value ?? '').matchAll(/-?\d[\d,.]*/g)].map(([number]) =>
        Number(number.replaceAll(',', '').replace(/\.$/, '')),
      )
      // A share has one digit behind the point, or says the part and the whole.
      const [part = 0, whole = 1] = numbers
      assert.ok(
        [...numbers, (100 * part) / whole].some((number) => Math.abs(number - value) <= 0.05),
        `${ask} ${facets[0]?.label}: ${facets[0]?.value}, not ${value}`,
      )
      asked += 1
    }
    assert.ok(asked > 40, String(asked))
  })
})
