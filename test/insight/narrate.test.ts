/** Tests that the narrator refuses a text with a fault, asks for one repair, and never throws. */
import assert from 'node:assert/strict'
import { narrator } from '../../src/insight/narrate.js'
import type { NarrativeInput } from '../../src/insight/prompt.js'
import { LIES, WORDING_MODEL, type Failure } from '../support/wording-server.js'
import { assertDiscreet, failureOf, input, KEY, narrativeOf, passAll, playedEngine } from './engine.js'

const report: NarrativeInput = {
  ...input,
  format: 'report',
  sections: [
    { title: 'Health', facets: [0] },
    { title: 'People and land', facets: [1, 2] },
  ],
}

describe('the narrator', () => {
  const engine = playedEngine()

  it('gives prose with the figures as they stand, and the model that the API reports', async () => {
    const narration = await engine.narrate()
    assert.deepEqual(narration, {
      narrative:
        'The clinics is 12. The population total is 1,234 people. The land cover most common is Cropland (3 of 4 frames, 75 %).',
      model: WORDING_MODEL,
    })
    assert.equal(engine.server.requests.length, 1)
  })

  it('gives a report with the sections of the request, under their titles', async () => {
    engine.server.behave('report')
    const narrative = narrativeOf(await engine.narrate(report))
    assert.equal(
      narrative,
      '## Health\nThe clinics is 12.\n\n## People and land\nThe population total is 1,234 people. The land cover most common is Cropland (3 of 4 frames, 75 %).',
    )
  })

  it('refuses a report with a title missing, added, changed, out of order or without text', async () => {
    const texts = [
      'The clinics number {F1}.',
      '## Health\nThe clinics number {F1}.',
      '## Health\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.\n## Advice\nBuild more.',
      '## Health in brief\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.',
      '## People and land\nPeople: {F2}.\n## Health\nThe clinics number {F1}.',
      '## Health\n## People and land\nPeople: {F2}.',
      '## Health\nPeople: {F2}.\n## People and land\nThe clinics number {F1}.',
    ]
    for (const text of texts) {
      engine.server.behave({ text })
      assert.equal(failureOf(await engine.narrate(report)).failed, 'unverified', text)
    }
  })

  it('tolerates another heading level, a colon, blanks, a heading above and an introduction', async () => {
    const sections = '## Health\nThe clinics number 12.\n\n## People and land\nPeople: 1,234 people.'
    for (const text of [
      '### Health\nThe clinics number {F1}.\n### People and land\nPeople: {F2}.',
      '## Health:\n\nThe clinics number {F1}.\n\n## people and land \nPeople: {F2}.',
      '# Report\n\n## Health\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.',
    ]) {
      engine.server.behave({ text })
      assert.equal(narrativeOf(await engine.narrate(report)), sections, text)
    }
    engine.server.behave({
      text: 'Here is a short report.\n\n## Health\nThe clinics number {F1}.\n## People and land\nPeople: {F2}.',
    })
    assert.equal(narrativeOf(await engine.narrate(report)), `Here is a short report.\n\n${sections}`)
  })

  it('puts facets under a plain title where their own holds a number that is no figure', async () => {
    const titled = {
      ...report,
      sections: [
        { title: 'Agenda 2030', facets: [0] },
        { title: 'Land', facets: [1, 2] },
      ],
    }
    const check = (text: string) => (text.includes('2030') ? [{ text: '2030', at: 0, why: 'not a figure' }] : [])
    assert.match(narrativeOf(await engine.narrate(titled, check)), /^## Other figures\n.*\n\n## Land\n/)
    assert.match(narrativeOf(await engine.narrate(titled)), /^## Agenda 2030\n/)
  })

  for (const lie of LIES) {
    it(`refuses a lie, twice: ${lie}`, async () => {
      engine.server.behave({ lie })
      const { failed, reason } = failureOf(await engine.narrate())
      assert.equal(failed, 'unverified')
      assert.equal(engine.server.requests.length, 2)
      assertDiscreet(reason)
    })
  }

  it('asks for a repair once: the text goes back with its faults', async () => {
    engine.server.behave((_, place) => (place === 0 ? { lie: 'number word' } : 'well'))
    narrativeOf(await engine.narrate())
    const [first, second] = engine.server.requests.map(({ body }) => body.messages)
    assert.equal(first?.length, 1)
    assert.deepEqual(second?.[0], first?.[0])
    assert.match(second?.[1]?.content ?? '', /There are seven more nearby/)
    assert.match(second?.[2]?.content ?? '', /"seven" is a number word/)
    assert.deepEqual(
      second?.map(({ role }) => role),
      ['user', 'assistant', 'user'],
    )
  })

  it('sends "(nothing)" back in place of an empty text, which the API would refuse', async () => {
    engine.server.behave((_, place) => (place === 0 ? { text: ' ' } : 'well'))
    narrativeOf(await engine.narrate())
    assert.equal(engine.server.requests[1]?.body.messages[1]?.content, '(nothing)')
  })

  it('fails as unverified where a text came and its repair failed, within the same deadline', async () => {
    for (const fail of [500, 'hang in body'] satisfies Failure[]) {
      engine.server.requests.length = 0
      engine.server.behave((_, place) => (place === 0 ? { lie: 'digit' } : { fail }))
      assert.equal(
        failureOf(await engine.narrate(input, passAll, fail === 500 ? undefined : 1000)).failed,
        'unverified',
      )
      assert.equal(engine.server.requests.length, 2)
    }
  })

  it('checks the numbers of the finished text, and discards a text that fails', async () => {
    const texts: string[] = []
    const check = (text: string) => (texts.push(text), [{ text: '12', at: 4, why: 'not a figure' }])
    const { failed } = failureOf(await engine.narrate(input, check))
    assert.equal(failed, 'unverified')
    assert.match(texts[0] ?? '', /^The clinics is 12\./)
    assert.match(engine.server.requests[1]?.body.messages[2]?.content ?? '', /"12" is refused: not a figure/)
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
    assert.equal(
      failureOf(await engine.narrate({ ...input, facts: { ...input.facts, facets: [] } })).failed,
      'unverified',
    )
    assert.equal(engine.server.requests.length, 0)
  })
})
