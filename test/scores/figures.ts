/** Measures the figures: whether other SQL computes the same ones, and whether a replay notices a forged answer. */
import type { Database } from '../../src/core/db/connect.js'
import { seeded } from '../faults/seeded.js'
import { answersToForge, unnoticedForgery } from '../insight/forgeries.js'
import { sampledFigures } from '../insight/sampled-figures.js'
import type { AskInsight } from './asked.js'
import type { Measure } from './measures.js'

const SEED = 14

export async function measuresOfFigures(db: Database, insight: AskInsight, count: number): Promise<Measure[]> {
  const differing: string[] = []
  let done = 0
  for await (const { what, given, computed } of sampledFigures(db, seeded(SEED))) {
    if (given.join() !== computed.join()) differing.push(`${what}: other SQL gives ${computed.join(', ')}`)
    done += 1
    if (done === count) break
  }
  const answers = await answersToForge(db, insight)
  const unnoticed: string[] = []
  const random = seeded(SEED)
  for (let i = 0; i < count; i += 1) unnoticed.push(...(await found(unnoticedForgery(db, answers, random))))
  return [
    measure('Figures, the same computed from their sources alone', count, differing),
    measure('Forged answers, noticed by a replay', count, unnoticed),
  ]
}

const found = async (text: Promise<string | undefined>) => [await text].flatMap((each) => each ?? [])

const measure = (name: string, of: number, misses: string[]): Measure => ({
  name,
  hits: of - misses.length,
  of,
  atLeast: of,
  misses,
})
