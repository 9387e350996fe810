/**
 * Results of each unit or class: all of them, the first, and those that pass. They are of the frames asked that lie
 * there, never of a whole unit.
 */
import { groupThousands } from '../../decimal.js'
import { ordinalOf } from '../composed-sentence.js'
import { boundsWords, groupValue, moreText, pluralOf, unitText, wholeUnitText } from '../facet-text.js'
import {
  capital,
  groupedCount,
  insideSentence,
  listText,
  partText,
  tiedNames,
  TIES_NAMED,
  unnamedText,
  wholeText,
  withArticle,
} from '../figure-text.js'
import { isOfFew } from '../frame-set.js'
import { nounsOf, passingText, rankedText, type Told } from '../nouns.js'
import { levelNoun } from '../../place.js'
import type { Grouped, GroupWords, Ranked, ResultOf, Test } from '../typed.js'
import type { Kind, Phrases } from './kind.js'

type Result = ResultOf<'groups'> | ResultOf<'group'> | ResultOf<'groups_passing'>
/** A result whose words are known. */
type Said<Of extends Result> = Of & { words: GroupWords }

const label = (_: unknown, result: Grouped): string => capital(result.label)

/** A ward without a school records no number of people per school: it has none. */
function silentText({ by, silent, without = 0, all, words }: Grouped): string {
  const of = (count: number, one: string, many: string) =>
    count === 0 ? '' : `; ${partText(count, all)} ${pluralOf(by)} ${count === 1 ? one : many}`
  const none = ` no ${words?.per ?? ''}`
  return of(without, `has${none}`, `have${none}`) + of(silent - without, 'records nothing', 'record nothing')
}

/** The words of a sentence about groups. */
function groupPhrases({ typed }: Told, result: Said<Result>, phrases: Phrases) {
  const { by, words } = result
  const { things, measure } = words
  const isRate = things !== undefined && / per /.test(things.many)
  const kind = by.type === 'unit' ? insideSentence(by.label) : nounsOf(by).measure
  const grouped = (number: string) => groupThousands(isRate ? wholeText(number) : number)
  const { isPlace, name, withBounds } = phrases
  const { method } = typed.named
  const made = isOfFew(typed) && method !== undefined ? ` (${method})` : ''
  const ofPlace = name === 'the country' ? '' : ` of ${name}`
  return {
    ...phrases,
    ...words,
    things,
    isRate,
    /** "The length of roads of Lakeside" would be the length of its roads. */
    isOfMore: / (?:of|per|where|on|in|within|from|between) /.test(measure),
    kind,
    value: (number: string) => withBounds(things ? grouped(number) : wholeUnitText(number, words.unit)),
    /** The first number of a list has the words of all. */
    firstAmount: (number: string) => `${grouped(number)} ${number === '1' ? things?.one : things?.many}`,
    /** "the 12 LGAs", "the 3 LGAs that these frames lie in" */
    units: (count: number) => {
      const units =
        count === 1 && result.silent === 0
          ? `the only ${insideSentence(by.label)}`
          : `the ${groupedCount(count)} ${pluralOf(by)}`
      if (isPlace || by.type !== 'unit') return units + ofPlace
      return `${units} that ${phrases.frames} ${phrases.isFrame ? 'lies' : 'lie'} in`
    },
    allUnits: `all ${pluralOf(by)}${ofPlace}`,
    place: (group: string) => `${by.type === 'unit' ? 'in' : 'where it is'} ${group}`,
    end: made + phrases.end.replace(/\.$/, `${silentText(result)}.`),
  }
}
type GroupPhrases = ReturnType<typeof groupPhrases>

/** "the most people (2026 estimate)", "the second lowest average elevation" */
function mostText(
  { order = 'highest', nth = 1 }: { order?: string; nth?: number },
  { things, measure, isRate }: GroupPhrases,
) {
  if (things && !isRate && nth === 1) return `the ${order === 'highest' ? 'most' : 'fewest'} ${things.many}`
  return `the ${nth === 1 ? '' : `${ordinalOf(nth)} `}${order} ${measure}`
}

export const groups: Kind<'groups'> = {
  label,
  value: (_, result) => {
    const { ranked, unit } = result
    const list = ranked.map((each) => `${each.name} (${groupValue(unit, each)})`).join(', ')
    return list + unnamedText(result, (number) => unitText(number, unit)) + silentText(result)
  },
  sentences: (told, result, given) => {
    if (!hasWords(result)) return []
    const phrases = groupPhrases(told, result, given)
    const { kind, measure, things, isOfMore, name, start, has, value, firstAmount, place, end } = phrases
    const { order, ranked, by, inEach } = result
    // The units of a list from the highest are those "with the most people".
    if (order !== undefined && (result.nth !== undefined || (by.type === 'unit' && phrases.isPlace))) {
      const list = ranked.map((each) => `${each.name} (${value(each.number)})`)
      const isOne = list.length + result.more === 1
      const each = inEach === undefined ? '' : ` in each ${levelNoun(inEach)}`
      return `The ${isOne ? kind : pluralOf(by)} of ${name} with ${mostText(result, phrases)}${each} ${isOne ? 'is' : 'are'} ${rankedText(list, result, value)}${end}`
    }
    if (order === undefined && things) {
      const { some, isCut } = withoutNone(told.typed.recorded, result)
      if (some.length === 0) return `${start} ${has} no ${things.many} in any ${kind}${end}`
      const list = some.map(
        ({ number, name: group }, i) => `${i === 0 ? firstAmount(number) : value(number)} ${place(group)}`,
      )
      // Frames are not what frames have.
      if (by.type === 'unit' && things.many === 'frames' && !phrases.isPlace) {
        const lie = ranked.map(({ number, name: group }, i) => `${value(number)} ${i > 0 ? '' : number === '1' ? 'lies ' : 'lie '}${place(group)}`) // prettier-ignore
        return `Of ${name}, ${rankedText(lie, result, value)}${end}`
      }
      const text = isCut
        ? listText([...list, `none ${by.type === 'unit' ? 'in any other' : 'elsewhere'}`])
        : rankedText(list, result, value)
      return `By ${kind}, ${name} ${has} ${text}${end}`
    }
    const list = ranked.map(({ number, name: group }) => `${value(number)} ${place(group)}`)
    const from = order === undefined ? '' : `, from the ${order},`
    const whose = isOfMore ? '' : ` of ${name}`
    const where = isOfMore && name !== 'the country' ? `in ${name}, ` : ''
    return `${capital(`${where}by ${kind}, the ${measure}${whose}${from} is`)} ${rankedText(list, result, value)}${end}`
  },
}

