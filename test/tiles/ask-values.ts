/** Asks for values as the map does: as a person who is signed in. */
import type { Value } from '../../src/app/map/classes.js'
import type { FrameRun, UnitValue } from '../../src/app/tiles/values.js'
import type { PageAnswer, Visitor } from '../support/browse.js'

type ValuesAnswer = PageAnswer & { runs: FrameRun[]; units: UnitValue[] }

/** `path` is a square such as "0/-1", or a level of units. */
export async function askValues(visitor: Visitor, path: string, headers: Record<string, string> = {}) {
  const answer = await visitor.get(`/app/values/${path}`, headers)
  const isThere = answer.status === 200 && answer.headers['content-type'] === 'application/json; charset=utf-8'
  const values = isThere ? (JSON.parse(answer.text) as unknown[]) : []
  return { ...answer, runs: values as FrameRun[], units: values as UnitValue[] } satisfies ValuesAnswer
}

/** The squares of the fixture, which lies around 0, 0. */
const AROUND = ['-1/-1', '0/-1', '-1/0', '0/0']

export type FrameValue = { value: Value } & Partial<Record<'lower' | 'upper', number | null | undefined>>

/** The frames of these squares by their ids. */
export async function framesAround(
  visitor: Visitor,
  query: string,
  squares: readonly string[] = AROUND,
): Promise<Map<string, FrameValue>> {
  const answers = await Promise.all(squares.map((square) => askValues(visitor, `${square}${query}`)))
  for (const { status, text } of answers) if (status !== 200) throw new Error(`${status}: ${text}`)
  const frames = answers
    .flatMap(({ runs }) => runs)
    .flatMap(({ first, values, lower, upper }) =>
      values.map((value, i): [string, FrameValue] => [
        String(BigInt(first) + BigInt(i)),
        { value, ...(upper && { lower: lower?.[i], upper: upper[i] }) },
      ]),
    )
  return new Map(frames)
}
