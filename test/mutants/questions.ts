/** Mutants of what a question gets, and of what it pays for. */
import type { Mutant } from './mutant.js'

export const questionMutants: Mutant[] = [
  {
    breaks: 'a question pays for a figure that is only near to it',
    file: 'dist/src/insight/findings.js',
    from: '!ask.isNearest || ',
    to: 'true || ',
    tests: ['insight/charges'],
  },
  {
    breaks: 'a question that asks for no dataset pays for a profile of all',
    file: 'dist/src/insight/findings.js',
    from: '?? freeProfile(figures)',
    to: '?? profileOf(figures)',
    tests: ['insight/charges'],
  },
  {
    breaks: 'a figure of a dataset that was not paid is in the answer',
    file: 'dist/src/insight/findings.js',
    from: '.every(isKept))',
    to: '.every(() => true))',
    tests: ['insight/charges'],
  },
  {
    breaks: 'the nearest figure passes for an answer',
    file: 'dist/src/insight/choice.js',
    from: 'isAnswered && !ask.isNearest',
    to: 'isAnswered',
    tests: ['insight/charges', 'insight/questions'],
  },
  {
    breaks: 'an unknown word of one question of two spoils the other',
    file: 'dist/src/insight/reading/compound.js',
    from: 'keepsAll && ',
    to: 'false && ',
    tests: ['insight/charges'],
  },
  {
    breaks: 'a total of some frames passes for the total of all',
    file: 'dist/src/insight/headline.js',
    from: 'coverage.frames < coverage.of',
    to: 'false',
    tests: ['insight/headline'],
  },
  {
    breaks: 'a follow-up asks again what was asked',
    file: 'dist/src/insight/follow-ups.js',
    from: '!asks.some((ask) => isAnswerOf(suggestion, ask)) &&',
    to: '',
    tests: ['insight/follow-ups'],
  },
  {
    breaks: 'a number that the headline quotes from the question passes for a figure',
    file: 'dist/src/insight/verify.js',
    from: 'figuresOfHeadline(headline), ...',
    to: 'headline, ...',
    tests: ['insight/verify'],
    grep: 'takes no number of the question',
  },
  {
    breaks: 'a replay takes any place that a headline names',
    file: 'dist/src/insight/noted-places.js',
    from: '(await isTrue(note, name, scope))',
    to: 'true',
    tests: ['insight/places'],
    grep: 'checked by a replay',
  },
  {
    breaks: 'a free answer vanishes beside a dataset that was left out',
    file: 'dist/src/insight/findings.js',
    from: '!leftOut.some((dataset) => dataset.layerId === layerId)',
    to: 'leftOut.length === 0',
    tests: ['insight/charges'],
    grep: 'records nothing',
  },
]
