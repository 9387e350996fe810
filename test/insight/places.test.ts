import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { mint, service, type Minted } from '../support/service.js'
import { groupThousands } from '../../src/core/decimal.js'
import { callTool } from '../mcp/agent.js'
import { placeName } from '../../src/core/place-name.js'
import { insightOf, type Insight } from './ask.js'

type Things = 'schools' | 'people'
const MAREMBE = { state: 'marembe' }
const LAKESIDE = { state: 'marembe', lga: 'lakeside' }
const COUNTRY = { bbox: '-1,-1,1,1' }
/** The units that the figures of an answer are of, in its order. */
const asked: readonly [given: object, question: string, ...figures: [Things, ...unit: string[]][]][] = [
  [MAREMBE, 'And the LGA of Central, how many schools?', ['schools', 'MAREMBE', 'CENTRAL']],
  [MAREMBE, 'And Central LGA, how many schools?', ['schools', 'MAREMBE', 'CENTRAL']],
  [MAREMBE, 'Hillcrest ward, number of people', ['people', 'MAREMBE', 'MAREMBE NORTH', 'HILLCREST']],
  [MAREMBE, 'My ward is Hillcrest. How many people live there?', ['people', 'MAREMBE', 'MAREMBE NORTH', 'HILLCREST']],
  [
    MAREMBE,
    'Old Market ward, how many schools?',
    ['schools', 'MAREMBE', 'KIRIN GATE', 'OLD MARKET'],
    ['schools', 'MAREMBE', 'MAREMBE NORTH', 'OLD MARKET'],
  ],
  [
    MAREMBE,
    'How many people, Lakeside LGA, and how many schools?',
    ['people', 'MAREMBE', 'LAKESIDE'],
    ['schools', 'MAREMBE', 'LAKESIDE'],
  ],
  [
    MAREMBE,
    'Lakeside LGA population and how many schools',
    ['people', 'MAREMBE', 'LAKESIDE'],
    ['schools', 'MAREMBE', 'LAKESIDE'],
  ],
  [MAREMBE, 'The LGA called Lakeside: how many schools?', ['schools', 'MAREMBE', 'LAKESIDE']],
  [COUNTRY, 'What about the LGA Lagoon, how many people?', ['people', "N'DARA", 'LAGOON']],
  [COUNTRY, "N'Dara state, number of schools", ['schools', "N'DARA"]],
  [COUNTRY, 'State of Marembe: how many schools?', ['schools', 'MAREMBE']],
  [
    COUNTRY,
    'What about the wards Ibis and Palace, how many people?',
    ['people', "N'DARA", 'LAGOON', 'IBIS'],
    ['people', 'OKE/ISALE', 'ITA-MERIN', 'PALACE'],
  ],
  [COUNTRY, 'What is the population of the LGA Central in Oke/Isale?', ['people', 'OKE/ISALE', 'CENTRAL']],
  [
    MAREMBE,
    'How many people, and what about Twin Wells?',
    ['people', 'MAREMBE'],
    ['people', 'MAREMBE', 'KIRIN GATE', 'TWIN WELLS'],
  ],
  [MAREMBE, 'How many schools does the state have?', ['schools', 'MAREMBE']],
  [LAKESIDE, 'How many people live in this LGA?', ['people', 'MAREMBE', 'LAKESIDE']],
]
const ofOtherUnits: readonly [given: object, question: string, words: string][] = [
  [LAKESIDE, 'How many people live in the whole state?', 'in state'],
  [LAKESIDE, "The state's population", "state's"],
  [LAKESIDE, 'Entire state: how many people?', 'state'],
  [MAREMBE, 'How many people live in this LGA?', 'in LGA'],
  [MAREMBE, 'How many schools does the ward have?', 'ward'],
  [COUNTRY, 'What is the population of the state?', 'of state'],
]

