/** Arguments for each statement of sql/ on the grid: those of an everyday call, and those of the most expensive one. */
import { createHash } from 'node:crypto'
import { COLUMNS, ROWS } from '../support/grid.js'

type Args = readonly unknown[]
export type Cases = { typical: Args; worst: Args }

const range = (length: number) => Array.from({ length }, (_, i) => i)
const layersTo = (last: number) => range(last).map((i) => `lyr_${i + 1}`)

/** Cells of the grid: side by side, and each in another part of the country; the last has 600 features. */
const CROWDED = String(9600 * 36_000 + 18_500)
const near = (count: number) =>
  range(count).map((i) => String((9500 + Math.floor(i / 10)) * 36_000 + 18_400 + (i % 10)))
const apart = (count: number) => [
  ...range(count - 1).map((i) =>
    String((9400 + ((i * 97) % (ROWS - 1))) * 36_000 + 18_300 + ((i * 53) % (COLUMNS - 1))),
  ),
  CROWDED,
]
const baselines = layersTo(6)
const features = ['lyr_7', 'lyr_8', 'lyr_9']
const hashes = (count: number) =>
  range(count).map((i) =>
    createHash('sha256')
      .update(String(1 + i * 37))
      .digest('hex'),
  )
/** Corners of four cells, as many of them as a batch of requests holds at the most. */
const corners = [range(500).map((i) => 3.01 + (i % 50) / 20), range(500).map((i) => 4.01 + Math.floor(i / 50) / 4)]
const state = 'State 07'
const lga = 'State 07 LGA 7'
/** A shape over the whole grid, whose edge goes in and out of blocks. */
const star = (vertices: number) =>
  `POLYGON((${range(vertices)
    .map((i) => (2 * Math.PI * (i % (vertices - 1))) / (vertices - 1))
    .map((turn) => [turn, 2.4 + 0.2 * Math.cos(37 * turn)] as const)
    .map(([turn, radius]) => `${5.6 + radius * Math.cos(turn)} ${6.5 + radius * Math.sin(turn)}`)
    .join(',')}))`
/** Columns of a table: of the frame, and of the unit around it. */
const COLUMNS_OF_TABLE = [
  ['lyr_1', 'lyr_1', 'lyr_7'],
  ['attribute_1', 'attribute_1', 'features'],
  [null, 'lga', 'ward'],
]
const same = (args: Args): Cases => ({ typical: args, worst: args })

/** For /ogc: a small area, the whole country, and filters. */
const near5 = '{"wkt":"POLYGON((5.001 6.001,5.019 6.001,5.019 6.019,5.001 6.019,5.001 6.001))","crs":84}'
const WHOLE = '{"wkt":"POLYGON((-180 -90,180 -90,180 90,-180 90,-180 -90))","crs":84}'
const NO_FILTER = '{"terms":[]}'
const FILTER =
  '{"path":"$.t0 > $v0 && $.t1 == $v1","values":{"v0":1,"v1":"STATE 07"},"terms":[{"key":"t0","name":"km2","kind":"number"},{"key":"t1","name":"state","kind":"text"}]}'
const RECORDED_FILTER =
  '{"path":"$.t0 > $v0","values":{"v0":1},"terms":[{"key":"t0","name":"recorded:attribute_1","kind":"number"}]}'

/** Figures of a unit, and of the country by ward under three tests. */
const figureOf = (place: readonly string[], more: object = {}) => ({
  things: 'frames',
  place,
  subject: { of: 'lyr_1', name: 'attribute_1' },
  how: 'sum',
  ...more,
})
const OF_UNIT = figureOf(['unit', state, lga])
const OF_COUNTRY = figureOf(['unit'], {
  where: {
    all: [
      { of: 'lyr_1', name: 'attribute_2', above: 1 },
      { any: [{ of: 'lyr_1', name: 'attribute_3', below: 50 }, { not: { of: 'lyr_7', atLeast: 1 } }] },
    ],
  },
})
const BY_WARD = { level: 'ward' }

/** Tiles of the grid: a typical one, and the one that costs most. */
const tileCases: Readonly<Record<string, Cases>> = {
  'tiles/units_of_tile': { typical: [9, 262, 248], worst: [4, 8, 7] },
  'tiles/values_of_units': { typical: ['lga', 'lyr_1', 'attribute_1'], worst: ['ward', 'lyr_7', 'features'] },
  'tiles/values_of_square': { typical: [4, 5, 'lyr_1', 'attribute_2'], worst: [4, 5, 'lyr_1', 'attribute_1'] },
  'tiles/frames_of_tile': { typical: [12, 2100, 1990], worst: [9, 262, 248] },
  'tiles/features_of_tile': {
    typical: [11, 1050, 995, features, 500, 10_000],
    worst: [11, 1052, 989, layersTo(100), 500, 10_000],
  },
}

