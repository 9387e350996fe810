/** GET /tools/key: what a key is, and what is left of its buckets, its credits and its worded answers. */
import { type Authority, TEST_SECRETS, testPurpose } from '../../core/access/index.js'
import { DAILY_CEILING, MONTHLY_ALLOWANCE } from '../../core/credits/index.js'
import { type RowOf, withDeadline } from '../../core/db/index.js'
import { keyDescribed } from '../../core/db/statements.js'
import type { Deadline } from '../../core/deadline.js'
import { invalidKey } from '../../core/errors.js'
import { bucketsOf } from '../../core/limits/index.js'
import type { Services } from '../../services.js'
import type { JsonObject } from './schemas.js'

type KeyServices = Pick<Services, 'authorityReader' | 'bucketSizes' | 'limiter'>

export async function aboutKey(services: KeyServices, caller: Authority, deadline: Deadline): Promise<object> {
  const { keyId, orgId, plan, capabilities, datasets } = caller
  const test = testPurpose(caller)
  const [row] = test ? [testKey(test)] : await keyDescribed(withDeadline(services.authorityReader, deadline), keyId)
  if (!row) throw invalidKey()
  const { name, lastFour, organisation, endsAt, credits, wordedByAllowance, wordedToday } = row
  const caps = [
    { of: 'credits', in: 'day', cap: row.dailyCredits, left: row.dailyCreditsLeft },
    { of: 'credits', in: 'month', cap: row.monthlyCredits, left: row.monthlyCreditsLeft },
    { of: 'wordedAnswers', in: 'day', cap: row.dailyWords, left: row.dailyWordsLeft },
    { of: 'wordedAnswers', in: 'month', cap: row.monthlyWords, left: row.monthlyWordsLeft },
  ].filter(({ cap }) => cap !== null)
  const asks = capabilities.includes('ask.query')
  const buckets = bucketsOf(services.bucketSizes, caller, asks)
  // While their store is away, nothing is metered.
  const left = await services.limiter.peek(buckets)
  const ofMonth = Math.max((MONTHLY_ALLOWANCE[plan] ?? 0) - wordedByAllowance, 0)
  return {
    keyId,
    name,
    lastFour,
    organisation,
    orgId,
    plan,
    capabilities,
    ...(datasets && { datasets }),
    expiresAt: endsAt.toISOString(),
    ...(left && {
      buckets: buckets.map(({ name: bucket, burst, perMinute }, i) => ({ bucket, burst, perMinute, left: left[i] })),
    }),
    credits,
    ...(asks && { wordedAnswers: { month: ofMonth, day: Math.max(DAILY_CEILING - wordedToday, 0) } }),
    caps,
  }
}

/** A key to test with has no row. */
const testKey = (purpose: string): RowOf<typeof keyDescribed> => ({
  name: `test key: ${purpose}`,
  lastFour: TEST_SECRETS[purpose]?.slice(-4) ?? '',
  organisation: 'test keys',
  endsAt: new Date('9999-12-31T00:00:00Z'),
  credits: 0,
  wordedByAllowance: 0,
  wordedToday: 0,
  dailyCredits: null,
  dailyCreditsLeft: null,
  monthlyCredits: null,
  monthlyCreditsLeft: null,
  dailyWords: null,
  dailyWordsLeft: null,
  monthlyWords: null,
  monthlyWordsLeft: null,
})

const text: JsonObject = { type: 'string' }
const count: JsonObject = { type: 'integer', minimum: 0 }
const texts: JsonObject = { type: 'array', items: text }
const object = (properties: JsonObject, optional: readonly string[] = []): JsonObject => ({
  type: 'object',
  required: Object.keys(properties).filter((name) => !optional.includes(name)),
  properties,
})

export const keySchema: JsonObject = object(
  {
    keyId: text,
    name: text,
    lastFour: { type: 'string', description: 'The last characters of the secret.' },
    orgId: text,
    organisation: text,
    plan: { enum: Object.keys(MONTHLY_ALLOWANCE) },
    capabilities: texts,
    datasets: { ...texts, description: 'What the key is narrowed to. Absent: it reads all that its organisation can.' },
    expiresAt: { type: 'string', format: 'date-time' },
    buckets: {
      type: 'array',
      description: 'The calls left in each bucket. Absent while nothing is metered.',
      items: object({
        bucket: { enum: ['key', 'organisation', 'insight'] },
        burst: count,
        perMinute: count,
        left: count,
      }),
    },
    credits: { ...count, description: 'The credits of the organisation.' },
    wordedAnswers: {
      ...object({ month: count, day: count }),
      description:
        'What is left of the allowance of the month, and of the ceiling of the day, UTC. Past the allowance, an answer costs a credit.',
    },
    caps: {
      type: 'array',
      description: 'The caps of the key by day and month, UTC, each with what is left.',
      items: object({
        of: { enum: ['credits', 'wordedAnswers'] },
        in: { enum: ['day', 'month'] },
        cap: count,
        left: count,
      }),
    },
  },
  ['datasets', 'buckets', 'wordedAnswers'],
)
