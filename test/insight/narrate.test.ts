/** Tests that a narrative is made of chosen sentences, whatever the model returns, and that the narrator never throws. */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { narrator, type NarrativeInput } from '../../src/core/insight/narrate.js'
import { numbered } from '../../src/core/insight/sentences/compose.js'
import { menuOf } from '../../src/core/insight/sentences/menu.js'
import { unaccountedNumbers } from '../../src/core/insight/verify/verify.js'
import { sampleOfCases } from '../support/sample.js'
import { LIES, WORDING_MODEL } from '../support/wording-server.js'
import { assertDiscreet, failureOf, input, KEY, narrativeOf, passAll, playedEngine } from './engine.js'
import { clinics, inputOf, madeFacets, people, total } from './made-figures.js'

const report: NarrativeInput = { ...input, format: 'report' }

describe('the narrator', () => {
  const engine = playedEngine()
  const choosing = (paragraphs: unknown) => engine.server.behave({ choose: () => ({ paragraphs }) })

  it('joins the chosen sentences behind the one that answers the question, and names the model', async () => {
    choosing([[3, 2], [4]])
    const narration = await engine.narrate()
    assert.ok('narrative' in narration)
    assert.equal(
      narration.narrative,
      'These frames have 12 clinics in total. The most common land cover of these frames is Cropland (3 of 4 frames, 75 %). ' +
        'The population of these frames is 1,234 people in total.\n\n' +
        'The highest population of these frames is 800 people, in frame 35640905.',
    )
    assert.equal(narration.model, WORDING_MODEL)
    assert.deepEqual(
      narration.paragraphs.map(({ sentences }) => sentences.map(({ figures }) => figures)),
      [[[0], [2], [1]], [[3]]],
    )
  })

  it('says each sentence once, and says "They" only behind a sentence about the same frames', async () => {
    engine.server.behave({
      choose: ({ menu }) => {
        const place = menu.findIndex(({ text }) => text.startsWith('These frames lie')) + 1
        return { paragraphs: [[1, 1, place, 2, place, 2]] }
      },
    })
    assert.equal(
      narrativeOf(await engine.narrate()),
      'These frames have 12 clinics in total. They lie in the ward GRA 2. In total, the population of these frames is 1,234 people.',
    )
  })

  it('begins with what is not recorded or left out, and marks figures that are only near, whatever is chosen', async () => {
    const notes = ['Shops is left out: the credits do not cover its price.', 'No dataset has a name for "cholera".']
    for (const numbers of [[], [6, 5, 4, 3, 2, 1]]) {
      choosing([numbers])
      const narrative = narrativeOf(await engine.narrate({ ...input, notes, answers: [1], nearest: [0] }))
      assert.ok(
        narrative.startsWith(
          `${notes.join(' ')} The population of these frames is 1,234 people in total. The next figure is near to the question, and does not answer it. In total, there are 12 clinics in these frames.`,
        ),
        narrative,
      )
    }
  })

  it('says in other words what a note leaves out whose quoted number is no figure', async () => {
    choosing([[]])
    const notes = ['No dataset has a name for "999 lions".']
    const narrative = narrativeOf(await engine.narrate({ ...input, notes }, unaccountedNumbers))
    assert.equal(narrative, 'The headline says what this answer leaves out. These frames have 12 clinics in total.')
  })

  it('says of the figure of one frame how it was made, and on how many frames a figure stands', async () => {
    const modelled = people({ method: 'modelled estimate', frames: 3, sum: '900' })
    const facets = [...clinics(), total(modelled)]
    choosing([[1, 2]])
    const withCounts = inputOf(facets, { answers: [2] })
    assert.equal(
      narrativeOf(await engine.narrate(withCounts)),
      'The population (modelled estimate) of these frames is 900 people in total, recorded on 3 of 4 frames. In total, there are 12 clinics in these frames.',
    )
    const alone = [
      { ...total(modelled), typed: { ...total(modelled).typed, frames: 1, recorded: { count: 1, of: 1 } } },
    ]
    choosing([[]])
    assert.equal(
      narrativeOf(await engine.narrate(inputOf(alone))),
      'The population (modelled estimate) of this frame is 900 people.',
    )
  })

  it('writes a report: the answer first, then each section of the request under its title', async () => {
    assert.equal(
      narrativeOf(await engine.narrate(report)),
      'These frames have 12 clinics in total.\n\n' +
        '## People\nIn total, the population of these frames is 1,234 people. Of these frames, frame 35640905 has the highest population: 800 people.\n\n' +
        '## Land\nThe most common land cover of these frames is Cropland (3 of 4 frames, 75 %).\n\n' +
        '## Frame index\nThese 4 frames cover 4.92 km². These frames lie in the ward GRA 2.',
    )
  })

  it('puts sentences under a plain title where their own holds a number that is no figure', async () => {
    const facets = madeFacets().map((facet) => ({ ...facet, category: 'Agenda 2030' }))
    const titled = { ...inputOf(facets), format: 'report' as const }
    assert.match(narrativeOf(await engine.narrate(titled, unaccountedNumbers)), /\n\n## Other figures\n/)
  })

  for (const lie of LIES) {
    it(`refuses what is no choice of the menu: ${lie}`, async () => {
      for (const format of ['plain', 'report'] as const) {
        engine.server.requests.length = 0
        engine.server.behave({ lie })
        const { failed, reason } = failureOf(await engine.narrate({ ...input, format }))
        assert.equal(failed, 'unverified')
        assert.equal(engine.server.requests.length, 1)
        assertDiscreet(reason)
      }
    })
  }

  it('refuses a section that takes a sentence of another', async () => {
    engine.server.behave({ choose: () => ({ section1: [3], section2: [2], section3: [] }) })
    assert.equal(failureOf(await engine.narrate(report)).failed, 'unverified')
  })

  it('checks the numbers of the finished text, and discards a text that fails', async () => {
    const check = (text: string) => (text.includes('. ') ? [{ text: '12', at: 4, why: 'not a figure' }] : [])
    assert.equal(failureOf(await engine.narrate(input, check)).failed, 'unverified')
  })

  it('never throws, also where the check or the engine throws', async () => {
    const throwing = () => {
      throw new Error(`${KEY} ${input.question}`)
    }
    const unchecked = failureOf(await engine.narrate(input, throwing))
    assert.equal(unchecked.failed, 'unverified')
    assertDiscreet(unchecked.reason)
    assertDiscreet(failureOf(await narrator(throwing, passAll)(input)).reason)
    const stubborn = () => new Promise<never>(() => {})
    assert.equal(failureOf(await narrator(stubborn, passAll, { deadlineMs: 100 })(input)).failed, 'unavailable')
  })

  it('asks nothing where there are no facets', async () => {
    assert.equal(failureOf(await engine.narrate(inputOf([], { answers: [] }))).failed, 'unverified')
    assert.equal(engine.server.requests.length, 0)
  })

  it('gives sentences of the menu or nothing, whatever JSON the model returns', async () => {
    const menu = menuOf(input, passAll)
    const { length } = numbered(menu)
    const known = [...numbered(menu), ...menu.all].flatMap(({ wordings }) => wordings)
    const numbers = fc.oneof(
      fc.integer({ min: -2, max: 14 }),
      fc.double(),
      fc.constantFrom('1', null, true, '__proto__'),
    )
    const lists = fc.oneof(
      fc.array(fc.array(numbers)),
      fc.array(fc.array(fc.integer({ min: 1, max: length }))),
      fc.jsonValue(),
    )
    const answer = fc.oneof(
      fc.record({ paragraphs: lists }).map((each) => JSON.stringify(each)),
      fc.json(),
      fc.string({ unit: 'binary' }),
    )
    const told: string[] = []
    const isKnown = (text: string) => known.includes(text) || known.includes(text.replace(/^They /, 'These frames '))
    await fc.assert(
      fc.asyncProperty(answer, async (text) => {
        const narration = await narrator(() => Promise.resolve({ text, model: 'm' }), passAll)(input)
        if (!('narrative' in narration)) return assert.equal(narration.failed, 'unverified')
        told.push(narration.narrative)
        assert.ok(narration.narrative.startsWith('These frames have 12 clinics in total.'))
        const said = narration.paragraphs.flatMap(({ sentences }) => sentences)
        assert.equal(new Set(said.flatMap(({ figures }) => figures.join())).size, said.length)
        for (const { text: sentence } of said) assert.ok(isKnown(sentence), sentence)
      }),
      sampleOfCases(1000, 10_000),
    )
    assert.ok(told.length > 100, `${told.length} narratives`)
  })
})
