/** Lists the words that may stand right before and right behind a slot. neighbours.ts reads them. */
import { wordSet } from './vocabulary.js'

export const BE = wordSet('is are was were be')
export const COVERS = wordSet('cover covers covering covered span spans spanning cross crosses touch touches')
export const ARTICLES = wordSet('the a an its and')
/** A figure behind one of these is a bound or a choice: "at most", "at least", "the top {F1}". */
export const EXTREMES = wordSet('most least top together')
export const ON_FRAMES = wordSet('on in across')
export const MEASURE_WORDS = wordSet('number numbers has have hold holds cover covers span spans measure measures')
export const LIES = wordSet('lie lies lying sit sits stand stands situated located')
export const AS_HEADS = wordSet(`
  given recorded listed classed described counted such estimated well known classified shown put measured`)
export const BEFORE_NAME = wordSet('local called main mainly mostly common predominantly largely')
export const BEFORE = wordSet(`
  is are was were be describes describe has have had having hold holds held number numbers numbered numbering total
  totals totalled totalling totaled totaling average averages averaged averaging reach reaches measure measures
  measuring contain contains containing include includes including comprise comprises comprising show shows record
  records give gives take takes taking need needs and plus with in from between against the these this those its
  their into lists see namely i.e. when so equals form forms mean means find finds get gets yields put puts read reads
  count counts counting counted both run runs serve serves host hosts`)
/** A figure after these would be more or less than it is, so only a place may follow. */
export const BEFORE_PLACE = wordSet(`
  across over within around about on near along through throughout inside a an named part`)
export const OF_HEADS = wordSet(`
  area total totals average mean median number count population figure figures value estimate estimates sum set consist
  consists consisting composed made up range frames ward state lga zone level index rate class
  group language size extent distance people stock density lowest highest minimum maximum texture
  profile lows town city village community place settlement centre core outline overview summary description survey environment stock network`)
export const TO_HEADS = wordSet(`
  home comes come coming came amounts amount amounting adds add rises rise rising rose risen climbs climb grown grew
  grows increased falls fall fell fallen dropped declined decreased drops dips ranges range ranging averages totals
  according belongs belong corresponds reaching drop sums sum runs`)
export const AFTER = wordSet(`
  and in which who that across for from to by with on here there have has had is are was were live lives lived serve
  serves the its their this these cover contain form occupy belong do give gives fall falls speak against while where
  whereas compared away within over around throughout together altogether overall according lie lies as plus but at of
  among between make makes may can average also both into stand stands reside when then so combined up down reaching
  found recorded counted spread along running crossing serving covering living around inside through records record shown hold holds`)
/** The end of a name, or one of these, stands before a comma and a slot. */
export const BEFORE_COMMA = wordSet(`
  is are was were frame frames area here together all combined has have following follows figures place places namely
  too also then now total brief state ward lga index town people common year estimate estimated name shown recorded`)
