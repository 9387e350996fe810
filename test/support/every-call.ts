/**
 * One call of each kind, on the fixture: tests that must miss no call take their calls from here.
 * test/sql/attribution.test.ts fails where a path, a parameter or a statement of the service is missing.
 */
import { ids } from './datasets.js'

const three = ids.slice(3, 6).join()

export const everyRead: readonly string[] = [
  '/v1/frames/at?lat=0.105&lon=0.205',
  '/v1/frames?bbox=0.2,0.1,0.22,0.12',
  `/v1/frames?ids=${three}`,
  '/v1/frames?state=marembe&limit=2&after=322289984',
  '/v1/frames?state=marembe&lga=lakeside&limit=2',
  '/v1/frames?state=marembe&lga=lakeside&ward=lake%20island&limit=2',
  '/v1/states',
  '/v1/lgas',
  '/v1/lgas?state=marembe',
  '/v1/wards?state=marembe',
  '/v1/wards?state=marembe&lga=lakeside',
  '/v1/frames/admin',
  '/v1/frames/admin?state=marembe',
  '/v1/frames/admin?state=marembe&lga=lakeside',
  `/v1/frames/data?ids=${three}`,
  `/v1/frames/data?ids=${three}&datasets=lyr_population,lyr_schools&price=true`,
]

export const everyQuestion: readonly string[] = [
  'how many people and schools are there',
  'which frames have more than 100 people?',
  'how many people live in urban frames?',
  'rank these frames by population',
  'median population',
  'population growth from 2025 to 2026',
  'names of the schools',
  'how many pupils go to school here',
  'frames with a secondary school',
  'length of main roads',
  'which ward has the most people',
  'what share of the people live in frames with a school',
  'share of people with a school by ward',
  'buildings per 1,000 people by ward',
]

/** "/v1/frames?lga&state": a path and what selects the rows. Pages of one selection have one shape. */
export function shapeOf(path: string): string {
  const { pathname, searchParams } = new URL(path, 'http://any')
  const names = [...searchParams.keys()].filter((name) => name !== 'limit' && name !== 'after')
  return `${pathname}?${names.toSorted().join('&')}`
}
