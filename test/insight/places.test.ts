import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { replay, type SavedAnswer } from '../../src/core/insight/replay.js'
import { mint, service, type Minted } from '../support/service.js'
import { insightOf } from './ask.js'

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
        `None of these frames lies in ${name}. The nearest: Schools: ${facets[0]?.value} (${inside.length} frames asked).`,
      )
    }
  })

  it('has the figure of the frames that lie there where only some do', async () => {
    const { headline, facets, sources } = await insight(`schools in ${otherState} state`, [...inside, ...elsewhere])
    const [there] = (await insight('schools', elsewhere)).facets
    assert.deepEqual(facets[0], { label: `Schools, on frames where State is ${otherState}`, value: there?.value })
    assert.ok(headline.startsWith(`${facets[0]?.label}: ${there?.value}`), headline)
    assert.deepEqual((sources[0] as unknown as { where: unknown }).where, [
      { layerId: 'frames', attribute: 'state', test: 'class', value: otherState },
    ])
  })

  it('has a figure for each of two states, and says that some frames of a profile lie elsewhere', async () => {
    const both = await insight(`schools in ${state} state and ${otherState} state`, [...inside, ...elsewhere])
    assert.deepEqual(
      both.facets.slice(0, 2).map(({ label }) => label),
      [state, otherState].map((name) => `Schools, on frames where State is ${name}`),
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
      [`Schools, on frames where State is ${state}`, `Clinics, on frames where State is ${otherState}`],
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
    const [ward, lga] = facets.filter(({ label }) => label.startsWith('Population, 2026 estimate, total, on '))
    const [part] = (await insight('how many people live here', ids.slice(-1))).facets
    const [all] = (await insight('how many people live here', ids)).facets
    assert.deepEqual(ward, { ...part, label: 'Population, 2026 estimate, total, on frames where Ward is WEST QUAY' })
    assert.deepEqual(lga, { ...all, label: 'Population, 2026 estimate, total, on frames where LGA is MERIDIAN BAY' })
  })

  it('is found in any case, with the letter before its apostrophe', async () => {
    const [own] = await service().db.rows<{ ids: string[] }>(
      `select (array_agg(frame_id::text order by frame_id))[1:3] as ids from frame where state = 'N''DARA'`,
      [],
    )
    assert.ok(own)
    for (const name of ["n'dara", 'N’Dara', "N'DARA"])
      assert.match(
        (await insight(`people in ${name}`, [...inside, ...own.ids])).headline,
        /on frames where State is N'DARA/,
      )
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
      const label = `Population, 2026 estimate, total, on frames where State is ${name} and where LGA is CENTRAL`
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
})
