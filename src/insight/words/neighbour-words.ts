/** Lists the words that may stand right before and right behind a slot. neighbours.ts reads them. */
const words = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

export const BE = words('is are was were be')
export const COVERS = words('cover covers covering covered span spans spanning')
export const ARTICLES = words('the a an its and')
/** "at most", "at least", "the top {F1}" */
export const EXTREMES = words('most least top together')
export const ON_FRAMES = words('on in across')
export const MEASURES = words('number numbers has have hold holds cover covers span spans measure measures')
export const LIES = words('lie lies lying sit sits stand stands situated located')
export const AS_HEADS = words(`
  given recorded listed classed described counted such estimated well known classified shown put measured`)
export const BEFORE_NAME = words('local called main mainly mostly common predominantly largely')
export const BEFORE = words(`
  is are was were be describes describe has have had having hold holds held number numbers numbered numbering total
  totals totalled totalling totaled totaling average averages averaged averaging reach reaches measure measures
  measuring contain contains containing include includes including comprise comprises comprising show shows record
  records give gives take takes taking need needs and plus with in from between against the these this those its
  their into lists see namely i.e. when so equals form forms mean means find finds get gets yields put puts read reads
  count counts counting counted both run runs serve serves host hosts`)
/** After these a figure would be more or less than it is, so only a place may follow. */
export const BEFORE_PLACE = words(`
  across over within around about on near along through throughout inside a an named part`)
export const OF_HEADS = words(`
  area total totals average mean median number count population figure figures value estimate estimates sum set consist
  consists consisting composed made up range frames ward state lga zone level index rate class
  group language size extent distance people stock density lowest highest minimum maximum texture
  profile lows town city village community place settlement centre core outline overview summary description survey `)
export const TO_HEADS = words(`
  home comes come coming came amounts amount amounting adds add rises rise rising rose risen climbs climb grown grew
  grows increased falls fall fell fallen dropped declined decreased drops dips ranges range ranging averages totals
  according belongs belong corresponds reaching drop sums sum runs`)
export const AFTER = words(`
  and in which who that across for from to by with on here there have has had is are was were live lives lived serve
  serves the its their this these cover contain form occupy belong do give gives fall falls speak against while where
  whereas compared away within over around throughout together altogether overall according lie lies as plus but at of
  among between make makes may can average also both into stand stands reside when then so combined up down reaching
  found recorded counted spread along living around inside through records record shown hold holds`)
/** Before a comma and a slot stands the end of a name, or one of these. */
export const BEFORE_COMMA = words(`
  is are was were frame frames area here together all combined has have following follows figures place places namely
  too also state ward lga index town people common year estimate estimated name shown recorded`)
