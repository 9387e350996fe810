/** Sentences about given figures, which the check of numbers must pass or refuse. A bar separates them. */
import { defined } from '../../src/core/defined.js'
import type { StatedFacet } from '../../src/core/insight/verify/stated.js'
import type { Test } from '../../src/core/figures/typed.js'
import type { AnswerFacts } from '../../src/core/insight/verify/verify.js'

const facet = (label: string, value: string, source?: StatedFacet['source']) => ({
  label,
  value,
  ...defined({ source }),
})
const onFrames = (test: Test) => ({ statistic: 'sum', where: [{ layerId: 'lyr_a', attribute: 'a', ...test }] })

export const sets: Record<'place' | 'names' | 'coast' | 'two' | 'limits', AnswerFacts> = {
  place: {
    headlineFigures: 'Population, 2026 estimate, total: 20,269 people (9 frames asked).',
    facets: [
      facet('Population, 2026 estimate, total', '20,269 people'),
      facet('Population, 2025 estimate, total', '19,800 people'),
      facet('Population, 2026 estimate, highest', '10,782 people in frame 322074005'),
      facet('Buildings, total', '1,234 buildings'),
      facet('Building density, average by area', '426.05 buildings per km²'),
      facet('Mean elevation, average by area', '12.5 m'),
      facet('Mean slope, average by area', '0.29 degrees'),
      facet('Land cover, most common', 'Cropland (7 of 9 frames, 77.8 %)'),
      facet('Rural or urban, share of the most common', '45 %'),
      facet('Schools', '13'),
      facet('Clinics', '0'),
      facet('Area', '11.05 km²'),
      facet('Time to market', '15 minutes'),
      facet('Export value', '1,500,000'),
    ],
    frames: 9,
    frameIds: ['322074005', '322074006'],
  },
  names: {
    headlineFigures: 'Ward, most common: GRA 2 (3 of 4 frames, 75 %) (4 frames asked).',
    facets: [
      facet('Ward, most common', 'GRA 2 (3 of 4 frames, 75 %)'),
      facet('Market', 'Gate 7'),
      facet('Street', 'Twenty-First Street'),
      facet('Schools', '11'),
      facet('Main roads', '1'),
      facet('Schools, pupils, highest of a school', '515 pupils at Kofa Road College 50'),
    ],
    frames: 4,
    frameIds: [],
  },
  coast: {
    headlineFigures: 'Mean elevation, lowest: -2.4 m in frame 320000001 (5 frames asked).',
    facets: [
      facet('Mean elevation, lowest', '-2.4 m in frame 320000001'),
      facet('Mean elevation, highest', '1,045.2 m in frame 320000002'),
      facet('Change of the shore', '-18 %'),
      facet('Rainfall', '2,150 mm'),
      facet('Fishing grounds', '6.5 ha'),
      facet('Distance to the harbour', '14 km'),
    ],
    frames: 5,
    frameIds: ['320000001', '320000002'],
  },
  limits: {
    headlineFigures:
      'Population, change from 2025 estimate to 2026 estimate: an increase of 3,880 people, 2.3 % (from 168,290 people to 172,170 people) (30 frames asked).',
    facets: [
      facet(
        'Population, change from 2025 estimate to 2026 estimate',
        'an increase of 3,880 people, 2.3 % (from 168,290 people to 172,170 people)',
        { statistic: 'change' },
      ),
      facet(
        'Buildings, change from 2020 to 2024',
        'a decrease of 51 buildings, 0.6 % (from 8,551 buildings to 8,500 buildings)',
        { statistic: 'change' },
      ),
      facet(
        'Population, 2026 estimate, total, on frames where Straight-line distance to Clinics is at most 2 km',
        '8,120 people',
        onFrames({ test: 'bounds', atMost: '2' }),
      ),
      facet(
        'Population, 2026 estimate, total, on frames where Mean elevation is above 300 m',
        '4,417 people',
        onFrames({ test: 'bounds', above: '300' }),
      ),
      facet(
        'Population, 2026 estimate, total, by ward, wards above 100,000 people',
        '3 of 60 wards: GRA II; KOFA; XAVIER',
        { statistic: 'figure', figure: { of: { place: [] }, by: { level: 'ward' }, having: { above: '100000' } } },
      ),
      facet(
        'Schools, on frames where Straight-line distance to Schools is at least 4 km and at most 7 km',
        '11',
        onFrames({ test: 'bounds', atLeast: '4', atMost: '7' }),
      ),
    ],
    frames: 30,
    frameIds: [],
  },
  two: {
    headlineFigures: 'Population, 2026 estimate, frame 700: 250 people (2 frames asked).',
    facets: [
      facet('Population, 2026 estimate, frame 700', '250 people'),
      facet('Population, 2026 estimate, frame 701', '1,100 people'),
      facet('Population, 2026 estimate, 95 % interval', 'between 1,180 and 1,520 people', { statistic: 'interval' }),
      facet('Buildings, frame 700', '61 buildings'),
      facet('Buildings, frame 701', '244 buildings'),
    ],
    frames: 2,
    frameIds: ['700', '701'],
  },
}