describe('a question that names a place', function () {
  this.timeout(120_000)
  let key: Minted
  let inside: string[]
  let elsewhere: string[]
  let state: string
  let otherState: string

  before(async () => {
    const { db } = service()
    key = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    const states = await db.rows<{ state: string; ids: string[] }>(
      `select state, (array_agg(frame_id::text order by frame_id))[1:4] as ids from frame
       where state is not null group by state having count(*) > 3 order by state limit 2`,
      [],
    )
    const [one, other] = states
    assert.ok(one && other)
    ;[state, inside, otherState, elsewhere] = [one.state, one.ids, other.state, other.ids]
  })

  const insight = (question: string, frameIds: string[]) =>
    insightOf({ url: service().url, secret: key.secret }, { frameIds, question })

  it('says before any figure that none of the frames lies there', async () => {
    for (const question of [`schools in ${otherState} state`, `How many schools are in ${otherState.toLowerCase()}?`]) {
      const { headline, facets } = await insight(question, inside)
      const name = question.includes(otherState) ? `${otherState} state` : otherState.toLowerCase()
      assert.equal(
        headline,
        `None of these frames lies in ${name}. The nearest: these frames have ${facets[0]?.value === '0' ? 'no schools' : `${facets[0]?.value} schools in total`}.`,
      )
    }
  })

  it('has the figure of the frames that lie there where only some do', async () => {
    const { headline, facets, sources } = await insight(`schools in ${otherState} state`, [...inside, ...elsewhere])
    const [there] = (await insight('schools', elsewhere)).facets
    assert.deepEqual(facets[0], { label: `Schools, in ${placeName(otherState)}`, value: there?.value })
    assert.match(
      headline,
      new RegExp(`^${placeName(otherState)} has ${there?.value === '0' ? 'no' : there?.value} school`),
    )
    assert.deepEqual((sources[0] as unknown as { where: unknown }).where, [
      { layerId: 'frames', attribute: 'state', test: 'class', value: otherState },
    ])
  })

  it('has a figure for each of two states, and says that some frames of a profile lie elsewhere', async () => {
    const both = await insight(`schools in ${state} state and ${otherState} state`, [...inside, ...elsewhere])
    assert.deepEqual(
      both.facets.slice(0, 2).map(({ label }) => label),
      [state, otherState].map((name) => `Schools, in ${placeName(name)}`),
    )
    const { headline } = await insight(`tell me about ${state} state`, [...inside, ...elsewhere])
    assert.equal(headline, `Only some of these frames lie in ${state} state. Profile of 8 frames.`)
  })

  it('has a figure for each of two subjects, each in its own place', async () => {
    const both = await insight(`schools in ${state} state and clinics in ${otherState} state`, [
      ...inside,
      ...elsewhere,
    ])
    assert.deepEqual(
      both.facets.slice(0, 2).map(({ label }) => label),
      [`Schools, in ${placeName(state)}`, `Clinics, in ${placeName(otherState)}`],
    )
  })

  it('compares a place that all of the frames lie in', async () => {
    const found = await service().db.rows<{ id: string }>(
      `select frame_id::text as id from frame where lga = 'MERIDIAN BAY' order by ward = 'WEST QUAY', frame_id limit 9`,
      [],
    )
    const [one] = await service().db.rows<{ id: string }>(
      `select frame_id::text as id from frame where ward = 'WEST QUAY' order by frame_id limit 1`,
      [],
    )
    const ids = [...found.map(({ id }) => id), one?.id ?? '']
    const { facets } = await insight('people in West Quay compared with Meridian Bay', ids)
    const [ward, lga] = facets.filter(({ label }) => label.startsWith('Population, 2026 estimate, total, in '))
    const [part] = (await insight('how many people live here', ids.slice(-1))).facets
    const [all] = (await insight('how many people live here', ids)).facets
    assert.deepEqual(ward, { ...part, label: 'Population, 2026 estimate, total, in West Quay' })
    assert.deepEqual(lga, { ...all, label: 'Population, 2026 estimate, total, in Meridian Bay' })
  })

  it('is found in any case, with the letter before its apostrophe', async () => {
    const [own] = await service().db.rows<{ ids: string[] }>(
      `select (array_agg(frame_id::text order by frame_id))[1:3] as ids from frame where state = 'N''DARA'`,
      [],
    )
    assert.ok(own)
    for (const name of ["n'dara", 'N’Dara', "N'DARA"])
      assert.match((await insight(`people in ${name}`, [...inside, ...own.ids])).headline, /N'Dara/)
  })

  it('is each of the units that have the name', async () => {
    const { db } = service()
    const units = await db.rows<{ state: string; lga: string; ids: string[] }>(
      `select state, lga, (array_agg(frame_id::text order by frame_id))[1:3] as ids from frame
       where lga = 'CENTRAL' group by state, lga order by state`,
      [],
    )
    assert.equal(units.length, 2)
    const { facets } = await insight(
      'how many people live in Central',
      units.flatMap(({ ids }) => ids),
    )
    for (const [i, { state: name, ids }] of units.entries()) {
      const label = `Population, 2026 estimate, total, in Central (${placeName(name)})`
      const [own] = (await insight('how many people live here', ids)).facets
      assert.deepEqual(facets[i], { label, value: own?.value })
    }
  })

  it('has its note that no frame lies there checked by a replay', async () => {
    const frameIds = [...inside, ...elsewhere]
    const notes: [question: string, frames: string[], forged: string][] = [
      [`schools in ${otherState} state`, inside, `None of these frames lies in ${state} state.`],
      [`How many schools are in ${otherState}?`, inside, `None of these frames lies in ${state}.`],
      [`tell me about ${state} state`, frameIds, `None of these frames lies in ${state} state.`],
    ]
    for (const [question, frames, forged] of notes) {
      const answer = (await insight(question, frames)) as unknown as SavedAnswer
      assert.match(answer.headline, /^(None|Only some) of these frames lies? in /)
      assert.deepEqual(await replay(service().db, answer), [], answer.headline)
      const headline = answer.headline.replace(/^[^.]*\./, forged)
      assert.notDeepEqual(await replay(service().db, { ...answer, headline }), [], headline)
    }
  })

  const askTool = async (given: object, question: string) => {
    const place = { url: service().url, secret: key.secret }
    const { structuredContent } = await callTool(place, 'ask', { ...given, question, format: 'figures' })
    return structuredContent as unknown as Insight
  }
  async function figureOf([things, ...unit]: [Things, ...unit: string[]]): Promise<string> {
    const [row] = await service().db.rows<{ schools: string; people: string }>(
      `with inside as (select frame_id from frame where (array[state, lga, ward])[:$2] = $1::text[])
       select (select count(distinct feature_no)::text from feature_frame join dataset using (version)
           join inside using (frame_id) where layer_id = 'lyr_schools') as schools,
         (select sum((recorded ->> 'pop_demest26')::bigint)::text from baseline join inside using (frame_id)
           where layer_id = 'lyr_population') as people`,
      [unit, unit.length],
    )
    assert.ok(row)
    return groupThousands(row[things])
  }

  for (const [given, question, ...figures] of asked)
    it(`is never dropped, wherever it stands: "${question}"`, async () => {
      const { headline, facets, confidence } = await askTool(given, question)
      assert.equal(confidence, 'exact', headline)
      for (const [i, figure] of figures.entries())
        assert.equal(/^[\d,]+/.exec(facets[i]?.value ?? '')?.[0], await figureOf(figure), headline)
    })

  it('is found where it is misspelled, and the answer says so', async () => {
    const { headline, facets, confidence } = await askTool(COUNTRY, 'hw many peple live in lakesde')
    assert.equal(confidence, 'read', headline)
    assert.match(headline, /Read "lakesde" as "Lakeside"/)
    assert.equal(
      /^[\d,]+/.exec(facets[0]?.value ?? '')?.[0],
      await figureOf(['people', 'MAREMBE', 'LAKESIDE']),
      headline,
    )
  })

  for (const [given, question, words] of ofOtherUnits)
    it(`is not answered where the frames asked are other than the whole of it: "${question}"`, async () => {
      const { headline, confidence } = await askTool(given, question)
      assert.equal(confidence, 'nearest', headline)
      assert.ok(headline.startsWith(`Not answered: "${words}". `), headline)
    })
})
