/** Questions for shares, and for figures of units and classes. askText of describe-reading.ts writes the readings. */
export const groupReadings: readonly [rule: string, readings: readonly [question: string, reading: string][]][] = [
  [
    'A share is of the total, or of the frames',
    [
      ['what fraction of the population lives in the urban core', 'pop_demest26 portion [urb_class class Urban core]'],
      ['what fraction of the population lives in urban frames', 'pop_demest26 portion [cul_rururb class Urban]'],
      ['what percentage of people live in frames without a school', 'pop_demest26 portion [lyr_schools none]'],
      ['percentage of frames without a road', 'index.frames portion [lyr_roads none]'],
      ['share of the people in the busiest frame', 'pop_demest26 part 1'],
    ],
  ],
  [
    'Units and classes have their own figures',
    [
      ['population by ward', 'pop_demest26 by index.ward'],
      ['how many people in each LGA', 'pop_demest26 by index.lga'],
      ['schools per ward', 'lyr_schools by index.ward'],
      ['people and schools by state', 'pop_demest26 by index.state; lyr_schools by index.state'],
      ['average elevation by state', 'phy_elevmean by index.state'],
      ['highest elevation by state', 'phy_elevmean by index.state max'],
      ['average population by LGA', 'pop_demest26 by index.lga mean'],
      ['people per km2 by LGA', 'pop_demest26 by index.lga per_km2'],
      ['population by district', 'pop_demest26 by adm_lga'],
      ['population by settlement class', 'pop_demest26 by urb_class'],
      ['which LGA has the most people', 'pop_demest26 by index.lga highest 1'],
      ['which state has the fewest clinics', 'lyr_clinics by index.state lowest 1'],
      ['which ward is densest', 'pop_demest26 by index.ward per_km2 highest 1'],
      ['which ward has the largest area', 'index.area by index.ward highest 1'],
      ['how many frames in each state', 'index.frames by index.state'],
      ['top 3 LGAs by population', 'pop_demest26 by index.lga highest 3'],
      ['rank the LGAs by population', 'pop_demest26 by index.lga highest'],
      ['compare the wards by schools', 'lyr_schools by index.ward'],
      ['schools in the state with the most people', 'lyr_schools usual; unanswered: in state with most people'],
      ['which LGA has no school', 'lyr_schools by index.lga none'],
      ['how many wards have more than 1,000 people', 'pop_demest26 by index.ward bounds above 1000'],
    ],
  ],
]
