/** Calls of every kind, with values that are hard to print as SQL, and calls that the API refuses. */
import { everyCall } from '../support/every-call.js'

export const two = ['324378020', '324378021']
export const insight = (question?: string) => `POST /v1/frames/insight ${JSON.stringify({ frameIds: two, question })}`
export const calls = [
  ...everyCall.map(({ call }) => call).filter((call) => !call.includes('price=true')),
  'GET /v1/frames?state=O\'Brien \\ "one" %0A -- two; $1 ſtate&limit=3',
  'GET /v1/frames?state=marembe&lga=lakeside&after=324378020&limit=4',
  '/v1/frames?state=marembe&lga=lakeside&ward=sand quay&limit=1',
  'GET http://127.0.0.1:3000/v1/frames?bbox=0.2,0.1,0.22,0.12',
  'GET /v1/frames?bbox=-1e-320,0,1e-320,4e-9&limit=5000',
  'GET /v1/frames?ids=324378021,9223372036854775807,324378020,007',
  'GET /v1/frames/at?lat=+9.05e-3&lon=-0.0',
  'GET /v1/frames/at?lat=0.205&lon=50',
  `GET /v1/frames/data?ids=${two.join()}`,
  "GET /ogc/collections/frames/items?limit=2&bbox=0.2,0.1,0.22,0.12&filter=km2 > 1.2 and not state in ('O''Brien', '\\ $1 --')",
  'GET /ogc/collections/lyr_population/items?filter={"op":"like","args":[{"property":"lga"},"LAKE%25"]}&limit=2',
  'GET /ogc/collections/lyr_schools/items?after=school_007&limit=2',
  'GET /ogc/collections/lgas/items?limit=2&filter=s_intersects(geometry, POLYGON((0 0,1 0,1 1,0 0)))',
  'GET /ogc/collections/lyr_population/queryables',
  'GET /ogc/collections',
  'GET /ogc/collections/lyr_market/items?limit=100&price=true',
  insight(),
  insight('How many schools?'),
  insight('which frames have more than 100 people, and how many people live in urban frames'),
  insight('rank these frames by population, the median population, and the population growth from 2025 to 2026'),
  insight('names of the schools, how many pupils, which frames have a secondary school, and the length of main roads'),
  insight('which ward has the most people, and what share of the people live in frames with a school'),
  insight('the share of people within 9 km of a school by ward'),
  insight('buildings per 1,000 people by ward'),
  insight('How many people,\n\tand what\'s the \\ "slope" — ½? {a,b} null $2 */ --'),
]
export const refusedCalls = [
  'GET /v1/frames?state=marembe&limit=0',
  'GET /v1/frames?lga=lakeside',
  'GET /ogc/collections/frames/items?limit=0',
  'GET /v1/frames?bbox=1,2,3',
  'GET /v1/frames/at?lat=95&lon=1',
  'GET /v1/nothing',
  'POST /v1/states',
  'HEAD /v1/frames/data?ids=1',
  'POST /v1/frames/insight {"frameIds": []}',
  'POST /v1/frames/insight {"frameIds"',
]

/**
 * The statements of src/core/db/statements.ts that none of these calls sends. Only the doctor sends ledger_faults. Pages send
 * account_balance, frames_by_id and profile_by_unit, files and frames export features_page, files_of_datasets, file_sales,
 * frames_in_area_page and shape_read, and tools key_described and rows_enriched.
 */
export const unsent = [
  'account_balance',
  'features_page',
  'file_sales',
  'files_of_datasets',
  'frames_by_id',
  'frames_in_area_page',
  'intervals_of_frames',
  'key_described',
  'ledger_faults',
  'profile_by_unit',
  'rows_enriched',
  'shape_read',
  'units_of_names',
]
