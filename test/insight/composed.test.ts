import assert from 'node:assert/strict'
import { listDatasets } from '../../src/core/access/index.js'
import type { DatasetRow } from '../../src/core/db/index.js'
import { readsOf, setInPlace } from '../../src/core/figures/index.js'
import { answerAsk } from '../../src/core/insight/ask.js'
import { placedAsks, placingOf } from '../../src/core/insight/placing.js'
import { type Catalogue, catalogueFor, emptyCatalogues } from '../../src/core/insight/reading/catalogue.js'
import { grammarOf } from '../../src/core/insight/reading/chart.js'
import { readQuestion } from '../../src/core/insight/reading/read.js'
import { PRODUCTIONS } from '../../src/core/insight/reading/segments.js'
import { isWordOfLanguage } from '../../src/core/insight/reading/cues.js'
import { fold, plainWordsOf } from '../../src/core/insight/reading/words.js'
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

/**
 * The mean of a unit is weighted by area, as the catalogue says; that of the example is not. Classes are one sum. "Kind of
 * settlement" is a name of another category.
 */
const OTHERWISE: ReadonlySet<string> = new Set([
  'How many people live in rural, peri-urban and urban frames?',
  'Which part of the frames has each kind of settlement, in percent?',
  'How many wards have over 10,000 people and a mean slope of over 1 degree?',
  'What is the mean slope of the frames of Lakeside?',
])

/** No production reads all of their words: a new one takes a line out. */
const UNREAD = [
  'How far from a clinic does the average person live, in km?',
  'How many beds have the clinics that are open at night?',
  'How many frames does the index have?',
  'How many frames have no people, 1 to 9, 10 to 99, and 100 or more?',
  'How many lanes does the average kilometre of road have?',
  'How many lanes has the Great South Road?',
  'How many people have no school of over 300 pupils on their frame?',
  'How many people live in the box from 0.35 degrees west and south to 0.35 degrees east and north?',
  'How many people live on frames that are steep or high?',
  'How many people live on frames with over 1 km of road?',
  'How many people live on the fullest frame?',
  'How many people live on these two frames?',
  'How many people live where there is a school, or a clinic, but not both?',
  'How many pupils learn within 2 km of a clinic that is open at night?',
  'How much land do the reserves cover that visitors may enter, in km²?',
  'How much land has each cover, in km²?',
  'Nine frames in ten have at most how many people?',
  'Of the people on urban frames, which part live in Marembe, in percent?',
  'On how many frames have the schools fewer than 300 pupils in all?',
  'What are the names of the nature reserves that visitors may enter?',
  'Which LGAs have no school, or the fewest?',
  'Which part of the people of its state lives in each LGA of Oke/Isale, in percent?',
]
/** What a question asks for, where every word of it is read. */
function figureIn(
  catalogue: Catalogue,
  question: string,
  grammar?: ReturnType<typeof grammarOf<Catalogue>>,
): string | undefined {
  const { asks, unknown, unanswered, places, wants } = readQuestion(catalogue, question, {
    level: 'country',
    ...(grammar && { grammar }),
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
      assert.notEqual(
        own,
        figureIn(catalogue, example, grammarOf(others)),
        `${category} of ${parts.join(' ')}: "${example}"`,
      )
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
        // Another name of what is asked asks for nothing else: "reserves", "forest reserves".
        const completes = (name: string) => {
          const all = plainWordsOf(name)
          return all.includes(word) && all.every((each) => each === word || example.toLowerCase().includes(each))
        }
        const isAsked = topics.some(
          ({ subject, names, classes }) =>
            [...names, ...classes].some(completes) && own?.includes(JSON.stringify(Object.values(subject).at(-1))),
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

  it('has the figures of the example of docs/figures.md that asks so', async () => {
    const { db } = service()
    const reads = readsOf(db, await allDatasets())
    const set = await setInPlace(reads, { unit: [] })
    const unread: string[] = []
    for (const { ask, value, figure } of examples) {
      const { asks, unknown, unanswered, places = [] } = readQuestion(await catalogueOf(ask), ask, { level: 'country' })
      const placed = placedAsks(asks, await placingOf(reads, set, places), true)
      const isRead = unknown.length + unanswered.length === 0 && placed.length > 0
      if (!isRead) unread.push(ask)
      if (!isRead || OTHERWISE.has(ask)) continue
      const answers = await Promise.all(placed.map((own) => answerAsk(reads, set, own)))
      for (const { isAnswered } of answers) assert.ok(isAnswered, ask)
      const text = answers.map(({ facets: [first] }) => `${first?.label}: ${first?.value}`).join('\n')
      const numbers = [...text.matchAll(/-?\d[\d,.]*/g)].map(([number]) =>
        Number(number.replaceAll(',', '').replace(/\.$/, '')),
      )
      const firsts = answers.map(({ facets: [first] }) =>
        Number((first?.value ?? '').replaceAll(',', '').split(' ')[0]),
      )
      const sum = firsts.reduce((all, each) => all + each, 0)
      // A share has one digit behind the point, or says the part and the whole.
      const shares = numbers.slice(1).map((whole, i) => (100 * (numbers[i] ?? 0)) / whole)
      const hasNumber = (wanted: number) => [...numbers, ...shares, sum].some((each) => Math.abs(each - wanted) <= 0.05)
      if (typeof value === 'number') assert.ok(hasNumber(value), `${ask} ${text}, not ${value}`)
      else
        for (const [group, number] of value.slice(0, 1)) {
          const name = Array.isArray(group) ? group.at(-1) : group
          if (name !== null) assert.ok(fold(text).includes(fold(name ?? '')), `${ask} ${text}, without ${name}`)
          // Groups that pass are named without their numbers.
          if (name !== null && !figure.having) assert.ok(hasNumber(number), `${ask} ${text}, not ${number}`)
        }
    }
    assert.deepEqual(unread.toSorted(), UNREAD)
  })
})
