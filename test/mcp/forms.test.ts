/** The forms of arguments and answers of the tools. */
import assert from 'node:assert/strict'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { license } from '../../src/core/access/licences.js'
import { mint, newOrganisation, service } from '../support/service.js'
import { callTool, send } from './agent.js'
import { pairs } from './pairs.js'

type Listed = { name: string; description: string; outputSchema: object; inputSchema: object }
type Page = { frames: { id: string; admin: object; geometry?: object }[]; truncated?: boolean; next?: string }

const SHAPE = 'POLYGON((0.05 0.05,0.31 0.08,0.22 0.13,0.3 0.33,0.05 0.05))'
const frameIds = ['322074005', '322074006']
const question = 'how many people live here'

/** Calls beside those that stand for a call of /v1. */
const CALLS: [tool: string, given: object][] = [
  ['frames', { state: 'marembe', geometry: true, limit: 3 }],
  ['frames', { shape: SHAPE }],
  ['units', { state: 'nowhere' }],
  ['datasets', {}],
  ['totals', {}],
  ['totals', { state: 'marembe' }],
  ['totals', { shape: SHAPE }],
  ['totals', { bbox: [9, 9, 10, 10] }],
  ['ask', { state: 'marembe', question: 'which LGA has the most people' }],
  ['ask', { bbox: [0.2, 0.1, 0.6, 0.5], question: 'how many schools are there', format: 'figures' }],
  ['ask', { frameIds, question: 'share of people within 2 km of a school', format: 'report' }],
  ['verify', { text: '20,268 people', answer: { headline: '', facets: [], frameIds: [] } }],
]

describe('a tool of /mcp', function () {
  this.timeout(120_000)
  let place: { url: string; secret: string }
  before(async () => {
    const { db, url } = service()
    const org = await newOrganisation(db)
    await license(db.run, 'lyr_market', org, 2)
    place = { url, secret: (await mint(db, { org })).secret }
  })
  const answerOf = async (tool: string, given: object) => {
    const result = await callTool(place, tool, given)
    assert.equal(result.isError, undefined, `${tool} ${JSON.stringify(given)}: ${result.content[0]?.text}`)
    return result.structuredContent
  }
  const listed = async () => {
    const { body } = await send(place, 'tools/list')
    return (body as { result: { tools: Listed[] } }).result.tools
  }

  it('has a schema of its answers, and each answer has its form', async () => {
    const seen = new Set<string>()
    const calls = [...CALLS, ...pairs.map(({ tool, given }): [string, object] => [tool, given])]
    const tools = await listed()
    for (const { name, outputSchema } of tools) {
      const isAnswer = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(outputSchema)
      assert.equal(isAnswer({}), false, `${name}: its schema allows an empty answer`)
      for (const [, given] of calls.filter(([tool]) => tool === name)) {
        const { isError, structuredContent } = await callTool(place, name, given)
        if (isError) continue
        seen.add(name)
        const about = `${name} ${JSON.stringify(given).slice(0, 80)}`
        assert.ok(isAnswer(structuredContent), `${about}: ${JSON.stringify(isAnswer.errors)}`)
      }
    }
    assert.deepEqual(
      [...seen],
      tools.map(({ name }) => name),
    )
  })

  it('takes several values as a list, of texts or numbers, or as the text of the call', async () => {
    const rows: [tool: string, argument: string, rest: object, forms: unknown[]][] = [
      ['frames', 'ids', {}, ['322074005,322074006', ['322074005', '322074006'], [322074005, 322074006]]],
      ['frames', 'bbox', { limit: 5 }, ['0.2,0.1,0.22,0.12', [0.2, 0.1, 0.22, 0.12], ['0.2', '0.1', '0.22', '0.12']]],
      ['records', 'ids', {}, ['322074005,322074006', ['322074005', '322074006'], [322074005, 322074006]]],
      ['records', 'datasets', { ids: '322074005' }, ['lyr_population,lyr_urban', ['lyr_population', 'lyr_urban']]],
      ['totals', 'bbox', {}, ['0.2,0.1,0.22,0.12', [0.2, 0.1, 0.22, 0.12]]],
      ['ask', 'bbox', { question }, ['0.2,0.1,0.22,0.12', [0.2, 0.1, 0.22, 0.12]]],
    ]
    for (const [tool, argument, rest, forms] of rows) {
      const { inputSchema } = (await listed()).find(({ name }) => name === tool) ?? { inputSchema: {} }
      const isInput = new Ajv2020({ strict: true, allowUnionTypes: true }).compile(inputSchema)
      const expected = await answerOf(tool, { [argument]: forms[0], ...rest })
      for (const form of forms) {
        const about = `${tool} ${JSON.stringify(form)}`
        assert.ok(typeof form === 'string' || isInput({ ...rest, [argument]: form }), about)
        assert.deepEqual(await answerOf(tool, { [argument]: form, ...rest }), expected, about)
      }
    }
  })

  it('called frames gives no more than a model can hold, and geometries where they are asked for', async () => {
    for (const given of [{ bbox: '-1,-1,1,1' }, { state: 'marembe' }, { shape: SHAPE }]) {
      const { answer, structuredContent } = await callTool(place, 'frames', { ...given, limit: 5000 })
      const { frames, truncated } = structuredContent as Page
      assert.deepEqual([frames.length, truncated], [200, true])
      assert.ok(frames.every(({ admin, geometry }) => admin && geometry === undefined))
      assert.ok(answer.text.length < 70_000, `${answer.text.length} characters`)
    }
    const asked = { state: 'marembe', limit: 3, geometry: true }
    const { frames } = (await answerOf('frames', asked)) as Page
    assert.ok(frames.length === 3 && frames.every(({ geometry }) => geometry))
    const { description } = (await listed()).find(({ name }) => name === 'frames') ?? { description: '' }
    assert.match(description, /of at most 200 in one call/)
  })
})
