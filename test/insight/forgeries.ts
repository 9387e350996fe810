/** Forges answers: one value of an answer gets another last digit, or a letter more. */
import type { Database } from '../../src/core/db/connect.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import type { Insight } from './ask.js'

const questions = [
  'which LGA has the most people',
  'average elevation by ward',
  'which wards have no school',
  'how many people live here',
  'how many frames have no clinic',
  'which frames have more than 40 people',
  'which three frames have the most people',
  'median population per frame',
  'people per square kilometre',
  'how many people per school',
  'population growth from 2025 to 2026',
  'difference between the highest and the lowest elevation',
  'names of the schools',
  'length of roads',
  'how many pupils go to school here',
  'how many people live in urban frames',
  'compare the frames by population',
  'how many acres have the land cover built-up',
  'people per hectare in frames with more than 40 people',
  'how many poeple and zeppelins, and the wealth of Marembe',
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

/** Asks every question of twelve frames of the invented country. */
export async function answersToForge(
  db: Database,
  ask: (frameIds: string[], question: string | undefined) => Promise<Insight>,
): Promise<SavedAnswer[]> {
  const near = await db.rows<{ id: string }>(
    'select frame_id::text as id from frame where geom && ST_MakeEnvelope(0.03, -0.57, 0.07, -0.5, 4326) order by 1 limit 12',
    [],
  )
  const ids = near.map(({ id }) => id)
  const answers: SavedAnswer[] = []
  for (const question of questions) {
    const { headline, notes, facets, sources, table, frameIds } = await ask(ids, question)
    // A cite is verified by itself.
    const plain = sources.map(({ cite: _cite, ...source }) => source)
    answers.push({ headline, notes, facets, sources: plain, table, frameIds } as SavedAnswer)
  }
  return answers
}

/** Returns what was forged where the replay notices nothing. */
export async function unnoticedForgery(
  db: Database,
  answers: readonly SavedAnswer[],
  random: () => number,
): Promise<string | undefined> {
  const pick = <T>(all: readonly T[]): T => all[Math.floor(random() * all.length)] as T
  const answer = pick(answers)
  const leaf = pick(leavesOf(answer))
  const found = await replay(db, withForged(answer, leaf))
  return found.length > 0 ? undefined : `${answer.headline}: ${JSON.stringify(leaf)}`
}