export const casesOf: Readonly<Record<string, Cases>> = {
  summary: { typical: [JSON.stringify(OF_UNIT)], worst: [JSON.stringify(OF_COUNTRY)] },
  interval: {
    typical: [JSON.stringify({ of: OF_UNIT })],
    worst: [JSON.stringify({ of: figureOf(['box', '4.01', '5.01', '6.9', '7.9']), by: BY_WARD })],
  },
  figure: {
    typical: [JSON.stringify({ of: OF_UNIT })],
    worst: [
      JSON.stringify({ of: OF_COUNTRY, op: 'ratio', to: figureOf(['unit']), by: BY_WARD, order: 'lowest', n: 10 }),
    ],
  },
  frames_at: { typical: [[5.005], [6.005]], worst: corners },
  frames_by_id: { typical: [near(1)], worst: [apart(100)] },
  rows_enriched: {
    typical: [[5.005], [6.005], [], [], [], [], ['lyr_1'], ['attribute_1'], [null]],
    worst: [...corners, [], [], [], [], ...COLUMNS_OF_TABLE],
  },
  frames_listed: { typical: [near(1)], worst: [apart(100)] },
  frame_boxes: { typical: [near(1)], worst: [apart(100)] },
  frames_in_box: { typical: [5.001, 6.001, 5.019, 6.019, 5000], worst: [3, 4, 8.2, 9, 5000] },
  frames_in_area_page: {
    typical: [['box', '5.001', '6.001', '5.019', '6.019'], '-1', 5000],
    worst: [['shape', star(10_000)], '-1', 5000],
  },
  shape_read: { typical: ['POLYGON((5 6,5.2 6,5 6.2,5 6))'], worst: [star(10_000)] },
  frames_in_state: { typical: [state, '-1', 100], worst: [state, '-1', 5000] },
  frames_in_lga: { typical: [state, lga, '-1', 100], worst: [state, lga, '-1', 5000] },
  frames_in_ward: { typical: [state, lga, 'Ward 7', '-1', 100], worst: [state, lga, 'Ward 7', '342000000', 5000] },
  index_generation: same([]),
  states: same([]),
  lgas: same([]),
  lgas_of_state: same([state]),
  wards_of_state: same([state]),
  wards_of_lga: same([state, lga]),
  admin_tree: same([]),
  admin_tree_of_state: same([state]),
  admin_tree_of_lga: same([state, lga]),
  key_authority: { typical: [hashes(1)], worst: [hashes(500)] },
  datasets_in_reach: { typical: ['org_000000000900', ['lyr_1', 'lyr_7']], worst: ['org_000000000001', null] },
  datasets_served: { typical: [baselines], worst: [layersTo(100)] },
  datasets_contributing: {
    typical: [near(1), [...baselines, ...features]],
    worst: [apart(100), [...baselines, ...features]],
  },
  account_balance: same(['org_000000000001']),
  prices_of_key: same(['org_000000000001', 'key_000000000001', [2, 3]]),
  key_described: same(['key_000000000001']),
  file_sales: same(['org_000000000001', ['lyr_population', 'lyr_schools'], ['now', 'now']]),
  walk_is_paid: same(['org_000000000001', 'key_000000000001', 'walk']),
  intervals_of_frames: { typical: [near(1), baselines], worst: [apart(100), baselines] },
  records_of_baselines: { typical: [near(1), baselines], worst: [apart(100), baselines] },
  records_of_features: { typical: [near(1), features, 200], worst: [apart(100), features, 200] },
  figures_of_frames: { typical: [near(1)], worst: [apart(50)] },
  figures_of_baselines: { typical: [near(1), baselines], worst: [apart(50), baselines] },
  figures_of_features: { typical: [near(1), features], worst: [apart(50), features] },
  features_page: { typical: [features[0], 0, 3], worst: [features[0], 0, 5000] },
  files_of_datasets: { typical: [features], worst: [features] },
  features_per_frame: { typical: [near(1), features], worst: [apart(50), features] },
  catalogue_of_datasets: { typical: [[...baselines, ...features]], worst: [layersTo(100)] },
  words_of_question: { typical: [['how', 'many', 'things']], worst: [range(400).map((i) => `thing${i}`)] },
  unit_names: same([]),
  attributes_of_datasets: { typical: [baselines.slice(0, 1)], worst: [layersTo(100)] },
  profile_by_unit: {
    typical: [['unit', state, lga], 'ward', 'lyr_1', 'attribute_1'],
    worst: [['unit'], 'ward', 'lyr_1', 'attribute_1'],
  },
  profile: {
    typical: [
      ['box', '5.001', '6.001', '5.419', '6.419'],
      ['lyr_1', 'lyr_7'],
    ],
    worst: [
      ['shape', star(10_000)],
      ['lyr_1', 'lyr_7'],
    ],
  },
  'catalogue/datasets_described': {
    typical: [baselines.slice(0, 1), 'org_000000000900'],
    worst: [layersTo(100), 'org_000000000001'],
  },
  'catalogue/columns_of_datasets': { typical: [[...baselines, ...features]], worst: [layersTo(100)] },
  'catalogue/figures_of_dataset': same(['lyr_1']),
  'catalogue/classes_of_dataset': { typical: ['lyr_1', 12], worst: ['lyr_8', 12] },
  'catalogue/frame_with_record': { typical: ['lyr_1'], worst: ['lyr_8'] },
  'ogc/items_of_frames': {
    typical: [near5, NO_FILTER, 84, '-1', 101, 100],
    worst: [WHOLE, FILTER, 3857, '-1', 20_000, 5000],
  },
  'ogc/items_of_baseline': {
    typical: ['lyr_1', near5, NO_FILTER, 84, '-1', 101, 100],
    worst: ['lyr_1', WHOLE, RECORDED_FILTER, 3857, '-1', 20_000, 5000],
  },
  'ogc/items_of_features': {
    typical: ['lyr_7', near5, NO_FILTER, 84, 0, 101, 100],
    worst: ['lyr_8', WHOLE, NO_FILTER, 3857, 0, 20_000, 5000],
  },
  'ogc/items_of_units': {
    typical: ['lga', near5, NO_FILTER, 84, '-1', 2000, 100],
    worst: ['ward', WHOLE, NO_FILTER, 84, '-1', 20_000, 5000],
  },
  'ogc/feature_place': { typical: ['lyr_7', '12'], worst: ['lyr_8', 'crowd'] },
  'ogc/extent': same([]),
  'ogc/number_of_frames': same([]),
  'ogc/number_in_dataset': { typical: ['lyr_1'], worst: ['lyr_8'] },
  'ogc/shape_fault': { typical: ['POLYGON((0 0,1 1,1 0,0 1,0 0))', 84], worst: [star(10_000), 84] },
  'ogc/queryables': { typical: ['lyr_7'], worst: ['lyr_1'] },
  'map/extent_of_index': same([]),
  'map/outline_of_index': same([]),
  'map/unit_facts': { typical: [state, lga, null], worst: [state, lga, 'Ward 7'] },
  'map/neighbours_of_unit': { typical: [state, lga, null], worst: [state, null, null] },
  'map/outlines_of_units': {
    typical: [['STATE 07'], ['STATE 07 LGA 7'], [null]],
    worst: [
      range(50).map((i) => `STATE ${String(i % 36).padStart(2, '0')}`),
      range(50).map((i) => (i < 36 ? null : `STATE ${String(i % 36).padStart(2, '0')} LGA 7`)),
      range(50).map((i) => (i < 43 ? null : 'WARD 7')),
    ],
  },
  'map/units_named': { typical: ['stat 07 lga 7', 12], worst: ['ward', 12] },
  'map/frames_of_box': { typical: [5.001, 6.001, 5.019, 6.019, 2001], worst: [3, 4, 8.2, 9, 2001] },
  // A state's name is not folded here: the panel has it from the index.
  'map/frame_among': same([near(1)[0], state.toUpperCase(), lga.toUpperCase(), 'lyr_1', 'attribute_1', 20_000]),
  'map/classes_counted': { typical: [baselines.slice(0, 1)], worst: [layersTo(100)] },
  'map/densities_of_attribute': { typical: ['lyr_1', 'attribute_1'], worst: ['lyr_7', 'features'] },
  'map/feature_described': { typical: ['lyr_7', 1, '1', 21], worst: ['lyr_9', 7, '7', 21] },
  units_of_names: same([['state 07', 'ward 7'], [state]]),
  'map/legend_of_attribute': same(['lyr_1', 'attribute_1']),
  'map/spread_of_change': same(['lyr_1', 'attribute_1', 'lyr_2', 'attribute_1']),
  ledger_faults: same([]),
  ...tileCases,
}
