/** Mutants of the check of numbers, and of what it keeps from the answer. */
import type { Mutant } from './mutant.js'

const OTHER_FORMS = 'src/insight/other-forms.ts'
const VERIFY = 'src/insight/verify.ts'

export const insightMutants: Mutant[] = [
  {
    breaks: 'a number that no figure has passes',
    file: VERIFY,
    from: 'if (!units || !nouns) return [{',
    to: 'if (!units || !nouns) return []; if (!units) return [{',
    tests: ['insight/verify'],
    grep: 'check of numbers refuses',
  },
  {
    breaks: 'a percentage passes for a plain number',
    file: VERIFY,
    from: "known !== '%'",
    to: 'known !== undefined',
    tests: ['insight/verify'],
    grep: 'check of numbers refuses',
  },
  {
    breaks: 'people pass for households',
    file: VERIFY,
    from: '!nouns.has(noun) &&',
    to: 'false &&',
    tests: ['insight/verify'],
    grep: 'check of numbers refuses',
  },
  {
    breaks: 'an id passes for a number of people',
    file: VERIFY,
    from: 'masked(narrative, ids, isCount)',
    to: 'masked(narrative, ids)',
    tests: ['insight/verify'],
    grep: 'check of numbers refuses',
  },
  {
    breaks: 'the number of a question passes, as the headline quotes it',
    file: VERIFY,
    from: 'figuresOfHeadline(headline), ...',
    to: 'headline, ...',
    tests: ['insight/verify'],
    grep: 'takes no number of the question',
  },
  {
    breaks: 'a minus sign is passed over',
    file: 'src/insight/numbers.ts',
    from: 'multiplyDecimal(signBefore(text, token.at) + value, scale.by)',
    to: 'multiplyDecimal(value, scale.by)',
    tests: ['insight/verify'],
    grep: 'check of numbers refuses',
  },
  {
    breaks: 'a Roman numeral passes',
    file: OTHER_FORMS,
    from: 'text.matchAll(ROMANS)',
    to: "''.matchAll(ROMANS)",
    tests: ['insight/verify'],
    grep: 'check of numbers refuses',
  },
  {
    breaks: 'a narrative that the check refuses is sent',
    file: 'src/insight/narrate.ts',
    from: 'const faults = check(result.text, input.facts).map(',
    to: 'const faults = check(result.text, input.facts).slice(0, 0).map(',
    tests: ['insight/narrate'],
    grep: 'discards a text that fails',
  },
  {
    breaks: 'a narrative is sent where the check throws',
    file: 'src/insight/narrate.ts',
    from: "return [{ text: '', at: 0, why: 'it could not be checked' }]",
    to: 'return []',
    tests: ['insight/narrate'],
    grep: 'never throws',
  },
  {
    breaks: 'frames verify does not look at the narrative',
    file: 'src/cli/verify.ts',
    from: "unaccountedNumbers(answer.narrative ?? '', factsOf(answer))",
    to: "unaccountedNumbers('', factsOf(answer))",
    tests: ['insight/verify-command'],
    grep: 'a number of the narrative that is no figure',
  },
  {
    breaks: 'frames verify takes any figure of a facet',
    file: 'src/insight/replay.ts',
    from: '...difference(orNothing(label), orNothing(value), computed?.value),',
    to: '',
    tests: ['insight/verify-command'],
    grep: 'finds a figure that was changed',
  },
  {
    breaks: 'the tool verify does not look at the numbers',
    file: 'src/mcp/verify-text.ts',
    from: 'unaccountedNumbers(given.text, factsOf(given.answer))',
    to: "unaccountedNumbers('', factsOf(given.answer))",
    tests: ['mcp/verify'],
    grep: 'refuses 999',
  },
]