type Rows = readonly [rule: string, set: keyof typeof sets, sentences: string][]

export const faithful: Rows = [
  [
    'a number inside a figure or its label',
    'limits',
    `The population grew by 3,880 people. | It grew by 3,880 people, or 2.3 %. | The increase is 3,880 people. | It rose by 2.3 percent.
    | The population went up from 168,290 to 172,170 people. | From 2025 to 2026, the population grew by 3,880 people.
    | The number of buildings fell by 51. | Buildings: a decrease of 51, 0.6 %.
    | 8,120 people live within 2 km of a clinic. | 8,120 people live at most two kilometres from a clinic.
    | In 2026, 8,120 people lived no more than 2 km from a clinic. | In 2026 there were 172,170 people.
    | 4,417 people live above 300 m. | 4,417 people live at more than 300 metres. | Three wards have more than 100,000 people.
    | Three of 60 wards have over 100,000 people: GRA II, Kofa and Xavier. | GRA II has more than 100,000 people.
    | Eleven schools lie between 4 and 7 km from another. | Eleven schools lie at least 4 km and at most 7 km from another.`,
  ],
  [
    'the bounds of an interval',
    'two',
    `With a probability of 95 %, there are between 1,180 and 1,520 people. | 1,180 to 1,520 people (95 %).
    | At least 1,180 people live here. | The 95 % interval is 1,180 to 1,520 people.`,
  ],
  [
    'a figure in digits',
    'place',
    `About 20,269 people live here. | 20269 people live here. | There are 1,234 buildings. | 20,269 | Total: 20,269.
    | The population is large, (20,269 people), and young. | It has 13 schools but 0 clinics. | It has 20,269 villagers.
    | Between 19,800 and 20,269 people live here. | The mean elevation is 12.50 m.`,
  ],
  [
    'a figure in words',
    'place',
    `One thousand two hundred and thirty-four buildings stand here. | One thousand two hundred thirty four buildings
    | Thirteen schools, and no clinic. | There are zero clinics. | It has nil clinics.
    | The share is forty-five percent. | Cropland covers seven of nine frames, 77.8 percent.`,
  ],
  [
    'another way to write a share, a unit or a scale',
    'place',
    `Cropland covers 7 of 9 frames, 77.8 %. | Cropland covers 77.8 per cent. | Cropland covers 77.8% of them.
    | The mean elevation is 12.5 metres. | The mean elevation is 12.5. | The slope averages 0.29 degrees. | It is 0.29°.
    | An area of 11.05 km2 was asked about. | An area of 11.05 square kilometres. | 426.05 buildings per km².
    | It is a 15-minute walk. | It is a fifteen-minute walk. | It takes 15 min. | Exports are worth 1.5 million.
    | Exports are worth 15 lakh. | Exports are worth 15,00,000. | Exports are worth 1\u00a0500\u00a0000.`,
  ],
  [
    'frames, their count and their ids, and the years of labels',
    'place',
    `Frame 322074005 has the most, 10,782 people. | All nine frames are alike. | All 9 frames were asked.
    | The 2026 estimate is 20,269 people. | Population, 2026 estimate: 20,269; Population, 2025 estimate: 19,800.`,
  ],
  [
    'a word that looks like a number',
    'place',
    `No one place stands out. | This one is mostly cropland. | Every one of the frames is lived in.
    | I did mix civil words of the DIY kind, a.m. and p.m., in cm and mm. | Most of SABON GARI X is cropland.`,
  ],
  [
    'a name with a number in it',
    'names',
    `Most of it is GRA 2. | Most of it is gra 2, by 3 of 4 frames. | Shoppers go to Gate 7. | It lies on Twenty-First Street.
    | There is 1 main road. | There is one main road. | Eleven schools serve GRA 2. | GRA 2, with three of four frames, leads. | Kofa Road College 50 has 515 pupils.`,
  ],
  [
    'a sign, and a range of figures',
    'coast',
    `The lowest frame lies at -2.4 m. | It lies at minus 2.4 metres. | It lies at −2.4 m. | The shore changed by -18 %.
    | It changed by minus eighteen percent. | Heights run from -2.4 to 1,045.2 metres. | Rain amounts to 2150 millimetres.
    | The grounds measure 6.5 hectares. | The harbour is fourteen kilometres away. | The land lies at 1045.2 m.`,
  ],
  [
    'figures side by side',
    'two',
    `Frame 700 has 250 people, frame 701 has 1,100 people. | The two frames differ: 250 people against 1,100.
    | Both numbers, 61 and 244, are of buildings. | One thousand one hundred people live in frame 701.
    | Eleven hundred people live in frame 701.`,
  ],
]

