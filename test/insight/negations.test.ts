/** Asks for what lies outside of places and classes, and compares each answer with the rows of the frames. */
import assert from 'node:assert/strict'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { groupThousands } from '../../src/core/decimal.js'
import { callTool } from '../mcp/agent.js'
import { mint, service, type Minted } from '../support/service.js'
import type { Insight } from './ask.js'

type Frame = { id: string; state: string; lga: string; ward: string; values: Record<string, string>; layers: string[] }
type Holds = (frame: Frame) => boolean | undefined

/** A frame that records nothing passes no condition, and none that is denied. */
const isOf =
  (...names: string[]): Holds =>
  ({ state, lga, ward }) =>
    [state, lga, ward].some((name) => names.includes(name))
const state =
  (...names: string[]): Holds =>
  (frame) =>
    names.includes(frame.state)
const records =
  (attribute: string, ...classes: string[]): Holds =>
  ({ values: { [attribute]: value } }) =>
    value === undefined ? undefined : classes.includes(value)
const cover = (...classes: string[]) => records('phy_landcov', ...classes)
const rural = (...classes: string[]) => records('cul_rururb', ...classes)
const settled = (...classes: string[]) => records('urb_class', ...classes)
const above =
  (attribute: string, number: number): Holds =>
  ({ values: { [attribute]: value } }) =>
    value === undefined ? undefined : Number(value) > number
const has =
  (layer: string): Holds =>
  ({ layers }) =>
    layers.includes(`lyr_${layer}`)
const within =
  (layer: string, km: number): Holds =>
  ({ values: { [`${layer}_km`]: value } }) =>
    value === undefined ? undefined : Number(value) <= km
const noneOf =
  (...all: Holds[]): Holds =>
  (frame) =>
    all.every((each) => each(frame) === false)
const allOf =
  (...all: Holds[]): Holds =>
  (frame) =>
    all.every((each) => each(frame) === true)

const outside = noneOf(state('MAREMBE'), state("N'DARA"))
const unsettled = noneOf(rural('Urban', 'Peri-urban'))
const unwooded = noneOf(cover('Forest', 'Woodland'))
const unserved = noneOf(has('clinics'), has('schools'))
const farFromBoth = noneOf(within('clinics', 5), within('schools', 5))
const restOfMarembe = allOf(state('MAREMBE'), noneOf(isOf('LAKESIDE', 'KIRIN GATE')))

