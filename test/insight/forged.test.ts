import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/access/organisations.js'
import { replay, type SavedAnswer } from '../../src/insight/replay.js'
import { seeded } from '../faults/seeded.js'
import { sample } from '../support/sample.js'
import { mint, service } from '../support/service.js'
import { insightOf } from './ask.js'

const FORGERIES = sample(60, 3000)

const questions = [
  'how many people live here',
  'how many frames have no clinic',
  'which frames have more than 40 people',
  'which three frames have the most people',
  'median population per frame',
  'what share of the people live in the busiest frame',
  'people per square kilometre',
  'how many people per school',
  'population growth from 2025 to 2026',
  'difference between the highest and the lowest elevation',
  'names of the schools',
  'length of roads',
  'how many pupils go to school here',
  'how many people live in urban frames',
  'compare the frames by population',
  undefined,
]

type Leaf = { path: (string | number)[]; value: string | number }

function leavesOf(value: unknown, path: (string | number)[] = []): Leaf[] {
  if (typeof value === 'string' || typeof value === 'number') return [{ path, value }]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, member]) =>
    leavesOf(member, [...path, Array.isArray(value) ? Number(key) : key]),
  )
}

/** The value with another last digit, or with a letter more. */
const forged = (value: string | number) =>
  typeof value === 'number'
    ? value + 1
    : /\d/.test(value)
      ? value.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
      : `${value}x`

function withForged(answer: SavedAnswer, { path, value }: Leaf): SavedAnswer {
  const copy = structuredClone(answer)
  const last = path.at(-1) as string
  const holder = path.slice(0, -1).reduce<unknown>((at, key) => (at as Record<string, unknown>)[key], copy)
  ;(holder as Record<string, unknown>)[last] = forged(value)
  return copy
}

describe('a forged answer', function () {
  this.timeout(600_000)
  const answers: SavedAnswer[] = []

  before(async () => {
    const { db, url } = service()
    const { secret } = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    const near = await db.rows<{ id: string }>(
      'select frame_id::text as id from frame where geom && ST_MakeEnvelope(0.03, -0.57, 0.07, -0.5, 4326) order by 1 limit 12',
      [],
    )
    const frameIds = near.map(({ id }) => id)
    for (const question of questions) {
      const {
        headline,
        facets,
        sources,
        table,
        frameIds: ids,
      } = await insightOf({ url, secret }, { frameIds, question })
      answers.push({ headline, facets, sources, table, frameIds: ids } as SavedAnswer)
    }
  })

  it('is none where nothing was changed', async () => {
    for (const answer of answers) assert.deepEqual(await replay(service().db, answer), [], answer.headline)
  })

  it(`is found, whichever of its leaves was changed (${FORGERIES} of them)`, async () => {
    const seed = Number(process.env['SEED'] ?? Math.floor(Math.random() * 2 ** 31))
    console.log(`      seed ${seed}`)
    const random = seeded(seed)
    const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
    for (let i = 0; i < FORGERIES; i += 1) {
      const answer = pick(answers)
      const leaf = pick(leavesOf(answer))
      const found = await replay(service().db, withForged(answer, leaf))
      assert.ok(found.length > 0, `${answer.headline}: ${JSON.stringify(leaf)}`)
    }
  })
})
