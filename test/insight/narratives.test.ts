/**
 * Counts which narratives are returned: planted wrong ones of twelve families, and faithful ones. Each is a template
 * about the figures of a saved answer; "{=Label}" is the slot of the facet with that label, "{=L:Label}" its label.
 */
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { projectFolder } from '../../src/db/statement.js'
import { own, parsed, passedAndRefused, returnedText, type NarrativeCorpus } from '../scores/narratives.js'

/** The corpus of the project's owner is no part of the repository. */
const given = process.env['NARRATIVES'] ?? new URL('../shared/data/questions/narratives.json', projectFolder)

describe('narratives', function () {
  this.timeout(120_000)
  const corpus = parsed(new URL('narratives.json', own)) as NarrativeCorpus

  it('are refused where they are wrong, and returned where they are faithful', async () => {
    assert.ok(corpus.wrong.length >= 640 && corpus.faithful.length >= 530)
    const { passed, refused } = await passedAndRefused(corpus)
    assert.deepEqual(passed, [])
    assert.ok(refused.length <= 10, refused.join('\n'))
  })

  it('of the owner are refused where they are wrong, and at most two of the faithful ones', async function () {
    if (!existsSync(given)) {
      console.log(`      There are no narratives at ${String(given)}: set NARRATIVES to their file.`)
      this.skip()
    }
    const { passed, refused } = await passedAndRefused(parsed(given) as NarrativeCorpus)
    assert.deepEqual(passed, [])
    assert.ok(refused.length <= 2, refused.join('\n'))
  })

  it('print the noun of a value, and the statistic that their clause leaves out', async () => {
    const cases: [scenario: string, template: string, text: string][] = [
      ['PROFILE', 'There are {=Schools} schools.', 'There are 24 schools.'],
      ['PROFILE', 'Schools number {=Schools}.', 'Schools number 24.'],
      ['PROFILE', 'The area has {=Schools}.', 'The area has 24 schools.'],
      ['PROFILE', 'Shops total {=Shops, total}.', 'Shops total 1,808 shops.'],
      ['PROFILE', 'It has {=Shops, total} shops.', 'It has 1,808 shops.'],
      ['PROFILE', 'The area has {=Population, 2026 estimate, total}.', 'The area has 63,368 people (2026 estimate).'],
      [
        'PROFILE',
        'The {=L:Population, 2026 estimate, total} is {=Population, 2026 estimate, total}.',
        'The Population, 2026 estimate, total is 63,368 people.',
      ],
      [
        'PROFILE',
        'The mean slope is {=Mean slope, average by area}.',
        'The mean slope is 1.19 degrees (average by area).',
      ],
      [
        'PROFILE',
        'The mean slope, averaged by area, is {=Mean slope, average by area}.',
        'The mean slope, averaged by area, is 1.19 degrees.',
      ],
      [
        'PROFILE',
        'It is built-up land ({=Land cover, most common}).',
        'It is built-up land (Built-up (land cover, most common: 9 of 9 frames, 100 %)).',
      ],
      ['CMP', 'The first frame has {=Buildings, frame 325098002}.', 'Frame 325098002 has 1,004 buildings.'],
      ['CMP', 'The two frames hold {=Buildings, total}.', 'The 2 frames hold 2,042 buildings.'],
    ]
    for (const [scenario, template, text] of cases) assert.equal(await returnedText({ scenario, template }), text)
  })
})
