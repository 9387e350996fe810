import assert from 'node:assert/strict'
import type { FigureStatistic } from '../../src/insight/figures.js'
import {
  headlineOf,
  isPossibleHeadline,
  isUnanswered,
  type AnsweringFacet,
  type HeadlineInput,
} from '../../src/insight/headline.js'

const facet = (label: string, value: string, statistic: FigureStatistic = 'sum', frames = 9): AnsweringFacet => ({
  label,
  value,
  source: { label, layerId: 'lyr_x', dataset: 'X', attribute: 'x', statistic, frames },
  coverage: { frames, of: Math.max(frames, 9) },
})
const people = facet('Population, total', '20,269 people')
const shops = facet('Shops, total', '39 shops')

const headline = (input: Partial<HeadlineInput>) =>
  headlineOf({
    about: 'figures',
    answers: [],
    nearest: [],
    unknown: [],
    unanswered: [],
    priced: [],
    places: { absent: [], partial: [] },
    frames: 9,
    leftOut: [],
    ...input,
  })

describe('a headline', () => {
  const forms: [string, Partial<HeadlineInput>, expected: string][] = [
    ['has the figure that answers', { answers: [people] }, 'Population, total: 20,269 people (9 frames asked).'],
    ['counts one frame', { answers: [people], frames: 1 }, 'Population, total: 20,269 people (1 frame asked).'],
    [
      'has the figures of every ask',
      { answers: [people, shops] },
      'Population, total: 20,269 people; Shops, total: 39 shops (9 frames asked).',
    ],
    [
      'says how many frames record a total, where not all do',
      { answers: [{ ...facet('Shops, total', '215 shops', 'sum', 26), coverage: { frames: 26, of: 50 } }], frames: 50 },
      'Shops, total: 215 shops, recorded on 26 of 50 frames (50 frames asked).',
    ],
    [
      'names words that no dataset has before the nearest figure',
      { nearest: [people], unknown: ['died', 'cholera'] },
      'No dataset records "died", "cholera". The nearest: Population, total: 20,269 people (9 frames asked).',
    ],
    [
      'keeps the answer to one part apart from the nearest to the other',
      { answers: [shops], nearest: [people], unknown: ['died'] },
      'No dataset records "died". Shops, total: 39 shops (9 frames asked). The nearest to the rest: Population, total: 20,269 people.',
    ],
    [
      'offers a profile where no figure is near',
      { unknown: ['governor'] },
      'No dataset records "governor". A profile of 9 frames.',
    ],
    [
      'names a part that is understood and not computed',
      { answers: [shops], unanswered: ['near a road'] },
      'Not answered: "near a road". Shops, total: 39 shops (9 frames asked).',
    ],
    [
      'names a dataset that the credits do not cover before anything else',
      { leftOut: [{ name: 'Nature reserves' }], unknown: ['died'], nearest: [people] },
      'Nature reserves is left out: the credits do not cover its price. No dataset records "died". The nearest: Population, total: 20,269 people (9 frames asked).',
    ],
    [
      'names a subject that costs credits and that nobody asked for alone',
      { unknown: ['operate'], priced: ['Shops'], places: { absent: ['Kofa'], partial: [] } },
      'No dataset records "operate". "Shops" costs credits: ask for it by name. None of these frames lies in Kofa. A profile of 9 frames.',
    ],
    [
      'names several of them before the nearest figure that is free',
      { unanswered: ['near'], priced: ['Shops', 'Households'], nearest: [people] },
      'Not answered: "near". "Shops", "Households" cost credits: ask for them by name. The nearest: Population, total: 20,269 people (9 frames asked).',
    ],
    [
      'names a place that none of the frames lies in before the figure of the frames',
      { answers: [shops], unknown: ['died'], places: { absent: ['Marembe', 'Kofa'], partial: [] } },
      'No dataset records "died". None of these frames lies in Marembe or Kofa. Shops, total: 39 shops (9 frames asked).',
    ],
    [
      'names a place that some of the frames lie in before a profile of all of them',
      { about: 'overview', places: { absent: ['Kofa'], partial: ['Marembe'] } },
      'None of these frames lies in Kofa. Only some of these frames lie in Marembe. Profile of 9 frames.',
    ],
    ['says that it is a profile', { about: 'overview' }, 'Profile of 9 frames.'],
    [
      'says that it found no question',
      { about: 'nothing' },
      'No question about these frames was found. A profile of 9 frames.',
    ],
  ]

  for (const [rule, input, expected] of forms) {
    it(rule, () => {
      assert.equal(headline(input), expected)
      const { answers = [], nearest = [], frames = 9, leftOut = [] } = input
      const replayed = { facets: [...answers, ...nearest], frames, leftOut }
      assert.ok(isPossibleHeadline(expected, replayed), 'a replay accepts it')
      assert.ok(!isPossibleHeadline(expected.replace(/\d+(?=\D*$)/, '8'), replayed), 'a replay refuses another number')
    })
  }

  it('says that a question is not answered wherever a part of it is not', () => {
    for (const [, input, expected] of forms) {
      const { unknown = [], unanswered = [], about } = input
      const isPart = unknown.length + unanswered.length > 0 || about === 'nothing'
      assert.equal(isUnanswered(expected), isPart, expected)
    }
  })

  it('quotes no quotation mark of the question', () => {
    assert.equal(headline({ unknown: ['a "b'] }), `No dataset records "a 'b". A profile of 9 frames.`)
  })
})
