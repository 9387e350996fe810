/** Asks for insights in tests. */
import assert from 'node:assert/strict'
import { type Notes, noteSentences } from '../../src/core/insight/notes.js'
import { ask, bearer, type Answer, type Service } from '../support/service.js'

export type Source = {
  label: string
  layerId: string
  dataset: string
  attribute: string
  statistic: string
  frames: number
  weight?: string
  class?: string
  vintage?: string
  method?: string
  unit?: string[]
  cite?: string
}

export type Insight = {
  intent: string
  headline: string
  notes?: Notes
  narrative?: string
  facets: { label: string; value: string }[]
  followUps: string[]
  confidence: string
  engine: string
  model?: string
  register: string
  frameIds: string[]
  sources: Source[]
  table: { columns: { key: string; label: string }[]; rows: Record<string, string>[] }
  notice?: string
  charged: string[]
  leftOut: { layerId: string }[]
}

type Request = {
  url: Service['url']
  secret?: string | undefined
  headers?: Record<string, string>
  signal?: AbortSignal
}

/** Sends a string as it is, and anything else as JSON. */
export const postInsight = ({ url, secret, headers, signal }: Request, body: unknown): Promise<Answer> =>
  ask(`${url}/v1/frames/insight`, {
    method: 'POST',
    headers: {
      ...(secret === undefined ? {} : bearer(secret)),
      'content-type': 'application/json',
      ...headers,
    },
    body: typeof body === 'string' || body instanceof Uint8Array ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })

export async function insightOf(request: Request, body: unknown): Promise<Insight> {
  const answer = await postInsight(request, body)
  assert.equal(answer.status, 200, answer.text)
  return (answer.body as { data: Insight }).data
}

/** The figures that the headline tells, by their labels, behind its notes: tests know a figure by its label. */
export function labelsOf({ headline, notes, facets }: Pick<Insight, 'headline' | 'notes' | 'facets'>): string {
  if (!notes || (notes.answers === 0 && notes.nearest === 0)) return headline
  const text = (some: Insight['facets']) => some.map(({ label, value }) => `${label}: ${value}`).join('; ')
  const near = text(facets.slice(notes.answers, notes.answers + notes.nearest))
  const answers = text(facets.slice(0, notes.answers))
  const nearest = near === '' ? [] : [`${answers === '' ? 'The nearest' : 'The nearest to the rest'}: ${near}.`]
  return [...noteSentences(notes), ...(answers === '' ? [] : [`${answers}.`]), ...nearest].join(' ')
}
