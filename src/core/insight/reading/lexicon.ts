/**
 * The words of the language itself. Words about topics are no part of it: they are names and synonyms of the catalogue.
 * All words are lower case, without accents and apostrophes.
 */

const setOf = (words: string) => new Set(words.split(/\s+/).filter(Boolean))

/** These words change nothing about which figure a question asks for. */
export const FUNCTION_WORDS: ReadonlySet<string> = setOf(`
  a an the this that these those there here it its they them their theirs he she his her him i me my mine we us our ours you your yours
  is are was were be been being am isnt arent do does did done doing has have had having will would can could may might shall must cant
  and or but so then than as if of in on at to from by for with about into onto through over across around within along inside of off up out
  also too very really just actually currently presently now today still yet already ever again please pls plz kindly ok okay right well
  what which who whom whose how when where why whats wheres hows whos many much some any every each all both either other others same
  one ones thing things something anything someone anyone anybody somebody everybody everyone kind kinds sort sorts type types different various
  different live lives living lived dwell dwells dwelling reside resides residing stay stays inhabit stand stands standing exist exists existing
  hold holds holding cross crosses crossing reach reaches happen happens occur occurs serve serves speak speaks speaking spoken whether quick quickly hw
  operate operates operating attend attends attending fall falls trading sell sells round down sommes nous
  situated located found sit sits contain contains containing cover covers covered lie lies lying pass passes passing
  belong belongs get gets getting go goes going come comes coming look looks looking like see say says said tell told show shows give gives know
  let lets find figure figures number numbers answer question list estimate estimated estimates record recorded recorded total
  selected chosen select selection choose picked given wanted particular specific specifically namely certain available present nearby locally local
  possible potential exactly roughly approximately about approx around mainly only even quite rather bit lot lots
  hi hello hey dear sir madam good morning afternoon evening day thanks thank cheers regards greetings
  need want wants like wish love asking ask asked curious looking wonder wondering care interested provide help
  side sides part parts whole entire amount quantity level levels overall value values data information info
  yes no not nope more less fewer dont doesnt didnt
  make made take takes taking need needs use used uses
  dey abeg wetin una dem sabi wey sef oga na be for im e don go fit pass plenty how far
  combien y t il elle ici le la les l un une des du de d et ou est sont quel quelle quels quelles vivent vit se trouve dans cette ce ces
  nawa ne ke a nan zaune wannan yawan akwai su suke
  melo lo n gbe ibi yii wa ni nibi ninu o
  ole bi ebe no na ndi di ka
`)
