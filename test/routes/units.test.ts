import assert from 'node:assert/strict'
import { get } from '../support/service.js'

type State = { state: string; stateCode?: string; zone?: string; zoneCode?: string; frames: number }
type Lga = { state: string; lga: string; lgaCode?: string; frames: number }
type Ward = { state: string; lga: string; ward: string; wardCode?: string; frames: number }
type Branch = {
  lga: string
  lgaCode?: string
  frames: number
  wards?: { ward: string; wardCode?: string; frames: number }[]
}
type Tree = { states: (State & { lgas: Branch[] })[] }

const data = async <T>(path: string) => ((await get(path)).body as { data: T }).data
const sum = (rows: { frames: number }[]) => rows.reduce((total, { frames }) => total + frames, 0)
const sorted = <T>(rows: T[], name: (row: T) => string) =>
  assert.deepEqual(
    rows.map(name),
    rows.map(name).sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
  )

describe('the listings', () => {
  it('give the states by name, with zones where recorded', async () => {
    const states = await data<State[]>('/v1/states')
    assert.deepEqual(
      states.map(({ state }) => state),
      ['CÔTE ÉVORA', 'MAREMBE', "N'DARA", 'OKE/ISALE'],
    )
    assert.deepEqual(Object.keys(states[1] ?? {}), ['state', 'stateCode', 'zone', 'zoneCode', 'frames'])
    assert.deepEqual(Object.keys(states[2] ?? {}), ['state', 'stateCode', 'frames'])
  })

  it('give areas of all states or of one, whose frames add up', async () => {
    const [states, all] = [await data<State[]>('/v1/states'), await data<Lga[]>('/v1/lgas')]
    assert.equal(sum(all), sum(states))
    for (const { state, frames } of states) {
      const own = await data<Lga[]>(`/v1/lgas?state=${encodeURIComponent(state.toLowerCase())}`)
      assert.deepEqual(
        own,
        all.filter((lga) => lga.state === state),
      )
      assert.equal(sum(own), frames)
      sorted(own, ({ lga }) => lga)
    }
  })

  it('give the wards of a state or of an area, whose frames add up', async () => {
    const lgas = await data<Lga[]>('/v1/lgas?state=marembe')
    const wards = await data<Ward[]>('/v1/wards?state=MAREMBE')
    assert.equal(sum(wards), sum(lgas))
    for (const { lga, frames } of lgas) {
      const own = await data<Ward[]>(`/v1/wards?state=marembe&lga=${encodeURIComponent(lga)}`)
      assert.deepEqual(
        own,
        wards.filter((ward) => ward.lga === lga),
      )
      assert.equal(sum(own), frames)
    }
  })

  it('leave out the ward codes that are not recorded', async () => {
    const wards = await data<Ward[]>('/v1/wards?state=oke/isale')
    const without = wards.filter((ward) => !('wardCode' in ward)).map(({ ward }) => ward)
    assert.deepEqual(without, ['PALACE', 'POTTERS', "WEAVERS' ROW"])
  })

  it('are empty for what is unknown', async () => {
    assert.deepEqual(await data('/v1/lgas?state=atlantis'), [])
    assert.deepEqual(await data('/v1/wards?state=atlantis'), [])
    assert.deepEqual(await data('/v1/wards?state=marembe&lga=atlantis'), [])
    assert.deepEqual(await data('/v1/frames/admin?state=atlantis'), { states: [] })
  })
})

describe('the tree of units', () => {
  it('holds every state and area, and wards only under a named state', async () => {
    const { states } = await data<Tree>('/v1/frames/admin')
    assert.deepEqual(
      states.map(({ lgas: _lgas, ...state }) => state),
      await data('/v1/states'),
    )
    const branches = states.flatMap(({ state, lgas }) => lgas.map((lga) => ({ state, ...lga })))
    assert.deepEqual(branches, await data('/v1/lgas'))
  })

  it('of a state holds its wards', async () => {
    const { states } = await data<Tree>('/v1/frames/admin?state=marembe')
    assert.equal(states.length, 1)
    const wards = states.flatMap(({ state, lgas }) =>
      lgas.flatMap(({ lga, wards: own = [] }) => own.map((ward) => ({ state, lga, ...ward }))),
    )
    assert.deepEqual(wards, await data('/v1/wards?state=marembe'))
  })

  it('of an area holds that area alone', async () => {
    const { states } = await data<Tree>('/v1/frames/admin?state=marembe&lga=lakeside')
    assert.deepEqual(
      states.map(({ lgas }) => lgas.map(({ lga }) => lga)),
      [['LAKESIDE']],
    )
    assert.equal(states[0]?.frames, (await data<State[]>('/v1/states'))[1]?.frames)
  })
})
