/**
 * Reads a sentence of a narrative, and says what is false of the typed figures that it is about. It shares nothing with
 * the code that writes sentences: it looks for the words that each kind of figure needs, and for the number beside them.
 */
import type { Facet } from '../../src/core/figures/facets.js'
import type { NamedTest, TypedFigure } from '../../src/core/figures/typed.js'
import {
  amountPatterns,
  namesOf,
  numbersIn,
  percentOf,
  plainNumber,
  boundsIn,
  escaped,
  isCutShort,
  allFrames,
  num,
  othersPattern,
  partPattern,
  isOfDraws,
  told,
  wholesOf,
  SAID,
  statisticOf,
} from './second-reader-patterns.js'
import { groupPatterns } from './second-reader-groups.js'

export type ReadFacet = Pick<Facet, 'typed' | 'source'>

/** Words, and the figures that may be meant by them. */
const WORDS: readonly [words: RegExp, isOf: (facet: ReadFacet) => boolean][] = [
  [/\baveraged?\b/i, ({ source }) => ['mean', 'weighted_mean'].includes(statisticOf(source))],
  [/\bmedian\b/i, ({ source }) => statisticOf(source) === 'median'],
  [/\bin total\b/i, ({ source }) => ['sum', 'count'].includes(statisticOf(source))],
  [/\b(?:most|equally) common\b/i, ({ typed }) => typed.result.is === 'mode'],
  [/\b(?:increase|decrease|no change)\b/, ({ source }) => source.statistic === 'change' || source.of === 'change'],
  [/ differ by /, ({ typed }) => typed.result.is === 'range'],
  [/ 95 %/, ({ typed }) => isOfDraws(typed)],
  [
    / per km²/,
    ({ source: { statistic, of, figure }, typed }) =>
      /per.km[2²]|geom/.test(`${statistic} ${of} ${typed.named.unit} ${figure?.to?.subject?.name}`),
  ],
  [/\b(?<!at )(?:most|highest|latest)\b(?! common)/, (facet) => ordersOf(facet).includes('highest')],
  [/\b(?:fewest|lowest|earliest)\b/, (facet) => ordersOf(facet).includes('lowest')],
  [
    /\b(?:no|none)\b(?! change)/i,
    (facet) =>
      numbersOf(facet).includes('0') ||
      [...facet.typed.scope, ...testsOf(facet.typed)].some(({ test }) => test.test === 'none'),
  ],
]
/** A figure is never told without its own words, a single frame's apart. */
const NEEDED: Readonly<Record<string, RegExp>> = {
  mean: /\baverage/i,
  weighted_mean: /average/i,
  median: /\bmedian\b/,
  max: /\b(?:(?<!at )most|highest|latest|more(?! than \d)|higher|the same)\b/,
  min: /\b(?:fewest|lowest|earliest|the same)\b/,
  mode: /\bcommon\b|\b(?:of|on) (?:all [\d,]+|both) frames|on the only frame|\blie in the\b/,
  range: / differ by /,
  change: /\b(?:increase|decrease|no change)\b/,
  per_km2: / per km²/,
}

function ordersOf({ source: { statistic, order: ofFrames, figure }, typed: { result } }: ReadFacet): string[] {
  if (result.is === 'range') return ['highest', 'lowest']
  const order = figure?.order ?? ofFrames
  const own = statistic === 'max' ? ['highest'] : statistic === 'min' ? ['lowest'] : []
  return [...own, ...(order === undefined ? (result.is === 'rank' ? ['highest'] : []) : [order])]
}

const testsOf = ({ result }: TypedFigure): NamedTest[] => (result.is === 'passing' ? result.tests : [])

