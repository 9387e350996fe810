/** Answers call the levels of units what the setting PLACE_WORDS says. */
import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { callLevels } from '../../src/core/place.js'
import { callTool } from '../mcp/agent.js'
import { mint, service, type Minted } from '../support/service.js'
import type { Insight } from './ask.js'

const ANSWERS: readonly (readonly [question: string, said: RegExp])[] = [
  ['Which LGA has the most people?', /of all counties: 414,404/],
  ['How many LGAs have a clinic?', /^11 of the 12 counties have clinics/],
  ['Which ward in each LGA has the most people?', /^The parishes of the country .* in each county are/],
  ['Average number of schools per LGA', /schools of a county is 25/],
  ['How many people live in LGAs with more than 5 clinics?', /in counties with more than 5 clinics/],
  ['People per clinic by LGA', /^By county, .*; 1 of 12 counties has no clinics/],
  ['Where is this?', /12 counties\. It has 60 parishes/],
  ['Which LGA does Isale belong to?', /lies in the county Central/],
]

describe('the words of a country for its units', () => {
  let key: Minted
  before(async () => {
    key = await mint(service().db, { org: (await findOrganisation(service().db.run, 'Rich Survey')).orgId })
    callLevels([
      ['lga', 'county'],
      ['ward', 'parish'],
      ['country', 'Velmora'],
    ])
  })
  after(() => callLevels([]))

  for (const [question, said] of ANSWERS)
    it(`stand in the answer to "${question}"`, async () => {
      const given = { question, format: 'figures' }
      const { structuredContent } = await callTool({ url: service().url, secret: key.secret }, 'ask', given)
      const { headline, facets, sources } = structuredContent as unknown as Insight
      assert.match(headline, said)
      const ofIndex = sources.flatMap(({ layerId }, i) => (layerId === 'lyr_administrative' ? [] : (facets[i]?.label ?? []))) // prettier-ignore
      assert.doesNotMatch([headline, ...ofIndex].join('\n'), /\b(LGAs?|[Ww]ards?)\b/)
    })
})