/** Groups that have none need no line each, where the list has all that have any and each records what it has. */
function withoutNone(
  recorded: { count: number; of: number } | undefined,
  { ranked, silent, all }: ResultOf<'groups'>,
): { some: readonly Ranked[]; isCut: boolean } {
  const some = ranked.filter(({ number }) => number !== '0')
  const isWhole = silent === 0 && (!recorded || recorded.count === recorded.of)
  const isCut = isWhole && some.length < ranked.length && all - some.length > 1
  return { some: isCut ? some : ranked, isCut }
}

const hasWords = <Of extends Result>(result: Of): result is Said<Of> => result.words !== undefined

export const group: Kind<'group'> = {
  label,
  /** "7,745 people in MERIDIAN BAY", "3 schools in KOFA and KIRIN", "0 schools in ALDER and 11 others". */
  value: (_, result) => {
    const { names, number, unit } = result
    return `${unitText(number, unit)} in ${tiedNames(names)}${silentText(result)}`
  },
  sentences: (told, result, given) => {
    if (!hasWords(result)) return []
    const phrases = groupPhrases(told, result, given)
    const { things, isRate, kind, name, frames, value, allUnits, end } = phrases
    const { names, order, number, by } = result
    const [have, each] = names.length === 1 ? ['has', ''] : ['have', ' each']
    const most = mostText(result, phrases)
    if (by.type === 'unit' && phrases.isPlace)
      return number === '0' && things && order === 'lowest' && !isRate
        ? `${tiedNames(names)} ${have} no ${things.many}, the fewest of ${allUnits}${end}`
        : `${tiedNames(names)} ${have} ${most} of ${allUnits}: ${value(number)}${each}${end}`
    if (by.type === 'unit' && things?.many === 'frames')
      return `${tiedNames(names)} ${have} the ${order} number of ${frames.replace(/^the /, '')}: ${value(number)}${each}${end}`
    const placeOf = (one: string) => `those ${by.type === 'unit' ? `in ${one}` : `where the ${kind} is ${one}`}`
    const [first = '', ...others] = names.map(placeOf)
    const those =
      names.length > TIES_NAMED ? `${first} and in ${groupedCount(others.length)} others` : listText([first, ...others])
    return [
      `Of ${frames}, ${those} have ${most} of any ${kind}: ${value(number)}${each}${end}`,
      `By ${kind}, ${those} have ${most} of ${name}: ${value(number)}${each}${end}`,
    ]
  },
}

export const groups_passing: Kind<'groups_passing'> = {
  label,
  value: (_, result) => {
    const { by, all, names, count } = result
    const listed = names.length === 0 || count === all ? '' : `: ${names.join('; ')}${moreText(count - names.length)}`
    return `${partText(count, all)} ${pluralOf(by)}${listed}${silentText(result)}`
  },
  sentences: (told, result, given) => {
    if (!hasWords(result)) return []
    const { all, test, names, count, by } = result
    const { things, isRate, measure, more, those, value, units, end } = groupPhrases(told, result, given)
    const isSilent = result.silent > 0
    const isOnly = all === 1 && !isSilent
    const own = isRate ? undefined : things
    // "All have clinics", and not "none has no clinics".
    const areAll = count === all || (count === 0 && test.test === 'none' && !isSilent && own !== undefined)
    const part = `${areAll ? 'All' : count === 0 ? 'None' : groupedCount(count)} of ${units(all)}`
    const some = isOnly ? capital(units(all)) : part
    const isOne = !areAll && count <= 1
    const has = isOnly ? (areAll ? 'has' : 'does not have') : isOne ? 'has' : 'have'
    const passes = more
      ? more
      : own
        ? thingsPassing(areAll && count === 0 ? { test: 'any' } : test, own)
        : `${withArticle(measure)} ${valuesPassing(test, value)}`
    const isNamed = count > 0 && (count > 1 || names.length > 0)
    const text =
      those === undefined
        ? `${has} ${passes}`
        : `${isOne || isOnly ? 'is a' : 'are'} ${isOne || isOnly ? insideSentence(by.label) : pluralOf(by)} ${those}`
    return `${some} ${text}${isNamed ? passingText(names, count, all) : ''}${end}`
  },
}

function thingsPassing(test: Test, { one, many }: NonNullable<GroupWords['things']>): string {
  if (test.test !== 'bounds') return test.test === 'none' ? `no ${many}` : many
  const bounds = boundsWords(test, groupThousands, true)
  return `${bounds} ${bounds.endsWith(' 1') ? one : many}`
}

const valuesPassing = (test: Test, value: (number: string) => string): string =>
  test.test === 'bounds'
    ? boundsWords(test, value, false).replace(/^(?=at |exactly )/, 'of ')
    : test.test === 'none'
      ? `of ${value('0')}`
      : `above ${value('0')}`
