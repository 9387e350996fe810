/**
 * Lists the words that a narrative may use beside the words of its own data. The list is closed: a word that is not
 * here and not in the data is refused, so that no list of forbidden words, of other languages' numbers or of
 * misspellings is needed. A word that may change a figure has a class, and a rule of its own.
 */
export const wordSet = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/))

/** These words hold a sentence together. They name nothing. */
export const GRAMMAR_WORDS = wordSet(`
  a an the this that these those its it they them their there here is are was were be been being has have had having
  of in on at by for from to with within and but as while whereas which who whose where when also then so too such
  both can may do does did into onto upon among between across over around about along through throughout under each
  every per all any or how many much than up down same other others another likewise again now i.e. ie
  whichever whatever we one ones`)

/** These are words about the answer itself, and verbs and adjectives that claim only where something is. */
const HARMLESS = wordSet(`
  since stood gently flat sloping went gone goes asks ask wanted although yet still whilst meanwhile moreover furthermore additionally addition
  finally lastly contrast instead compact lively populated mixture mix variety whose whom
  thereof therein belonging speakers urbanised urbanized mention mentions notes going
  area areas frame frames land ward wards state states lga lgas zone zones
  accounted accounts according accordingly add added adds after again agree agrees aim along alone
  altogether amount amounting amounts analysis answer answered answers appear appears as aspect aspects asked asking
  assessment attribute attributes available based basis before begin begins behind below belong belongs
  beside beyond breakdown brief briefly broad broadly bring brings built busy bustling calculated calculation
  call called calls category categories cell cells centre center chosen class classed classes classification
  classified classifies clear clearest clearly closely collectively combine combined combining come comes coming
  compare compared comparing comparison complete completely composed comprise comprised comprises comprising
  computed concerned concerning concerns considered consist consisting consists contain contained containing
  contains context count counted counts cover covered covering covers data dataset
  datasets density describe described describes describing description detail detailed details determined deals
  extend extends extent facet facets fact facts fall falling falls feature features figure figures fill
  find finding finds follow followed following follows form formed forming forms found full fuller further gather
  general generally get gets gives given giving glance go goes greater ground group grouped held hold
  holding holds home hosts identified identify included includes including index indicate indicated indicates
  indicating indication information inside introduction itself judged judging key kind known land landscape
  lays level levels lie lies line list listed lists local locality located location locations look
  looking looks made main mainly make makes making mark marked marks matter matters measure measured measurement
  measurements measures measuring meet meets mentioned name named namely names nature near nearby neighbourhood
  neighborhood note noted notes number numbered numbering numbers observed occupied occupies occupy occur occurs
  order overall overview own paint part particular parts picture piece place placed places plain plainly
  plus point pointing points portrait present presented presents profile profiled provide provided provides
  providing put puts question quick quite range ranged ranges ranging reach reached reaches reaching read reads
  record recorded recording records reading regard regarding regards relates relation remain remains report reported
  reporting reports represent represented represents requested respect respectively respects rest result results run
  running runs said say says scale scene seat section sections see seen selected selection serve served serves
  serving set setting sets share shared shares sharing short show showing shown shows sign signs simple simply since
  sit site sits sitting situated size slightly snapshot some somewhat space span spanned spanning spans speak
  speaking spoken spread spreads stand standing stands state stated states statistic statistics stock stretch
  stretches strip study subject sum summarise summarised summarises summarize summarized summarizes summary surface
  survey surveyed surroundings table take taken takes taking tell tells term terms terrain terrestrial territory
  thing things together topic topics tract turn turning turns type types typed understood
  unit units usual usually value valued values varies vary varying view way ways weighed weight weighted well whole
  wide wider worked works writing written yield yields gentle gradient needs need neatly spot spots marking settled
  lived live lives living inhabited resides reside dwell choice rather fairly respective estimate estimates
  estimated estimating averaged averaging year years trade commerce nearest throughout locally residential character
  characterised characterized predominantly largely entirely fully wholly mixed corner corners edge shape shaped
  amid alongside side relevant conclusion outline headlines headline briefing digest findings sketch notable
  noteworthy notably government environment widely mostly though out against little transport education health
  urbanisation urbanization physical cultural now pattern patterns composition makeup spatial geographic
  geographical geography administrative administratively administration jurisdiction entire reply response respond
  questions offers offer middle heart getting crossing leading connecting passing lying however nonetheless
  nevertheless conversely visible evident apparent obvious noting noticeable worth expect expected expects you your
  linguistically ethnically culturally socially compiled drawn modelled modeled derived mapped distributed divided
  proportion portion heading headings sentence paragraph list bullet below above brief specific specifically
  concretely namely essentially basically ultimately broadly alongside next then both them themselves those
  include separately long length cross crosses touch touches uninhabited unpopulated commonly limit threshold shared examined surveyed looked studied inspected visited assessed low high empty out commercial educational environmental demographic demographically geographically topographically 
  covering inhabitants stands comes means meaning therein herein hereby`)