/** Every number that typed values hold: those of the result, of the frames that record it, and of the conditions. */
function numbersOf({ typed, source }: ReadFacet): string[] {
  const { result, recorded, scope, named, frames } = typed
  const level = isOfDraws(typed) ? 95 : undefined
  const said: unknown[] = [result, recorded, scope, named, frames, typed.ward, level, source.n, source.figure]
  const found = JSON.stringify(said).match(/-?\d+(?:\.\d+)?/g) ?? []
  const silent = 'silent' in result ? [result.silent - (result.without ?? 0)] : []
  const counts = result.is === 'passing' ? [result.of - result.recorded] : silent
  const unnamed =
    result.is === 'names' || result.is === 'passing' || result.is === 'groups_passing' || result.is === 'share'
      ? [result.count - (result.names?.length ?? 0)]
      : []
  const tied =
    result.is === 'mode' ? [result.classes.length - 1] : result.is === 'group' ? [result.names.length - 1] : []
  const shares = 'of' in result && 'count' in result && result.of > 0 ? [percentOf(result.count, result.of)] : []
  // Beside a bound, frames that have none or any are those "where Shops is 0" or "above 0".
  const isQuoted = [...scope, ...testsOf(typed)].some(({ test }) => test.test === 'none' || test.test === 'any')
  const zero = isQuoted || (result.is === 'passing' && result.count === 0) ? ['0'] : []
  return [
    ...found,
    ...[...counts, ...unnamed, ...tied].filter((count) => count > 0).map(String),
    ...shares,
    ...zero,
    ...wholesOf(statisticOf(source), result),
  ].map((each) => each.replace(/^-/, ''))
}

/** "They" and "It" stand for `subject`. */
export function falsehoodsOf(sentence: string, facets: readonly ReadFacet[], subject = ''): string[] {
  const text = sentence.replace(/^(?:They|It)\b/, subject)
  const known = new Set(facets.flatMap(numbersOf))
  return [
    ...(/^(?:They|It)\b/.test(text) ? ['nobody knows what the pronoun stands for'] : []),
    ...numbersIn(text).flatMap((number) => (known.has(number) ? [] : [`${number} is no value of its figures`])),
    ...WORDS.flatMap(([words, isOf]) => (words.test(text) && !facets.some(isOf) ? [`${words} fits no figure`] : [])),
    ...facets.flatMap((facet) => faultsOf(text, facet)),
    ...comparisonFaults(text, facets),
  ]
}

function faultsOf(text: string, facet: ReadFacet): string[] {
  const { typed, source } = facet
  const needed = typed.frames > 1 && source.figure === undefined ? NEEDED[source.statistic] : undefined
  const isGiven = typed.named.type !== 'property' || source.statistic !== 'mode'
  return [
    ...(needed && isGiven && !needed.test(text) ? [`it does not say that it is the ${source.statistic}`] : []),
    ...(nameOfSubject(typed).some((name) => text.toLowerCase().includes(name))
      ? []
      : ['it does not name what it measures']),
    ...scopeFaults(text, facet),
    ...partFaults(text, typed),
    ...(resultPatterns(facet).some((pattern) => pattern.test(text))
      ? []
      : [`its number does not stand where it should: ${JSON.stringify(typed.result)}`]),
    ...(isModelledFrame(facet) && !text.includes(typed.named.method ?? '')
      ? ['it does not say how the value of one frame was made']
      : []),
  ]
}

const isModelledFrame = ({ typed: { named, frames, result }, source }: ReadFacet) =>
  named.method !== undefined &&
  !['frames', 'passing'].includes(source.statistic) &&
  (frames === 1 || ['extreme', 'rank'].includes(result.is))

/** Any of these words names the subject. */
function nameOfSubject({ named, result }: TypedFigure): string[] {
  const tests = result.is === 'passing' ? result.tests : []
  const labels = [named, ...tests.map((test) => test.named)].flatMap(namesOf)
  const ones = labels.flatMap((label) => [label, label.replace(/ies$/, 'y')])
  if (named.label === 'Area') ones.push('km²')
  if (named.label === 'Frames') ones.push('frame')
  return ones
}

