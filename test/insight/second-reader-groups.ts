/** Patterns of sentences about figures of units and classes. */
import type { ResultOf } from '../../src/core/figures/typed.js'
import type { Facet } from '../../src/core/figures/facets.js'
import {
  boundsIn,
  escaped,
  isCutShort,
  num,
  othersPattern,
  SAID,
  silentPattern,
  statisticOf,
  told,
} from './second-reader-patterns.js'

/** One of these must match. */
export function groupPatterns(
  { typed, source }: Pick<Facet, 'typed' | 'source'>,
  result: ResultOf<'groups'> | ResultOf<'group'> | ResultOf<'groups_passing'>,
): string[] {
  switch (result.is) {
    case 'groups': {
      const bounded = result.ranked.flatMap(({ name, lower, upper }) =>
        lower && upper ? [`${escaped(name)} \\(between ${num(lower)} and ${num(upper)} `] : [],
      )
      if (bounded.length > 0)
        return [
          `95 % interval: ${bounded.join('.*')}${silentPattern(result)}`,
          ...result.ranked.map(
            ({ lower = '', upper = '' }) => `\\(.*between ${num(lower)} and ${num(upper)} with a probability of 95 %`,
          ),
        ]
      const isCut = result.tied === undefined && isCutShort(result.ranked.length, result.more)
      const listed = (all: typeof result.ranked) =>
        all
          .map(({ name, number }) => `${told(statisticOf(source), number)}[^;]*?(?:in|is) “?${escaped(name)}`)
          .join('.*')
      const list = listed(isCut ? result.ranked.slice(0, SAID) : result.ranked)
      const some = result.ranked.filter(({ number }) => number !== '0')
      const { recorded } = typed
      const isWhole = result.silent === 0 && recorded?.count === recorded?.of
      if (
        result.words?.things &&
        result.order === undefined &&
        isWhole &&
        some.length < result.ranked.length &&
        result.all - some.length > 1
      )
        return [
          some.length === 0 ? '(?:has|have) no .* in any ' : `${listed(some)} and none (?:in any other|elsewhere)`,
        ]
      if (isCut) return [`${list} and others${silentPattern(result)}`]
      return [`${list}${othersPattern(result)}${silentPattern(result)}`]
    }
    case 'group': {
      const [first = ''] = result.names
      const of = result.number === '0' ? `^“?${escaped(first)}.* no .*, the (?:most|fewest) of all` : '^$'
      return [
        of,
        `^“?${escaped(first)}.* (?:has|have) the (?:highest|lowest) number of .*frames.*: ${num(result.number)}`,
        `those (?:in|where .* is) “?${escaped(first)}.* (?:most|highest|fewest|lowest) .*: ${told(statisticOf(source), result.number)}${silentPattern(result)}`,
      ]
    }
    case 'groups_passing': {
      const { names, count, all } = result
      const said = isCutShort(names.length, count - names.length) ? names.slice(0, SAID) : names
      const list = count === all ? '' : said.map(escaped).join('.*')
      const bounds = boundsIn(result.test).map(([words, value]) => `(?=.*(?:${words.join('|')})${num(value)})`)
      const isNone = count === 0 && result.test.test === 'none' && result.silent === 0
      const part =
        all === 1 && result.silent === 0
          ? `the only .* ${count === 1 || isNone ? 'has' : 'does not have'}`
          : count === all || isNone
            ? `all of the ${num(all)}`
            : `${count === 0 ? 'none' : num(count)} of the ${num(all)}`
      return [`${bounds.join('')}^${part} .*${list}${silentPattern(result)}`]
    }
  }
}
