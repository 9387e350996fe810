/** Questions with words that no ask has, or that an ask must have. askText of describe-reading.ts writes the readings. */
export const missedWords: readonly [rule: string, readings: readonly [question: string, reading: string][]][] = [
  [
    'Numbers and frame ids that no ask has are not answered',
    [
      ['population of frame 325098003', 'pop_demest26 usual; unanswered: frame 325098003'],
      ['population of 325062002 and 325062003', 'pop_demest26 usual; unanswered: 325062002, 325062003'],
      ['top 5 frames by buildings per person', 'bld_ct per pop_demest26; unanswered: 5'],
      ['2nd biggest ethnic group', 'cul_ethnfrm usual; unanswered: 2nd'],
      ['which language is least spoken', 'cul_langfrm usual; unanswered: least'],
    ],
  ],
  [
    'What a question denies or excludes changes the ask, or is not answered',
    [
      ['how many frames are not above 100 m', 'phy_elevmean frames [phy_elevmean atMost 100]'],
      ['schools not in urban areas', 'lyr_schools usual [cul_rururb not_class Urban]'],
      ["people that don't have a school", 'pop_demest26 usual [lyr_schools none]'],
      ['schools and people without a road', 'lyr_schools usual [lyr_roads none]; pop_demest26 usual [lyr_roads none]'],
      ['households without access to a market within 9 minutes', 'mkt_households usual [mkt_access above 9]'],
      ['mostly forest except urban', 'phy_landcov usual [cul_rururb not_class Urban]'],
      ['schools without pupils', 'lyr_schools.pupils usual; unanswered: without pupils'],
      ['population other than rural', 'pop_demest26 usual [cul_rururb not_class Rural]'],
      ['median population, excluding empty frames', 'pop_demest26 median [pop_demest26 any]'],
      ['population excluding the 3 largest frames', 'pop_demest26 usual; unanswered: excluding 3 largest frames'],
      ['most common language excluding Marem', 'cul_langfrm usual [cul_langfrm not_class Marem]'],
      [
        'population excluding forest and cropland',
        'pop_demest26 usual [phy_landcov not_class Forest] [phy_landcov not_class Cropland]',
      ],
      ["how many people don't live in a village", 'pop_demest26 usual [urb_class not_class Village]'],
      ['population except Marembe North', 'pop_demest26 usual [not in Marembe North]'],
    ],
  ],
  [
    'Bounds have their unit and their thing',
    [
      ['average slope of frames above 850m', 'phy_slopemean usual [phy_elevmean above 850]'],
      [
        'how many people live within 2 km of a school',
        'pop_demest26 usual; lyr_schools usual; unanswered: within 2 km of',
      ],
      ['population between 2025 and 2026', 'pop_demest25 usual; pop_demest26 usual'],
      ['households with more than 5 people', 'mkt_households usual; pop_demest26 usual; unanswered: more than 5'],
      ['clinics with at least 30 beds', 'lyr_clinics.beds usual; unanswered: at least 30'],
      ['how many people live in frames with 3 or more schools', 'pop_demest26 usual [lyr_schools atLeast 3]'],
      ['people per school in frames with 3 or more schools', 'pop_demest26 per lyr_schools [lyr_schools atLeast 3]'],
      ['frames at 100 m or lower', 'phy_elevmean frames [phy_elevmean atMost 100]'],
      ['building density above 40', 'bld_dens frames [bld_dens above 40]'],
      ['lowest number of shops above 180', 'mkt_shops min [mkt_shops above 180]'],
    ],
  ],
  [
    'Alternatives, parts, differences and averages that no ask has are not answered',
    [
      [
        'frames with either a school or a road',
        'lyr_schools frames [lyr_schools any] [lyr_roads any]; unanswered: or road',
      ],
      [
        'population of cropland and forest frames',
        'pop_demest26 usual [phy_landcov class Cropland]; pop_demest26 usual [phy_landcov class Forest]',
      ],
      ['how many frames are cropland or forest', 'phy_landcov class Cropland; phy_landcov class Forest'],
      [
        'how many frames are village or suburb and have less than 120 people',
        'pop_demest26 frames [pop_demest26 below 120] [urb_class class Village]; pop_demest26 frames [pop_demest26 below 120] [urb_class class Suburb]',
      ],
      ['pupils at Harbour School', 'lyr_schools.pupils usual; unanswered: Harbour School'],
      ['how many fewer people in 2025', 'pop_demest25 usual; unanswered: fewer'],
      [
        'how many more people in urban than rural areas',
        'pop_demest26 usual; cul_rururb usual; unanswered: more, than',
      ],
      ['frames with population above average', 'pop_demest26 frames [pop_demest26 any]; unanswered: above average'],
      ['average population of inhabited frames', 'pop_demest26 mean [pop_demest26 any]'],
      ['household size', 'mkt_households usual; unanswered: size'],
      ['time to the nearest market in km', 'mkt_access usual; unanswered: km'],
      ['schools and people per km2', 'lyr_schools usual; pop_demest26 per_km2; unanswered: per km2'],
      ['shops in the frame with the most people', 'mkt_shops usual; pop_demest26 max; unanswered: frame with'],
      ['which frames have the same population', 'pop_demest26 frames [pop_demest26 any]; unanswered: same'],
    ],
  ],
]