/** A part of the frames records the value: the sentence says so, with the numbers or in words. */
function partFaults(text: string, { recorded, named, result }: TypedFigure): string[] {
  if (result.is === 'passing')
    return result.recorded < result.of && !new RegExp(`; ${result.of - result.recorded} records? nothing`).test(text)
      ? ['it does not say how many frames record nothing']
      : []
  if (result.is === 'recorded' && result.count === 0) return []
  if (!recorded || recorded.count >= recorded.of || named.type === 'features' || named.type === 'unit') return []
  const { count, of } = recorded
  return new RegExp(`\\b${count} of (?:these |the )?${of}\\b|that records? it`).test(text)
    ? []
    : ['it does not say that frames record nothing']
}

const WHOLE = /\b(?:these|this)\b[^.]{0,8}\bframes?\b|\b(?:all [\d,]+|both) frames\b(?! that record)/i
const PART = /\b(?:the|all|both)(?: [\d,]+)? (?:frames? (?:with|without|where|in|outside|within|at|more|less)\b[^:]*)/i

/** A figure of the algebra says itself over which frames it goes. */
const ownClasses = ({ figure }: ReadFacet['source']) =>
  [...JSON.stringify(figure ?? {}).matchAll(/"is":\["([^"]*)"\]/g)].map(([, value = '']) => value)

function scopeFaults(sentence: string, { source, typed: { scope, frames, result, ward } }: ReadFacet): string[] {
  const own = ownClasses(source)
  if (!own.every((value) => sentence.includes(value))) return ['it does not limit its figure']
  const text = own.reduce(
    (rest, value) => rest.replace(new RegExp(`frames where the [^.:]*? is ${value}`), ''),
    sentence,
  )
  if (ward !== undefined)
    return text.includes(`he ward ${ward}`) || text.includes(`“${ward}”`) ? [] : ['it does not name the ward']
  const part = PART.exec(text)?.[0] ?? ''
  if (scope.length > 0)
    return part === '' && !/^There (?:is|are) [\d,]+ frames? /.test(text)
      ? ['it does not limit the frames']
      : scope.flatMap((test) => testFaults(text, test))
  if (result.is === 'passing')
    return [
      ...(WHOLE.test(text) || text.startsWith('By ') ? [] : ['it limits the frames']),
      ...result.tests.flatMap((test) => testFaults(text, test)),
    ]
  if (part !== '' && !WHOLE.test(text)) return ['it limits the frames']
  return /\b[Tt]hese frames\b/.test(text) && frames === 1
    ? ['it speaks of several frames']
    : /\b[Tt]his frame\b/.test(text) && frames > 1
      ? ['it speaks of one frame']
      : []
}

function testFaults(text: string, { named, test }: NamedTest): string[] {
  const names = 'value' in test && !['true', 'false'].includes(test.value) ? [test.value.toLowerCase()] : namesOf(named)
  const isNamed = names.some((name) => text.toLowerCase().includes(name))
  const negative = /\b(?:no|not|none|without|outside|another|never|0)\b/
  const isNegative = test.test === 'none' || test.test === 'not_class'
  const bounds = boundsIn(test).map(([words, value]) => words.map((word) => word + value))
  return [
    ...(isNamed ? [] : ['it does not name its condition']),
    ...(isNegative && !negative.test(text) ? ['it turns its condition round'] : []),
    ...bounds.flatMap((words) =>
      words.some((bound) => text.replace(/(\d),(?=\d{3})/g, '$1').includes(bound))
        ? []
        : [`it does not say "${words[0]}"`],
    ),
  ]
}
const changeTo = (number: string) =>
  number === '0' ? 'no change' : `an? ${number.startsWith('-') ? 'de' : 'in'}crease of ${num(number.replace('-', ''))}`

/** One of these must match: they say beside which words the number of a figure stands. */
function resultPatterns(facet: ReadFacet): RegExp[] {
  const { source } = facet
  const { result } = facet.typed
  const any = (...patterns: string[]) => patterns.map((pattern) => new RegExp(pattern, 'i'))
  switch (result.is) {
    case 'amount':
      return amountPatterns(facet, result.number)
    case 'extreme': {
      const n = num(result.number)
      if (facet.typed.named.type === 'property')
        return any(`is ${n}[^.]*, at .*${escaped(result.at ?? '').slice(0, 20)}`)
      const others = result.others === 0 ? '(?! and \\d+ others?)' : ` and ${result.others} others?`
      return any(
        facet.typed.frames === 1 ? `(?:is|are) ${n}` : '^$',
        `the same in each of .*: ${n}`,
        `frame ${result.at}${others}(?:(?!frame \\d).)*?${n}`,
        `${n}[^,]*, in frame ${result.at}${others}`,
      )
    }
    case 'interval':
      if (source.of === 'change')
        return any(`95 %.*lies between ${changeTo(result.lower)}.* and ${changeTo(result.upper)}`)
      return any(
        `[(,].*between ${num(result.lower)} and ${num(result.upper)}${result.isOfDraws ? ' with a probability of 95 %' : ''}\\)`,
        `${result.isOfDraws ? '^With a prob.* of 95 %, ' : ''}.*between ${num(result.lower)} and ${num(result.upper)}`,
      )
    case 'mode':
      return any(
        `${escaped(result.classes[0] ?? '')}${result.classes.length > 3 ? `.* and ${result.classes.length - 1} others` : ''}.*${result.count} of ${num(result.of)}.*${num(percentOf(result.count, result.of))} %`,
        result.count === result.of
          ? `of ${allFrames(result.of)}.* (?:is|are) .*${escaped(result.classes[0] ?? '')}`
          : '^$',
        result.count === result.of
          ? `(?:is|are) .*${escaped(result.classes[0] ?? '')}.*, on (?:${allFrames(result.of)}|the only frame)`
          : '^$',
        facet.typed.frames === 1 ? `(?:is|are) .*${escaped(result.classes[0] ?? '')}` : '^$',
        result.count === facet.typed.frames
          ? `in the ${facet.typed.named.label} ${escaped(result.classes[0] ?? '')}`
          : '^$',
      )
    case 'share':
      return any(
        `${escaped(result.value)}.* is the .* of ${partPattern(result)}`,
        `^${partPattern(result)}.* in the .* ${escaped(result.value)}`,
        facet.typed.frames === 1 ? `${result.count === 0 ? 'none|is not' : 'is'} ${escaped(result.value)}` : '^$',
        facet.typed.named.type === 'property' ? `^Of ${num(result.of)} .*, ${num(result.count)} (?:is|are)` : '^$',
        result.of === 0 ? '^There are no ' : '^$',
      )
    case 'classes':
      return any(
        result.classes
          .map(({ value, count }) => `${escaped(value)}”? \\(${count} of ${result.of} frames\\)`)
          .join('.*'),
      )
    case 'composed': {
      const { number, recorded, both } = result
      if (number === undefined) return any('')
      const part = recorded
        ? `.*recorded on ${num(recorded.count)} of ${num(recorded.of)} frames`
        : both
          ? `.*: ${escaped(both)}`
          : ''
      return any(`(?:${number === '0' ? '\\bno\\b|the same|' : ''}${num(number.replace('-', ''))})${part}`)
    }
    case 'text':
      return any(`(?:in the|is|are) [^.]*${escaped(result.value).replace(/["“”]/g, '.')}`)
    case 'recorded':
      return any(
        partPattern(result),
        result.count === 0 ? '\\bno\\b' : '^$',
        result.of === 1 ? 'There are|(?:has|is) [1-9]|records the' : '^$',
      )
    case 'passing': {
      const { names, count } = result
      const list = count === 0 || count === result.of || count > 3 ? '' : `.*: frames? ${names.join('(?:, | and )')}`
      return any(
        `^${partPattern(result)}${list}`,
        result.of === 1 ? (count === 1 ? '^(?:This|The) frame (?!.*is not among)' : 'is not among') : '^$',
      )
    }
    case 'names':
      return any(
        result.count === 0 ? '\\bno\\b' : '^$',
        `(?:${num(result.count)} .*|are )${result.names.map(escaped).join('.*')}`,
      )
    case 'range':
      return any(
        `^The lowest and the highest .* differ by ${num(result.number)}.*from ${num(result.lowest)}.*to ${num(result.highest)}`,
      )
    case 'rank': {
      const { order, ranked, more, tied } = result
      const isCut = tied === undefined && isCutShort(ranked.length, more)
      const said = (isCut ? ranked.slice(0, SAID) : ranked).map(({ name, number }) => `frame ${name} \\(${num(number)}`)
      const list = said.join('.*')
      if (isCut) return any(`${order} of .* (?:is|are) ${list}.* and others`)
      const [one, other] = order === 'highest' ? ranked : ranked.toReversed()
      if (
        one &&
        other &&
        ranked.length === 2 &&
        more === 0 &&
        facet.typed.frames === 2 &&
        facet.typed.scope.length === 0
      )
        return one.number === other.number
          ? any(`^Frame ${one.name} has as (?:many|high) .* as frame ${other.name}: ${num(one.number)}`)
          : any(
              `^Frame ${one.name} has (?:more|a higher) .* than frame ${other.name}: ${num(one.number)}.* against ${num(other.number)}`,
            )
      return any(`the ${order} of .*${list}${othersPattern({ more, ...(tied === undefined ? {} : { tied }) })}`)
    }
    case 'portion':
      return any(`${num(result.percent)} %.*: ${num(result.part)} of ${num(result.whole)}`)
    case 'density':
      return any(
        `${told(statisticOf(source), result.number)}.* per km².*: ${num(result.total)}.* on ${num(result.area)} km²`,
      )
    case 'ratio':
      return any(
        result.number === null
          ? `not defined: there are ${num(result.total)} .*${num(result.otherTotal)}`
          : `per .*${told(statisticOf(source), result.number)}.*: ${num(result.total)}.* and ${num(result.otherTotal)}|${told(statisticOf(source), result.number)} .* per .*: ${num(result.total)}.* and ${num(result.otherTotal)}`,
      )
    case 'change': {
      const way =
        result.difference === '0'
          ? 'no change'
          : `${result.difference.startsWith('-') ? 'a decrease' : 'an increase'} of ${num(result.difference.replace('-', ''))}`
      return any(`${num(result.from)}.* to .*${num(result.to)}.*${way}`)
    }
    case 'groups':
    case 'group':
    case 'groups_passing':
      return any(...groupPatterns(facet, result))
  }
}

/** "A has more schools than B: 5 against 3": the numbers are those of A and B, and the first is the higher. */
function comparisonFaults(text: string, facets: readonly ReadFacet[]): string[] {
  if (text.startsWith('From the ')) {
    const numbers = [...text.matchAll(/ \((-?[\d,.]+)/g)].map(([, number]) => Number(plainNumber(number ?? '')))
    const isInOrder = numbers.every((number, i) => i === 0 || (numbers[i - 1] ?? 0) >= number)
    return isInOrder && text.startsWith('From the highest ') ? [] : ['the order is not that of its figures']
  }
  // resultPatterns reads the sentence that compares two frames.
  if (facets.some(({ typed }) => typed.result.is === 'rank')) return []
  const [, one = '', other = '', high = '', low = ''] =
    /^(.*?) (?:has|have) (?:more|a higher) .* than (.*?): ([\d,.]+).* against ([\d,.]+\d|\d)/.exec(text) ?? []
  if (one === '')
    return / than (?!\d)/.test(text) && !/ another .* than /.test(text)
      ? ['it compares in words that nobody knows']
      : []
  const numberOf = (name: string) => {
    const found = facets.filter(
      ({ source, typed }) =>
        scopeFaults(`${name}.`, { source, typed }).length === 0 &&
        typed.scope.every((test) => testFaults(name, test).length === 0),
    )
    return found.flatMap(({ typed: { result } }) => (result.is === 'amount' ? [plainNumber(result.number)] : []))
  }
  const isRight =
    numberOf(one).includes(plainNumber(high)) &&
    numberOf(other).includes(plainNumber(low)) &&
    Number(plainNumber(high)) > Number(plainNumber(low))
  return isRight ? [] : ['the comparison is not that of its figures']
}
