/** The units and the nouns that stand behind a number. */

/** Between bars stand the spellings of one word. The first spelling stands for all. */
const bySpelling = (words: string): ReadonlyMap<string, string> =>
  new Map(
    words.split('|').flatMap((word) => {
      const spellings = word.trim().split(/\s+/)
      return spellings.map((spelling): [string, string] => [spelling, spellings[0] ?? ''])
    }),
  )

export const UNIT_OF_SPELLING = bySpelling(`
  % percent pct | ‰ permille permil | ‱ permyriad | m metre metres meter meters |
  km kilometre kilometres kilometer kilometers | km² km2 sqkm | m² m2 |
  cm centimetre centimetres centimeter centimeters | mm millimetre millimetres millimeter millimeters |
  ha hectare hectares | acre acres | inch inches | ft foot feet | yd yard yards | mile miles mi | g gram grams |
  kg kilogram kilograms kilo kilos | pound pounds lb lbs | tonne tonnes ton tons | litre litres liter liters |
  gallon gallons | watt watts | kw kilowatt kilowatts | mw megawatt megawatts | kwh | volt volts |
  degree degrees ° | celsius | fahrenheit | second seconds sec secs | minute minutes min mins | hour hours hr hrs |
  day days | week weeks | month months | year years | dollar dollars usd | euro euros eur | naira ngn | kobo |
  cedi cedis | franc francs | shilling shillings | rand | yen | rupee rupees | cent cents | frame frames`)

/**
 * Nouns that no figure of another noun may stand with: "20,269 households" is not "20,269 people". A noun that is not
 * listed says nothing.
 */
const NOUN_OF_SPELLING = bySpelling(`
  people person persons inhabitant inhabitants resident residents | household households | family families |
  house houses | woman women | man men | child children | voter voters | worker workers | farmer farmers |
  building buildings | school schools | pupil pupils student students | teacher teachers | clinic clinics |
  hospital hospitals | shop shops | stall stalls | road roads | river rivers | farm farms | village villages |
  town towns | language languages | car cars | vehicle vehicles`)

export function countedUnit(after: string): string | undefined {
  if (/^ of [\d,]+ frames?\b/.test(after)) return 'frame'
  const square = /^ ?(?:square|sq) (\w+)/i.exec(after)?.[1]?.toLowerCase()
  if (square) return `${UNIT_OF_SPELLING.get(square) ?? square}²`
  if (/^[- ]?per ?cent\b/i.test(after)) return '%'
  if (/^[- ]?per ?mil(?:le|l)?\b/i.test(after)) return '‰'
  const [all = '', word] = /^[- \u00a0]?([%‰‱°]|[\p{L}]+[²2]?)/u.exec(after) ?? []
  const unit = word === undefined ? undefined : (UNIT_OF_SPELLING.get(word) ?? UNIT_OF_SPELLING.get(word.toLowerCase()))
  // No figure has a percentage of a unit.
  return unit !== undefined && /^ ?[%‰‱]/.test(after.slice(all.length)) ? `${unit} %` : unit
}

export function nounOf(after: string): string | undefined {
  const [, word = ''] = /^[- \u00a0](\p{L}+)/u.exec(after) ?? []
  return NOUN_OF_SPELLING.get(word.toLowerCase())
}
