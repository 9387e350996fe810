/** Calls of /ogc for tests. */
import assert from 'node:assert/strict'
import { ask, bearer, service, type Answer } from '../support/service.js'

export type Link = { href: string; rel: string; type?: string }
type Position = number[] | Position[]
export type Item = {
  type: string
  id: string
  geometry: { type: string; coordinates: Position[] }
  properties: Record<string, string | number | null>
  links?: Link[]
}
export type Items = {
  type: string
  features: Item[]
  numberMatched?: number
  numberReturned: number
  notNumbers?: number
  links: Link[]
}
export type CollectionDocument = {
  id: string
  title: string
  itemType: string
  crs: string[]
  storageCrs: string
  extent?: { spatial: { bbox: number[][]; crs: string } }
  links: Link[]
}

/** With the key of the shared service, unless another comes. `path` is below /ogc, or a whole address. */
export async function ogc(path: string, secret = service().secret): Promise<Answer> {
  const url = path.startsWith('http') ? path : `${service().url}/ogc${path}`
  return await ask(url, { headers: bearer(secret) })
}

export async function found<T>(path: string, secret?: string): Promise<T> {
  const answer = await ogc(path, secret)
  assert.equal(answer.status, 200, `${path}: ${answer.text.slice(0, 300)}`)
  return answer.body as T
}

/** The status and the code of a refusal. */
export async function refusal(path: string, secret?: string): Promise<string> {
  const answer = await ogc(path, secret)
  return `${answer.status} ${(answer.body as { code?: string }).code}`
}

export const linkOf = ({ links }: { links: Link[] }, rel: string): string | undefined =>
  links.find((link) => link.rel === rel)?.href

/** Follows the next links. */
export async function everyItem(path: string, secret?: string): Promise<Item[]> {
  const items: Item[] = []
  for (let next: string | undefined = path; next !== undefined;) {
    const page: Items = await found<Items>(next, secret)
    assert.equal(page.numberReturned, page.features.length)
    items.push(...page.features)
    next = linkOf(page, 'next')
    assert.ok(next === undefined || page.features.length > 0, 'an empty page has a next one')
  }
  return items
}

export const query = (parameters: Record<string, string | number>) =>
  new URLSearchParams(
    Object.entries(parameters).map(([name, value]): [string, string] => [name, String(value)]),
  ).toString()