/** Questions about the country, by the frames that they mean: of each the people, or the number. */
const people: readonly [holds: Holds, ...questions: string[]][] = [
  [
    outside,
    "people outside Marembe and N'Dara",
    "people not in Marembe or N'Dara",
    "how many people do not live in Marembe or N'Dara",
    "how many people don't live in Marembe or N'Dara?",
    "people who live in neither Marembe nor N'Dara",
    "people living neither in Marembe nor in N'Dara",
    "people except in Marembe and N'Dara",
    "people excluding those who live in Marembe or N'Dara",
    "people in all states except Marembe and N'Dara",
    "population of all states except Marembe and N'Dara",
    "people in states other than Marembe and N'Dara",
    "people apart from those in Marembe or N'Dara",
    "total population, not counting Marembe and N'Dara",
    "people outside Marembe state or N'Dara state",
    "people outside the states of Marembe and N'Dara",
    "people everywhere but Marembe and N'Dara",
    "population without Marembe and N'Dara",
    "people not in Marembe and not in N'Dara",
    "people not in Marembe or in N'Dara",
    "outside Marembe and N'Dara, how many people are there",
    "not Marembe or N'Dara: how many people",
  ],
  [noneOf(state("N'DARA")), "people outside N'Dara", "people not in N'Dara"],
  [noneOf(isOf('MAREMBE', 'CÔTE ÉVORA', 'OKE/ISALE')), 'people outside of Marembe, Côte Évora and Oke/Isale'],
  [noneOf(isOf('LAKESIDE', 'KIRIN GATE')), 'people outside Lakeside and Kirin Gate'],
  [noneOf(isOf('MAREMBE', 'LONG SPIT')), 'people not in Marembe or Long Spit'],
  [noneOf(isOf('WEST QUAY', 'EAST QUAY')), 'people not in West Quay or East Quay'],
  [
    restOfMarembe,
    'people in Marembe but not in Lakeside or Kirin Gate',
    'people in Marembe except Lakeside and Kirin Gate',
    'people in Marembe outside Lakeside and Kirin Gate',
  ],
  [state("N'DARA"), "people not in Marembe but in N'Dara"],
  [noneOf(settled('Urban core', 'Town', 'Suburb')), 'people not living in an urban core, town or suburb'],
  [
    unwooded,
    'people who are not in Forest or Woodland',
    'people outside forest and woodland',
    'population except forest and woodland frames',
    'people in areas other than forest or woodland',
    'people in neither forest nor woodland',
  ],
  [allOf(rural('Rural'), unwooded), 'people in rural frames that are not forest or woodland'],
  [allOf(rural('Rural'), outside), "rural people outside Marembe and N'Dara"],
  [noneOf(state('MAREMBE'), cover('Forest')), 'people not in Marembe or in forest'],
  [noneOf(cover('Forest'), above('phy_elevmean', 100)), 'people not in forest or above 100 m'],
  [noneOf(rural('Urban', 'Peri-urban'), cover('Forest')), 'people in places that are not urban, peri-urban or forest'],
  [
    unserved,
    'people without a clinic or a school',
    'people with no clinic and no school',
    'people with neither a clinic nor a school',
    'people excluding frames with a school or a clinic',
    'people not in frames with a school or a clinic',
  ],
  [noneOf(has('clinics'), has('schools'), has('roads')), 'people without a clinic, a school or a road'],
  [
    farFromBoth,
    'people not within 5 km of a clinic or a school',
    'people who do not live within 5 km of a school or a clinic',
    'people excluding those within 5 km of a clinic or a school',
    'people with neither a school nor a clinic within 5 km',
  ],
  [noneOf(state('MAREMBE'), within('clinics', 5)), 'people not in Marembe or within 5 km of a clinic'],
  [allOf(outside, within('clinics', 5)), "people outside Marembe and N'Dara within 5 km of a clinic"],
  [allOf(outside, has('schools')), "people outside Marembe and N'Dara with a school"],
]
const counted: readonly [holds: Holds, ...questions: string[]][] = [
  [outside, "frames outside Marembe and N'Dara", "how many frames are not in Marembe or N'Dara"],
  [
    unsettled,
    'frames that are not urban or peri-urban',
    'how many frames are neither urban nor peri-urban',
    'which frames are not urban, peri-urban',
  ],
  [unserved, 'frames without a clinic or a school', 'frames that do not have a clinic or a school'],
  [noneOf(has('clinics'), has('schools'), has('roads')), "frames that don't have a clinic, school or road"],
  [allOf(cover('Forest'), noneOf(state('MAREMBE'))), 'forest frames outside Marembe'],
]
/** These may mean one thing or another, and none of them is computed. */
const refused: readonly [question: string, words: string][] = [
  ["people not in Marembe and in N'Dara", "and in N'Dara"],
  ["people not in Marembe, in N'Dara", "in N'Dara"],
  ['people not in Marembe and urban', 'urban'],
  ['people outside Central LGA of Marembe', 'outside'],
  ['people in urban and non-urban frames', 'urban'],
  ['profile of everything except Lakeside', 'profile of everything except Lakeside'],
]

