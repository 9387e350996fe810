import assert from 'node:assert/strict'
import { get, service } from '../support/service.js'

type Row = { state: string; lga: string; ward: string; frames: number } & Record<string, string | number | null>
type Unit = { frames: number } & Record<string, unknown>

/** What each level shows of a unit: its name, and what is recorded. */
const SHOWN = {
  states: ['state', 'stateCode', 'zone', 'zoneCode'],
  lgas: ['state', 'lga', 'lgaCode'],
  wards: ['state', 'lga', 'ward', 'wardCode'],
} as const
type Level = keyof typeof SHOWN

describe('the listings of units', () => {
  let rows: Row[]
  before(async () => {
    rows = await service().db.rows<Row>(
      `select state, state_code as "stateCode", zone, zone_code as "zoneCode", lga, lga_code as "lgaCode", ward,
         ward_code as "wardCode", count(*)::int as frames
       from frame group by 1, 2, 3, 4, 5, 6, 7, 8 order by state collate "C", lga collate "C", ward collate "C"`,
      [],
    )
  })

  /** The units of a level by hand, counted, in the order of their names, without what is not recorded. */
  function unitsOf(level: Level, { state, lga }: { state?: string; lga?: string } = {}): Unit[] {
    const units = new Map<string, Unit>()
    for (const row of rows.filter((each) => each.state === (state ?? each.state) && each.lga === (lga ?? each.lga))) {
      const shown = SHOWN[level].flatMap((name) => (row[name] === null ? [] : [[name, row[name]] as const]))
      const key = JSON.stringify([row.state, level !== 'states' && row.lga, level === 'wards' && row.ward])
      const { frames, ...unit } = units.get(key) ?? { ...Object.fromEntries(shown), frames: 0 }
      units.set(key, { ...unit, frames: frames + row.frames })
    }
    return [...units.values()]
  }
  const without = ({ state: _state, ...unit }: Unit, ...more: string[]) =>
    Object.fromEntries(Object.entries(unit).filter(([name]) => !more.includes(name)))
  /** The tree, with wards where a state is named. */
  const treeOf = ({ state, lga }: { state?: string; lga?: string } = {}) => ({
    states: unitsOf('states', state === undefined ? {} : { state }).map((each) => ({
      ...each,
      lgas: unitsOf('lgas', { state: String(each['state']), ...(lga && { lga }) }).map((area) => ({
        ...without(area),
        ...(state !== undefined && {
          wards: unitsOf('wards', { state, lga: String(area['lga']) }).map((ward) => without(ward, 'lga')),
        }),
      })),
    })),
  })

  const answers = async (path: string, expected: unknown) =>
    assert.equal((await get(path)).text, JSON.stringify({ data: expected }), path)

  it('are those of the frames, counted, of the whole index', async () => {
    assert.deepEqual(
      unitsOf('states').map(({ state, zone }) => [state, zone !== undefined]),
      [
        ['CÔTE ÉVORA', true],
        ['MAREMBE', true],
        ["N'DARA", false],
        ['OKE/ISALE', true],
      ],
    )
    assert.ok(unitsOf('wards').some((ward) => !('wardCode' in ward)))
    await answers('/v1/states', unitsOf('states'))
    await answers('/v1/lgas', unitsOf('lgas'))
    await answers('/v1/frames/admin', treeOf())
  })

  it('are those of each state and each area, by a name in any case', async () => {
    for (const state of new Set(rows.map((row) => row.state))) {
      const named = `state=${encodeURIComponent(state.toLowerCase())}`
      await answers(`/v1/lgas?${named}`, unitsOf('lgas', { state }))
      await answers(`/v1/wards?${named}`, unitsOf('wards', { state }))
      await answers(`/v1/frames/admin?${named}`, treeOf({ state }))
      for (const { lga } of unitsOf('lgas', { state }) as unknown as Row[]) {
        const area = `${named}&lga=${encodeURIComponent(lga)}`
        await answers(`/v1/wards?${area}`, unitsOf('wards', { state, lga }))
        await answers(`/v1/frames/admin?${area}`, treeOf({ state, lga }))
      }
    }
  })

  it('are empty for what is unknown', async () => {
    for (const path of ['/v1/lgas?state=atlantis', '/v1/wards?state=atlantis', '/v1/wards?state=marembe&lga=atlantis'])
      await answers(path, [])
    await answers('/v1/frames/admin?state=atlantis', { states: [] })
  })
})
