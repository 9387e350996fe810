export { addressBuckets, type AddressBuckets, dropOldest } from './address-buckets.js'
export {
  type Bucket,
  type BucketSize,
  type BucketSizes,
  bucketsOf,
  bucketsOfPage,
  fillSeconds,
  mapBuckets,
  type Verdict,
  waitSeconds,
} from './buckets.js'
export { linkToRedis, probe } from './in-redis.js'
export { type Limiter, openLimiter } from './limiter.js'
export type { RedisLink } from './redis-link.js'
export { REDIS_URL_FORMS, redisSetting } from './redis-url.js'
