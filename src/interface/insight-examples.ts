/** Answers to questions as they came, from a key that is narrowed to one dataset; a test asks again and compares. */

const index = { layerId: 'frames', dataset: 'Frame index' }
const population = {
  layerId: 'lyr_population',
  dataset: 'Population',
  vintage: '2026',
  method: 'modelled estimate',
}

/** Facets and their sources, of so many frames. */
function figures(frames: number, rows: [label: string, value: string, of: object, attribute: string, how: string][]) {
  return {
    facets: rows.map(([label, value]) => ({ label, value })),
    sources: rows.map(([label, _value, of, attribute, statistic]) => ({ label, ...of, attribute, statistic, frames })),
  }
}

const frameId = { key: 'frameId', label: 'Frame' }
const estimate = (year: number) => `Population, ${year} estimate`
const column = (year: number) => ({
  key: `lyr_population.pop_demest${year - 2000}`,
  label: estimate(year),
  unit: 'people',
})
const units: [string, string, object, string, string][] = [
  ['State', 'CÔTE ÉVORA', index, 'state', 'value'],
  ['LGA', 'MERIDIAN BAY', index, 'lga', 'value'],
  ['Ward', 'WEST QUAY', index, 'ward', 'value'],
]
const always = { intent: 'frames', confidence: 'exact', register: 'plain', charged: [], leftOut: [] }

export const worded = {
  ...always,
  headline: 'Population, 2026 estimate, total: 20,269 people (2 frames asked).',
  narrative:
    'On these frames live 20,269 people. The fuller frame has 10,782 people in frame 322074005, the other 9,487 people in frame 322074006.',
  ...figures(2, [
    [`${estimate(2026)}, total`, '20,269 people', population, 'pop_demest26', 'sum'],
    [`${estimate(2026)}, highest`, '10,782 people in frame 322074005', population, 'pop_demest26', 'max'],
    [`${estimate(2026)}, lowest`, '9,487 people in frame 322074006', population, 'pop_demest26', 'min'],
    [`${estimate(2026)}, average`, '10,134.5 people', population, 'pop_demest26', 'mean'],
    ['Frames', '2 frames', index, 'frame_id', 'count'],
    ['Area', '2.46 km²', index, 'geom', 'sum'],
    ...units,
  ]),
  followUps: ['Which of these frames has the most: Population, 2025 estimate?'],
  engine: 'claude',
  model: 'claude-sonnet-5-5',
  frameIds: ['322074005', '322074006'],
  table: {
    columns: [frameId, column(2026)],
    rows: [
      { frameId: '322074005', 'lyr_population.pop_demest26': '10782' },
      { frameId: '322074006', 'lyr_population.pop_demest26': '9487' },
    ],
  },
}

export const unworded = {
  ...always,
  headline: 'Profile of 1 frame.',
  ...figures(1, [
    ['Frames', '1 frame', index, 'frame_id', 'count'],
    ['Area', '1.23 km²', index, 'geom', 'sum'],
    ...units,
    [`${estimate(2025)}, total`, '10,560 people', population, 'pop_demest25', 'sum'],
    [`${estimate(2026)}, total`, '10,782 people', population, 'pop_demest26', 'sum'],
  ]),
  followUps: ['What is the total of Population, 2025 estimate?', 'What is the total of Population, 2026 estimate?'],
  engine: 'deterministic',
  frameIds: ['322074005'],
  table: {
    columns: [frameId, column(2025), column(2026)],
    rows: [{ frameId: '322074005', 'lyr_population.pop_demest25': '10560', 'lyr_population.pop_demest26': '10782' }],
  },
  notice: 'The figures come without words: wording is not configured here.',
}
