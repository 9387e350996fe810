/** Answers as they came, over the invented country that the project carries; a test asks again and compares. */

const square = (west: number, south: number) => {
  const [east, north] = [(west * 100 + 1) / 100, (south * 100 + 1) / 100]
  const corners = [
    [west, south],
    [east, south],
    [east, north],
    [west, north],
    [west, south],
  ]
  return { type: 'Polygon', coordinates: [corners] }
}

export const frame = {
  id: '324378020',
  geometry: square(0.2, 0.1),
  bbox: [0.2, 0.1, 0.21, 0.11],
  admin: {
    state: 'MAREMBE',
    stateCode: 'MR',
    lga: 'LAKESIDE',
    lgaCode: 'MR-02',
    ward: 'LAKE ISLAND',
    wardCode: 'MR-02-03',
    zone: 'NORTHERN ZONE',
    zoneCode: 'NZ',
  },
}

const feature = (id: string, geometry: object) => ({ type: 'Feature', id, geometry, properties: {} })

export const box = { type: 'FeatureCollection', features: [feature('324378020', square(0.2, 0.1))] }

export const pageOfWard = {
  type: 'FeatureCollection',
  features: [feature('323622019', square(0.19, -0.11))],
  truncated: true,
  next: '323622019',
}

const marembe = { state: 'MAREMBE', stateCode: 'MR', zone: 'NORTHERN ZONE', zoneCode: 'NZ', frames: 6474 }

export const states = [
  { state: 'CÔTE ÉVORA', stateCode: 'CE', zone: 'SOUTHERN ZONE', zoneCode: 'SZ', frames: 2860 },
  marembe,
  { state: "N'DARA", stateCode: 'ND', frames: 1820 },
  { state: 'OKE/ISALE', stateCode: 'OI', zone: 'NORTHERN ZONE', zoneCode: 'NZ', frames: 1257 },
]

const lakeside = { lga: 'LAKESIDE', lgaCode: 'MR-02', frames: 1648 }

export const lgas = [
  { lga: 'ALDER HILLS', lgaCode: 'MR-04', frames: 1010 },
  { lga: 'CENTRAL', lgaCode: 'MR-05', frames: 1039 },
  { lga: 'KIRIN GATE', lgaCode: 'MR-03', frames: 1348 },
  lakeside,
  { lga: 'MAREMBE NORTH', lgaCode: 'MR-01', frames: 1429 },
].map((lga) => ({ state: 'MAREMBE', ...lga }))

const wardsOfLakeside = [
  { ward: 'EXILE CAMP', wardCode: 'MR-02-06', frames: 287 },
  { ward: 'LAKE ISLAND', wardCode: 'MR-02-03', frames: 273 },
  { ward: "M'BALI", wardCode: 'MR-02-01', frames: 211 },
  { ward: 'REED/MARSH', wardCode: 'MR-02-04', frames: 296 },
  { ward: 'SAND QUAY', wardCode: 'MR-02-02', frames: 302 },
  { ward: 'UPPER WEIR', wardCode: 'MR-02-05', frames: 279 },
]

export const wards = wardsOfLakeside.map((ward) => ({ state: 'MAREMBE', lga: 'LAKESIDE', ...ward }))

export const tree = { states: [{ ...marembe, lgas: [{ ...lakeside, wards: wardsOfLakeside }] }] }

const market = { layerId: 'lyr_market', name: 'Markets and shops' }
const survey = 'org_R5cNevMFKGZJ'
const atlas = 'org_mdTClYHUvtW4'

const open = [
  {
    layerId: 'lyr_population',
    name: 'Population',
    category: 'Population',
    kind: 'frames',
    orgId: atlas,
    values: { pop_demest25: '128', pop_demest26: '130' },
  },
  {
    layerId: 'lyr_schools',
    name: 'Schools',
    category: 'Education',
    kind: 'points',
    orgId: atlas,
    features: [
      {
        type: 'Feature',
        id: 'school_001',
        geometry: { type: 'Point', coordinates: [0.133852, -0.618883] },
        properties: { name: 'Sunrise School 1', level: 'Primary', pupils: 233, boarding: false },
      },
    ],
  },
]
const visited = (datasets: object[]) => ({ id: '321786013', bbox: [0.13, -0.62, 0.14, -0.61], datasets })
const unknown = { id: '1', datasets: [] }

/** The key is narrowed to three datasets, of which one is licensed per query, at 2 credits. */
export const charged = {
  frames: [
    visited([
      {
        ...market,
        category: 'Commerce',
        kind: 'frames',
        orgId: survey,
        values: { mkt_shops: '2', mkt_households: '26', mkt_access: '34' },
      },
      ...open,
    ]),
    unknown,
  ],
  charged: ['lyr_market'],
  leftOut: [],
}

export const price = {
  frames: [],
  charged: [],
  leftOut: [{ ...market, reason: 'insufficient_credits', price: 2 }],
  price: { credits: 0, datasets: [] },
}

export const notCovered = {
  frames: [visited(open), unknown],
  charged: [],
  leftOut: [{ ...market, reason: 'insufficient_credits', price: 2 }],
}
