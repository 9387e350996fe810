/** GET /v1/openapi.json: the description of the interface, without a key. */
import type { RequestHandler } from 'express'
import { publicFile } from '../http/public-file.js'
import type { Services } from '../../services.js'
import type { BucketSize, BucketSizes } from '../../core/limits/buckets.js'
import { descriptionFile } from '../../core/openapi.js'

export const openapiRoute = ({ bucketSizes }: Services): RequestHandler =>
  publicFile('application/json; charset=utf-8', () => Buffer.from(JSON.stringify(describeInterface(bucketSizes))))

/** The description of a service with these bucket sizes: the file says {key.burst} where the service says 60. */
export const describeInterface = (sizes: BucketSizes): object => withSizes(descriptionFile, sizes) as object

const SIZE = /\{(key|organisation|insight|address)\.(burst|perMinute)\}/g

function withSizes(value: unknown, sizes: BucketSizes): unknown {
  if (typeof value === 'string') return textWithSizes(value, sizes)
  if (Array.isArray(value)) return value.map((element) => withSizes(element, sizes))
  if (typeof value !== 'object' || value === null) return value
  const members = Object.entries(value).map(([name, member]) => [name, withSizes(member, sizes)] as const)
  // An example whose summary is left out goes with it.
  return Object.fromEntries(members.filter(([, member]) => (member as { summary?: string } | null)?.summary !== ''))
}

/** Leaves out the paragraphs on the bucket of addresses where there is none. */
function textWithSizes(text: string, sizes: BucketSizes): string {
  const paragraphs = text.split('\n\n').filter((paragraph) => sizes.address ?? !paragraph.includes('{address.'))
  const valueOf = (_all: string, bucket: keyof BucketSizes, part: keyof BucketSize) => String(sizes[bucket]?.[part])
  return paragraphs.join('\n\n').replaceAll(SIZE, valueOf)
}