describe('a negation or an exception', function () {
  this.timeout(240_000)
  let key: Minted
  let all: Frame[]
  /** Of each state and of all classes, some with a clinic or a school. */
  let chosen: Frame[]

  before(async () => {
    const { db } = service()
    key = await mint(db, { org: (await findOrganisation(db.run, 'Rich Survey')).orgId })
    all = await db.rows<Frame>(
      `select frame_id::text as id, state, lga, ward,
         coalesce((select json_object_agg(cell.key, btrim(cell.value)) from baseline_row join dataset using (version)
           cross join lateral json_each_text(recorded) as cell
           where baseline_row.frame_id = frame.frame_id and btrim(cell.value) <> ''), '{}') as values,
         array(select layer_id from feature_frame join dataset using (version)
           where feature_frame.frame_id = frame.frame_id) as layers
       from frame order by frame_id`,
      [],
    )
    const every = (frames: Frame[], step: number) => frames.filter((_, i) => i % step === 0)
    const found = [
      ...every(all, 500),
      ...every(all.filter(has('clinics')), 6),
      ...every(all.filter(has('schools')), 16),
    ]
    chosen = [...new Set(found)].slice(0, 50)
  })

  async function ask(given: object, question: string): Promise<Insight> {
    const { structuredContent } = await callTool({ url: service().url, secret: key.secret }, 'ask', {
      ...given,
      question,
      format: 'figures',
    })
    return structuredContent as unknown as Insight
  }
  const peopleOf = (some: readonly Frame[]) =>
    groupThousands(String(some.reduce((sum, { values }) => sum + Number(values['pop_demest26'] ?? 0), 0)))

  async function assertFirst(given: object, question: string, value: string): Promise<void> {
    const { headline, facets, confidence } = await ask(given, question)
    assert.equal(confidence, 'exact', `${question}: ${headline}`)
    assert.equal(/^[\d,]+/.exec(facets[0]?.value ?? '')?.[0], value, `${question}: ${headline}`)
  }

  const country = { bbox: '-1,-1,1,1' }
  const listed = () => ({ frameIds: chosen.map(({ id }) => id) })
  for (const [holds, first, ...more] of people)
    it(`covers its whole list: "${first}"`, async () => {
      const value = peopleOf(chosen.filter((frame) => holds(frame)))
      for (const question of [first ?? '', ...more]) await assertFirst(listed(), question, value)
    })

  for (const [holds, first, ...more] of counted)
    it(`covers its whole list: "${first}"`, async () => {
      const count = groupThousands(String(chosen.filter((frame) => holds(frame)).length))
      for (const question of [first ?? '', ...more]) await assertFirst(listed(), question, count)
    })

  it('covers its whole list in the country, in a state, in an LGA and over listed frames', async () => {
    const marembe = all.filter(state('MAREMBE'))
    const rows: [given: object, frames: Frame[], question: string, holds: Holds][] = [
      [country, all, "people outside Marembe and N'Dara", outside],
      [
        country,
        all,
        'people not living in an urban core, town or suburb',
        noneOf(settled('Urban core', 'Town', 'Suburb')),
      ],
      [{ state: 'marembe' }, marembe, 'people not in Kirin Gate or Lakeside', restOfMarembe],
      [{ state: 'marembe' }, marembe, 'people in all LGAs except Lakeside and Kirin Gate', restOfMarembe],
      [{ state: 'marembe' }, marembe, "people not in N'Dara or Lakeside", noneOf(isOf('LAKESIDE'))],
      [
        { state: 'marembe' },
        marembe,
        'people not in Old Market or Twin Wells',
        noneOf(isOf('OLD MARKET', 'TWIN WELLS')),
      ],
      [
        { state: 'marembe', lga: 'lakeside' },
        marembe.filter(isOf('LAKESIDE')),
        'people not in Lake Island or forest',
        noneOf(isOf('LAKE ISLAND'), cover('Forest')),
      ],
      [listed(), chosen, "people outside Marembe and N'Dara", outside],
      [listed(), chosen, 'people not in forest or woodland', unwooded],
      [listed(), chosen, 'people without a school or a clinic', unserved],
    ]
    for (const [given, asked, question, holds] of rows)
      await assertFirst(given, question, peopleOf(asked.filter((frame) => holds(frame))))
  })

  for (const [question, words] of refused)
    it(`is not answered where it may mean two things: "${question}"`, async () => {
      const { headline, confidence } = await ask(listed(), question)
      assert.equal(confidence, 'nearest')
      assert.ok(/^Not answered: (.*?)\.(?: |$)/.exec(headline)?.[1]?.includes(words), headline)
    })
})
