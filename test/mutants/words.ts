/** These mutants switch off one rule each for the words of a narrative. */
import type { Mutant } from './mutant.js'

const tests = ['insight/words', 'insight/slots', 'insight/narratives', 'insight/narrate']
/** Each entry: the rule, the compiled file in insight, its text, and what takes its place. */
const rules: [breaks: string, file: string, from: string, to: string][] = [
  ['a narrative names the subject of another facet', 'words/agreement.js', '...subjectFaults(view, slot)', '...[]'],
  ['a narrative names another statistic', 'words/agreement.js', '...statisticFaults(view, slot, facets)', '...[]'],
  ['a narrative names another year', 'words/agreement.js', '...yearFaults(view, slot, facets)', '...[]'],
  ['a narrative names another frame', 'words/agreement.js', '...frameFaults(view, slot, frameIds)', '...[]'],
  ['a narrative spreads a total over each frame', 'words/agreement.js', '...spreadFaults(view, slot, facets)', '...[]'],
  ['a narrative names a class of some frames', 'words/agreement.js', '...classFaults(view, slot, families)', '...[]'],
  [
    'a narrative gives the ward a figure of the frames',
    'words/agreement.js',
    '...placeFaults(view, slot, families)',
    '...[]',
  ],
  [
    'a narrative has unknown words and negations',
    'words/claims.js',
    '...clauses.flatMap((clause) => wordFaults(view, clause, context))',
    '...[]',
  ],
  ['a narrative compares untruly', 'words/claims.js', '...comparisonFaults(view, context)', '...[]'],
  ['a narrative tells of what is outside the frames', 'words/claims.js', '...beyondFaults(view)', '...[]'],
  ['a narrative says what every frame has', 'words/claims.js', '...everyFaults(view, context)', '...[]'],
  ['a narrative describes the place', 'words/claims.js', '...characterFaults(view, context)', '...[]'],
  ['a narrative names a label without its figure', 'words/claims.js', '...unfiguredFaults(view, clauses)', '...[]'],
  ['a narrative tells a trend', 'words/comparisons.js', '...trendFaults(view, context)', '...[]'],
  ['a narrative compares with "than"', 'words/comparisons.js', '...thanFaults(view, context)', '...[]'],
  ['a narrative turns a range round', 'words/comparisons.js', '...rangeFaults(view)', '...[]'],
  ['a narrative calls figures alike', 'words/comparisons.js', '...likenessFaults(view, context)', '...[]'],
  ['a narrative says "more"', 'words/comparisons.js', '...moreFaults(view)', '...[]'],
  ['a narrative says "respectively"', 'words/comparisons.js', '...orderFaults(view, context)', '...[]'],
  [
    'any word may stand before a slot',
    'words/neighbours.js',
    '...(isAllowedBefore\n            ? []',
    '...(true\n            ? []',
  ],
  [
    'any word may stand behind a slot',
    'words/neighbours.js',
    '...(isAllowedAfter\n            ? []',
    '...(true\n            ? []',
  ],
  [
    'a negation needs no zero',
    'words/claims.js',
    "[...unknown, 'A negation is refused: say the figure as it is.']",
    'unknown',
  ],
  [
    'an unknown word passes',
    'words/claims.js',
    'if (!isNegated || isAbsence || saysNone(view, clause, context))\n        return unknown;',
    'if (!isNegated || isAbsence || saysNone(view, clause, context))\n        return [];',
  ],
  [
    'a value has no noun of its own',
    'words/slot-text.js',
    'text: `${facet.value} ${countNoun(facet)}`',
    'text: facet.value',
  ],
  ['a value has no statistic of its own', 'words/slot-text.js', "filter((part) => part !== '')", 'filter(() => false)'],
  ['a sentence may be as long as it likes', 'slots.js', 'tokens.length > SENTENCE_TOKENS_MAX', 'false'],
  ['a slot may stand in any section', 'slots.js', 'section && !section.facets.includes(facetPlace(slot))', 'false'],
  ['something may be written against a slot', 'slots.js', '...gluedFaults(masked)', '...[]'],
  ['a digit may be typed', 'prose.js', 'digits || hasRomanNumeral(masked)', 'hasRomanNumeral(masked)'],
  ['a Roman numeral may be typed', 'prose.js', 'digits || hasRomanNumeral(masked)', 'digits'],
  ['a brace may be typed', 'prose.js', '...(braces ?', '...(false ?'],
  ['a strange character may be typed', 'prose.js', '...(others.length > 0 ?', '...(false ?'],
  ['a number word may be typed', 'prose.js', '...numberWordsIn(masked).map(', '...[].map('],
  ['a link may be typed', 'prose.js', 'LINK.test(masked) || ENTITY.test(masked)', 'ENTITY.test(masked)'],
  ['an entity may be typed', 'prose.js', 'LINK.test(masked) || ENTITY.test(masked)', 'LINK.test(masked)'],
  ['a rule of dashes may be typed', 'prose.js', '...(RULE.test(masked) ?', '...(false ?'],
]

export const wordsMutants: Mutant[] = rules.map(([breaks, file, from, to]) => ({
  breaks,
  file: `dist/src/insight/${file}`,
  from,
  to,
  tests,
}))