/** Each of these words says which statistic a figure is. */
export const STATISTIC_WORDS: ReadonlyMap<string, StatisticWord> = new Map([
  ...pairs(
    'low',
    `lowest nearest least fewest minimum min smallest shortest lower fewer smaller closest flattest gentlest
    sparsest bottom falls fall fell dips dip shallowest thinnest quietest quickest fastest`,
  ),
  ...pairs(
    'high',
    `highest most maximum max largest biggest longest higher larger bigger longer greatest farthest
    furthest steepest densest denser busiest peak peaks peaking peaked top tops rises rise rising rose climbs climb
    climbing slowest tallest`,
  ),
  ...pairs('average', 'average averages averaged averaging mean means typical typically'),
  ...pairs('median', 'median'),
  ...pairs('total', 'total totals totalled totalling totaled totaling altogether combined together sum sums overall'),
  ...pairs('mode', 'common commonest predominant predominates dominant dominates dominated prevailing prevails'),
])
export type StatisticWord = 'low' | 'high' | 'average' | 'median' | 'total' | 'mode'
function pairs(statistic: StatisticWord, words: string): [string, StatisticWord][] {
  return words
    .trim()
    .split(/\s+/)
    .map((word) => [word, statistic])
}

/** These words say that something is or is not so. claims.ts holds each to the figures. */
export const NEGATIONS = wordSet(`
  no not none never neither nor nobody nothing nowhere cannot without lack lacks lacking absent`)
export const TREND_UP = wordSet(`
  risen rise rises rose rising grown grew grow grows growing growth increased increase increases increasing up`)
export const TREND_DOWN = wordSet(`
  fallen fell falls fall falling declined decline declines declining dropped drop drops decreased decrease decreases
  shrunk shrank down`)
export const TRENDS = wordSet(`
  risen grown grew grow grows growing growth increased increase increases increasing fallen falling declined decline
  declines declining dropped drop drops decreased decrease decreases shrunk shrank unchanged change changed changes`)
