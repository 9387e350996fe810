/** Sentences that a person might write about one answer, and the same with something false in them. A bar separates them. */
import type { AnswerFacts } from '../../src/core/insight/verify/verify.js'

const where = (layerId: string, attribute: string, test: object) => [{ layerId, attribute, ...test }] as never

const PEOPLE = { place: [], subject: { of: 'lyr_population', name: 'pop_demest26' }, how: 'sum' as const }

/** What an answer about a state might hold. */
export const official: AnswerFacts = {
  headlineFigures:
    'The total population of Marembe rises from 693,912 people (2025 estimate) to 711,140 people (2026 estimate): an increase of 17,228 people, 2.5 %. The frames of Marembe within 2 km of a clinic have 288,455 people (2026 estimate) in total.',
  frames: 6474,
  frameIds: [],
  facets: [
    { label: 'Population, 2026 estimate, total', value: '711,140 people', source: { statistic: 'sum', frames: 6474 } },
    {
      label: 'Population, 2026 estimate, 95 % interval',
      value: 'between 675,000 and 736,000 people',
      source: { statistic: 'interval', frames: 6474 },
    },
    {
      label: 'Population, change from 2025 estimate to 2026 estimate',
      value: 'an increase of 17,228 people, 2.5 % (from 693,912 people to 711,140 people)',
      source: { statistic: 'change', frames: 6474 },
    },
    {
      label: 'Population, 2026 estimate, total, on frames where Straight-line distance to Clinics is at most 2 km',
      value: '288,455 people',
      source: {
        statistic: 'sum',
        frames: 190,
        where: where('lyr_clinics_distance', 'clinics_km', { test: 'bounds', atMost: '2' }),
      },
    },
    {
      label: 'Population, 2026 estimate, total, by ward, wards above 100,000 people',
      value: '1 of 28 wards: Kofa (North); 1 of 28 wards records nothing',
      source: {
        statistic: 'figure',
        frames: 6474,
        figure: { of: PEOPLE, by: { level: 'ward' }, having: { above: '100000' } },
      },
    },
    {
      label: 'Population, 2026 estimate, total, by LGA, 3 highest',
      value: 'Marembe North (317,383 people), Kirin Gate (162,584 people), Central (109,771 people)',
      source: {
        statistic: 'figure',
        frames: 6474,
        figure: { of: PEOPLE, by: { level: 'lga' }, order: 'highest', n: 3 },
      },
    },
    { label: 'Schools', value: '120', source: { statistic: 'count', frames: 6474 } },
    { label: 'Clinics', value: '29', source: { statistic: 'count', frames: 6474 } },
    {
      label: 'Schools where pupils is above 300 pupils',
      value: '31 schools',
      source: {
        statistic: 'figure',
        frames: 6474,
        figure: { of: { things: 'lyr_schools', where: { name: 'pupils', above: '300' }, how: 'count' } } as never,
      },
    },
    {
      label: 'Schools where pupils is at least 400 pupils',
      value: '9 schools',
      source: {
        statistic: 'figure',
        frames: 6474,
        figure: { of: { things: 'lyr_schools', where: { name: 'pupils', atLeast: '400' }, how: 'count' } } as never,
      },
    },
    {
      label: 'Clinics within 1.5 km of Schools',
      value: '17 clinics',
      source: {
        statistic: 'figure',
        frames: 6474,
        figure: { of: { things: 'lyr_clinics', where: { near: 'lyr_schools', metres: 1500 }, how: 'count' } } as never,
      },
    },
    {
      label: 'Schools, per 10,000 people',
      value: '1.69 schools per 10,000 people (120 schools, 711,140 people)',
      source: { statistic: 'per', frames: 6474 },
    },
    {
      label: 'Land cover, most common',
      value: 'Forest (2,221 of 6,453 frames, 34.4 %)',
      source: { statistic: 'mode', frames: 6453 },
    },
    {
      label: 'Mean elevation, average by area',
      value: '179.43 m',
      source: { statistic: 'weighted_mean', frames: 6453 },
    },
    { label: 'Area', value: '7,844.57 km²', source: { statistic: 'sum', frames: 6474 } },
    {
      label: 'Time to the nearest market, weighted average',
      value: '19.34 minutes',
      source: { statistic: 'weighted_mean', frames: 4104 },
    },
    {
      label: 'Schools, founded, earliest',
      value: '1908 at Henry VIII College',
      source: { statistic: 'min', frames: 6474 },
    },
  ],
}