export const unfaithful: Rows = [
  [
    'a limit, a change or a year that is another, or stands on something else',
    'limits',
    `8,120 people live more than 2 km from a clinic. | 8,120 people live within 3 km of a clinic. | There are 2 clinics.
    | 8,120 people live within 2 miles of a clinic. | 8,120 people live 2 km from a clinic. | It has 300 m of road.
    | The population grew by 3,881 people. | The population fell by 3,880 people. | There are 3,880 people. | It grew by 2.4 %.
    | The number of buildings rose by 51. | There are 51 buildings. | Three wards have less than 100,000 people.
    | 100,000 people live here. | Three wards have more than 100,000 schools. | In 2027, it was so. | In 2021, it was so.
    | It has 2026 people. | It has 2026 villagers. | In 2026 villages there is a school. | In 2,026 it was so. | It has 2025.
    | Eleven schools lie within 4 km of another. | Eleven schools lie over 7 km apart. | 4,417 people live below 300 m.`,
  ],
  [
    'ordinals and Roman numerals, all alike',
    'names',
    `It ranks second. | It ranks third. | It is the 2nd ward. | It is the 3rd ward. | The second ward is GRA 2. | Phase II is done.
    | Phase III is done. | Ward IV leads. | Part XII of the list. | A second school stands here.`,
  ],
  [
    'another interval, and its level for a number',
    'two',
    `With a probability of 90 %, there are between 1,180 and 1,520 people. | Between 1,180 and 1,530 people live here.
    | 95 people live here. | Between 1,180 and 1,520 buildings stand here.`,
  ],
  [
    'another number',
    'place',
    `About 20,000 people live here. | Some 20,270 people live here. | 202,690 people live here. | There are 14 schools.
    | There are 469 people more. | It has 33,269 people in all. | There are 16 people to a building. | It grew by 3 %.
    | It has 20,269,000 people. | It has 2,026 people. | The mean elevation is 125 m. | The mean elevation is 1.25 m.
    | The mean elevation is 13 m. | Between 10 and 13 schools stand here. | 10-13 schools stand here. | It has 20269.5 people.`,
  ],
  [
    'another number in words',
    'place',
    `About twenty thousand people live here. | There are fourteen schools. | It has thirty schools. | Two main roads.
    | There are fourteen hundred buildings. | Ten to thirteen schools stand here. | It has a hundred schools.
    | Only one clinic. | It has thirteen-odd schools and fourteen clinics. | Its slope is point two nine. | One school stands here.`,
  ],
  [
    'groups and points that no number has',
    'place',
    `There are 12,34 buildings. | There are 1,2345 buildings. | There are 01234 buildings. | There are 1.234 buildings.
    | There are 12,5 m. | There are 1 234 buildings. | Exports are worth 1,5,00,000. | It has 20269.0.1 people.
    | It has 1_234 buildings. | It has 1'234 buildings. | It has 1.234,00 buildings. | It has 0x4D2 buildings.
    | There are 1e3 buildings. | There are 1.234e3 buildings. | There are 10^5 people. | 13x more schools. | R13 is the road.
    | It has 20,269+ people. | It has #13 schools. | 12.7k people live here. | About $20,269 was spent.`,
  ],
  [
    'a share, a unit or a scale of another figure',
    'place',
    `The share is 45. | There are 13 percent. | There are 1,234% buildings. | It has 77.8‰ cropland. | It has 0‰ of clinics.
    | The mean elevation is 12.5 km. | The mean elevation is 12.5feet. | The mean elevation is 12.5 %. | It covers 11.05 km.
    | It covers 1,105 hectares. | It lies at 12.5 degrees. | The market is fifteen hours away. | 20.3 thousand people.
    | Exports are worth 1.5 billion. | Exports are worth 1.5 lakh. | It has 20,269 households. | It has 1,234 schools.
    | Twenty thousand two hundred and sixty-nine women live here. | It has nine schools. | 9 % of it is cropland.
    | The market is 9 km away. | It covers nine km².`,
  ],
  [
    'fractions, ratios, ordinals and amounts',
    'place',
    `Half of the frames are cropland. | A third of the people live in one frame. | Three quarters of it is cropland.
    | 3/4 of it is cropland. | ½ of it is cropland. | It has 13½ schools. | It has 7:2 frames of cropland. | Six in ten frames.
    | Twice as many people live here. | The number doubled. | Twofold more. | It has quadruple the people. | A single clinic.
    | A dozen schools stand here. | Dozens of schools. | A couple of schools. | A duo of clinics. | A score of schools.
    | Hundreds of people live here. | Several people live here. | There is a pair of clinics. | It grew over a decade.
    | It is the first of its kind. | It is the 3rd largest. | It is the third largest.`,
  ],
  [
    'numbers of other scripts and shapes',
    'place',
    `There are ١٣ schools. | There are १३ schools. | There are １３ schools. | There are 1\u200b3 schools.
    | There are \u200b13 schools. | There are 1\u00ad3 schools. | There are ⅩⅢ schools. | There are ⑬ schools. | 13³ schools.
    | There are \u202e31 schools. | There are 1\u03013 schools.`,
  ],
  [
    'ids, years and dates where they say something else',
    'place',
    `Frame 32207400 has the most. | Frame 3220740055 has the most. | Frame 322074009 is high. | 322,074,005 people live here.
    | It has 322074005 people. | In 2024 there were 20,269 people. | Since 1960 it has grown. | On 12 March 2026 it was so.
    | Frames 322074005-322074029 are high.`,
  ],
  [
    'the number of a name',
    'names',
    `2 schools stand here. | 7 schools stand here. | Most of it is GRA 5. | Most of it is GRA 22. | Most of it is GRA 2.5.
    | There are twenty-first schools. | Kofa Road College 51 has 515 pupils. | Kofa School 50 has 515 pupils. | There are 50 of them.`,
  ],
  [
    'a sign before a name, and a number behind letters that grow in lower case',
    'names',
    `Most of it is -GRA 2. | It lies on −Twenty-First Street. | İİİİ GRA 2 999 pupils learn here.`,
  ],
  [
    'a sign lost, added or moved',
    'coast',
    `The lowest frame lies at 2.4 m. | It lies at two metres below the sea. | The highest lies at -1,045.2 m.
    | The shore changed by 18 %. | The shore changed by -18. | Rain amounts to -2,150 mm. | The harbour is minus fourteen km away.
    | The harbour is 14 miles away. | Rain amounts to 2.15 m. | The grounds measure 65,000 m².`,
  ],
  [
    'what two figures would give together',
    'two',
    `Together they have 1,350 people. | On average they have 675 people. | Frame 701 has 4.4 times the people.
    | Frame 701 has 850 people more. | Two-thirds live in frame 701. | 250% more people live there. | Frame 70 has more.`,
  ],
]

export const split = (sentences: string): string[] => sentences.split(/[ \n]*\|[ \n]*/)
