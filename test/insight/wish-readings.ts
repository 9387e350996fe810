/** Questions with words that ask for nothing, and questions with several wishes. askText of describe-reading.ts writes the readings. */
export const wishReadings: readonly [rule: string, readings: readonly [question: string, reading: string][]][] = [
  [
    'A purpose, a source, a signature and an introduction ask for nothing',
    [
      ['shop count for the tax office', 'mkt_shops usual'],
      ['population for our district health team', 'pop_demest26 usual'],
      ['school numbers for a grant application and the average slope', 'lyr_schools usual; phy_slopemean usual'],
      ['schools for girls', 'lyr_schools usual; unknown: girls'],
      ['clinics for the elderly', 'lyr_clinics usual; unknown: elderly'],
      ['number of households, as the survey has it', 'mkt_households usual'],
      ['homes reached by the survey', 'mkt_households usual'],
      ['number of buildings as at the last count', 'bld_ct usual'],
      [
        'total population, thanks and frames above 300 m',
        'pop_demest26 usual; phy_elevmean frames [phy_elevmean above 300]',
      ],
      ['thanks, how many schools are there', 'lyr_schools usual'],
      [
        "how steep is it and I'm drafting a plan and I need the total population",
        'phy_slopemean usual; pop_demest26 usual',
      ],
      ['frames at or below 90 metres above sea level', 'phy_elevmean frames [phy_elevmean atMost 90]'],
      ['hw many ppl dey for dis place', 'pop_demest26 usual'],
    ],
  ],
  [
    'Each ratio, class and superlative of a list has its own figure',
    [
      [
        'people per km2, shops per km2 and buildings per km2',
        'pop_demest26 per_km2; mkt_shops per_km2; bld_dens usual',
      ],
      ['shops per household and people per household', 'mkt_shops per mkt_households; pop_demest26 per mkt_households'],
      [
        'top 3 frames by population and the 3 with the fewest buildings',
        'pop_demest26 rank highest 3; bld_ct rank lowest 3',
      ],
      ['roads: how many and how long', 'lyr_roads usual; lyr_roads extent'],
      ['is this countryside or town', 'urb_class usual; cul_rururb usual'],
      ['biggest ethnic group in the state', 'cul_ethnsta usual'],
      ['how densely built is it', 'bld_dens usual'],
      ['the frame with the tiniest population', 'pop_demest26 min'],
    ],
  ],
  [
    'A measure of a thing, and a count of different things, are not answered',
    [
      ['height of the buildings', 'phy_elevmean usual; bld_ct usual; unanswered: height of buildings'],
      ['the elevation of the schools', 'phy_elevmean usual; lyr_schools usual; unanswered: elevation of schools'],
      ['how many different languages are spoken here', 'cul_ctlangfrm usual; unanswered: different'],
    ],
  ],
  [
    'A condition of one half is none of the other',
    [
      [
        'frames below 90 m and elevation at Quarry Road',
        'phy_elevmean frames [phy_elevmean below 90]; phy_elevmean usual [in Quarry Road]',
      ],
      [
        'frames below 300 m and people who speak Marem',
        'phy_elevmean frames [phy_elevmean below 300]; pop_demest26 usual [cul_langfrm class Marem]',
      ],
      [
        'which frame is steepest and excluding Marembe North, how many people',
        'phy_slopemean max; pop_demest26 usual [not in Marembe North]',
      ],
      [
        'how many people live here and are most of these places villages',
        'pop_demest26 usual; urb_class class Village',
      ],
      [
        'households in Marembe North and time to market there',
        'mkt_households usual [in Marembe North]; mkt_access usual [in Marembe North]',
      ],
    ],
  ],
]