export const faithfulOfficial = `
In 2026, 711,140 people lived in Marembe.
| Marembe has 711,140 people (2026).
| The population of the state grew by 17,228 people, or 2.5 percent, from 2025 to 2026.
| It rose from 693,912 to 711,140.
| The state has gained 17,228 people since 2025.
| Between 675,000 and 736,000 people live here, with a probability of 95 percent.
| The 95 % interval runs from 675,000 to 736,000 people.
| At least 675,000 people live in the state.
| At most 736,000 people live in the state.
| 288,455 people live within 2 km of a clinic.
| Some 288,455 people live no more than two kilometres from a clinic.
| 288,455 people have a clinic at a distance of at most 2 km.
| One ward has more than 100,000 people.
| Of the 28 wards, only one has over 100,000 people: Kofa (North).
| Only Kofa (North) exceeds 100,000 people.
| Marembe North has the most people, 317,383.
| Kirin Gate ranks second, with 162,584 people.
| Central is third, with 109,771 people.
| The first three LGAs are Marembe North, Kirin Gate and Central.
| The three largest LGAs are Marembe North, Kirin Gate and Central.
| There are 120 schools and 29 clinics.
| One hundred and twenty schools serve the state.
| Thirty-one schools have more than 300 pupils.
| 31 of 120 schools have over three hundred pupils.
| Nine schools have 400 pupils or more.
| 17 clinics lie within 1.5 km of a school.
| 17 of 29 clinics lie within 1,500 m of a school.
| Seventeen clinics are less than 1.5 kilometres from a school.
| There are 1.69 schools per 10,000 people.
| There are 1.69 schools for every 10,000 people.
| For each ten thousand people there are 1.69 schools.
| Forest covers 34.4 % of the frames that record a land cover.
| Forest is the land cover of 2,221 of 6,453 frames.
| The land lies at 179.43 m on average.
| Marembe covers 7,844.57 square kilometres.
| It takes 19.34 minutes to the nearest market.
| The market is 19.34 min away on average, recorded on 4,104 of 6,474 frames.
| The oldest school, Henry VIII College, was founded in 1908.
| All 6,474 frames were asked.
| The land cover is recorded on 6,453 of 6,474 frames.
| The 2026 estimate is 711,140, the 2025 estimate 693,912.
| By 2026 the state had 711,140 people, 17,228 more than in 2025.
`

export const falseOfficial = `
In 2027, 711,140 people lived in Marembe.
| Marembe has 711,140 people (2027).
| In 2026, 711,410 people lived in Marembe.
| The population of the state fell by 17,228 people.
| The population grew by 2.6 percent.
| The population grew by 25 percent.
| It rose from 693,912 to 711,141.
| Over 800,000 people live in the state.
| With a probability of 90 percent, between 675,000 and 736,000 people live here.
| Between 670,000 and 736,000 people live here.
| 288,455 people live within 3 km of a clinic.
| 288,455 people live more than 2 km from a clinic.
| 288,455 people live within 2 miles of a clinic.
| Nine schools have 400 pupils or fewer.
| 2 people live near a clinic.
| Two wards have more than 100,000 people.
| One ward has fewer than 100,000 people.
| One ward has more than 10,000 people.
| 100,000 people live in Kofa (North).
| Kirin Gate ranks fourth, with 162,584 people.
| Central ranks 7th.
| The five largest LGAs have most of the people.
| The state has 11 LGAs.
| There are 120 clinics.
| There are 29 schools and 120 clinics.
| Thirty-two schools have more than 300 pupils.
| 300 schools have pupils.
| There are 300 pupils in the state.
| 31 schools have fewer than 300 pupils.
| 17 clinics lie within 15 km of a school.
| 1,500 schools lie near a clinic.
| There are 1.69 schools per 1,000 people.
| There are 16.9 schools per 10,000 people.
| 10,000 people live near a school.
| Forest covers 34.4 km².
| Forest covers 43.4 % of the frames.
| The land lies at 179.43 km on average.
| It takes 19 hours to the nearest market.
| The market is 19.34 km away.
| The oldest school, Henry IX College, was founded in 1908.
| There are 1908 schools.
| Half of the people live in Marembe North.
`