export const COMPARATIVES_MORE = wordSet('more higher greater larger bigger denser longer')
export const COMPARATIVES_LESS = wordSet('fewer less lower smaller shorter')
export const EQUALITY = wordSet('equal equals identical equally')
export const LIKENESS = wordSet('similar alike comparable')
/** Verified: figures that differ, and figures within a tenth of each other. */
export const DIFFERENCE = wordSet('differ differs differing difference differences gap')
export const SLIGHT = wordSet('slight slightly marginal marginally little')
/** "{F2} exceeds {F1}" is a comparison as with "than". */
export const EXCEEDING = wordSet('exceed exceeds exceeded exceeding surpasses surpassing ahead outnumber outnumbers')
export const WHOLE = wordSet('throughout fully entirely wholly completely uniformly')
/** These words speak of all frames, and need a class that all have. */
export const UNIVERSAL = wordSet('all every each whole entire everyone everybody same entirely wholly completely')
/** These words need a class that more than half of the frames have. */
export const MOSTLY = wordSet('mostly mainly largely predominantly primarily chiefly principally')
/** Verified: a figure has the same value in two years. */
export const STEADY = wordSet('remain remains remained stay stays stayed unchanged constant steady still')
export const EARLIER = wordSet('ago earlier previous older former prior preceding')
export const LATER = wordSet('today currently nowadays later latest newer newest latter current recent now')
/** A figure that is spread over these changes its meaning. */
export const EACH_WORDS = wordSet('each every per apiece any')
/** These words claim the character of a place: a class of the data must say so. */
export const CHARACTER: ReadonlyMap<string, RegExp> = new Map([
  ...settled('town towns city urban dense densely busy bustling built settled', /urban|town|city|built/),
  ...settled('village villages rural countryside sparse sparsely quiet remote', /rural|village|hamlet|remote/),
])
function settled(words: string, classes: RegExp): [string, RegExp][] {
  return words.split(' ').map((word) => [word, classes])
}

/** These words name a family in one use and nothing in another: "covers", "home to", "a class". */
export const SOFT = wordSet(`
  cover covers covered covering home live lives living lived class group time away family ground reside dwell trip
  travel journey minute market trade land education health gentle gently sloping flat city trades`)
/** These words may stand before "alike" and "equal". */
export const DEGREES = wordSet('nearly almost very broadly quite fairly')

const CLASSES: readonly ReadonlySet<string>[] = [
  GRAMMAR_WORDS,
  NEGATIONS,
  TREND_UP,
  TREND_DOWN,
  TRENDS,
  COMPARATIVES_MORE,
  COMPARATIVES_LESS,
  EQUALITY,
  LIKENESS,
  WHOLE,
  EARLIER,
  LATER,
  EACH_WORDS,
  UNIVERSAL,
  MOSTLY,
  STEADY,
  DIFFERENCE,
  SLIGHT,
  EXCEEDING,
]

const LISTED: ReadonlySet<string> = new Set(
  [HARMLESS, STATISTIC_WORDS.keys(), CHARACTER.keys(), ...CLASSES].flatMap((words) => [...words]),
)

export const isListedWord = (word: string) => LISTED.has(word)

/** The first word of a line stands in a label. A narrative may name that label by the others. */
export const SYNONYMS: readonly (readonly string[])[] = [
  'population people person inhabitant resident demographic live reside dwell inhabited lived populous',
  'building structure dwelling house',
  'household home family',
  'shop store kiosk retail',
  'elevation altitude height ground',
  'slope gradient steepness steep slopes gentle',
  'market trade',
  'time travel away journey trip minute',
  'road highway street',
  'school education schooling',
  'clinic health',
  'pupil student',
  'stall vendor',
  'reserve park',
  'language tongue speak spoken speaker',
  'ethnic ethnicity tribe',
  'cover vegetation',
  'area size extent',
  'frame size',
  'lga council',
  'subsoil soil',
].map((line) => line.split(' '))

export const isKnownNoun = (stem: string) => SYNONYMS.some((line) => line.includes(stem))

/** A sentence with one of these is about the answer, and may name what the answer counts. */
export const ANSWER_NOUNS = wordSet(`
  facet facets figure figures data number numbers value values dataset datasets information count such statistic
  statistics record records`)
/** These words say that a figure is missing: "clinics are not recorded". */
export const NOT_GIVEN = wordSet(
  'counted measured listed recorded given available shown included known provided reported covered',
)
export const GIVES = wordSet(`
  give gives given say says said recorded record records available shown show provided provide held hold holds
  answer answers answered state include includes included report reported reports tell tells cover covers covered
  contain contains exist exists there is are has have`)
