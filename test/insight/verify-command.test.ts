import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'
import { callLevels } from '../../src/core/place.js'
import { projectFolder } from '../../src/core/db/statement.js'
import { temporaryFolder } from '../load/files.js'
import { frames } from '../support/cli.js'
import { mint, service, startService } from '../support/service.js'
import { startWordingServer } from '../support/wording-server.js'
import { insightOf, type Insight } from './ask.js'

const QUESTIONS = 'how many people live here, share of land cover, average slope and how many lions'

describe('frames verify', function () {
  this.timeout(120_000)
  const folder = temporaryFolder()
  let env: Record<string, string>
  /** An answer has its envelope, as the API sends it. */
  let answers: { data: Insight }[]

  before(async () => {
    const { db, database } = service()
    const target = database.ownerTarget
    env = typeof target === 'string' ? { DATABASE_URL: target } : { DATA_DIR: target.host }
    const key = await mint(db)
    const near = await db.rows<{ id: string }>(
      'select frame_id::text as id from frame where geom && ST_MakeEnvelope(0.03, -0.57, 0.07, -0.5, 4326) order by 1 limit 12',
      [],
    )
    const ids = near.map(({ id }) => id)
    answers = []
    for (const [frameIds, question] of [
      [ids, undefined],
      [ids, 'how many people live here'],
      [ids, 'share of land cover and average slope'],
      [ids, 'schools nearby'],
      [ids.slice(0, 2), 'compare the two'],
      [ids.slice(0, 3), 'compare the buildings'],
      [ids.slice(0, 1), undefined],
    ] as const) {
      answers.push({ data: await insightOf({ url: service().url, secret: key.secret }, { frameIds, question }) })
    }
  })
  after(() => folder.remove())

  const file = (answer: unknown) => folder.write('answer.json', JSON.stringify(answer))

  it('computes every figure of an answer again from the database', async () => {
    for (const answer of answers) {
      const ran = await frames(['verify', file(answer), '--replay', '--json'], env)
      assert.equal(ran.status, 0, ran.err)
      assert.deepEqual(JSON.parse(ran.out), { ok: true, numbers: [], figures: [] })
    }
  })

  it('takes the words of units from the setting that the service has', async () => {
    const { url, secret } = { url: service().url, secret: (await mint(service().db)).secret }
    const ids = answers[0]?.data.frameIds ?? []
    const answer = await insightOf({ url, secret }, { frameIds: ids, question: 'how many people live in each LGA' })
    const county = JSON.parse(JSON.stringify(answer).replaceAll('LGA', 'county')) as object
    const other = await frames(['verify', file(county), '--replay'], env)
    assert.match(other.err, /by county was given, the database gives .*by LGA/)
    const ran = await frames(['verify', file(answer), '--replay'], { ...env, PLACE_WORDS: 'lga=county' })
    callLevels([])
    assert.match(ran.err, /by LGA was given, the database gives .*by county/)
  })

  type Data = {
    headline: string
    notes?: unknown
    facets: { label: string; value: string }[]
    sources: Record<string, unknown>[]
    table: { columns: { label: string }[]; rows: Record<string, string>[] }
    frameIds: string[]
  }
  const withNextDigit = (text: string) => text.replace(/\d(?=\D*$)/, (digit) => String((Number(digit) + 1) % 10))
  const changes: [part: string, change: (data: Data) => void, message: RegExp][] = [
    [
      'the headline, to another figure of the answer',
      (data) => (data.headline = withNextDigit(data.headline)),
      /^headline: /m,
    ],
    [
      'a cell of the table',
      ({ table }) => {
        const [row = {}] = table.rows
        const key = Object.keys(row).find((name) => name !== 'frameId') ?? ''
        row[key] = withNextDigit(row[key] ?? '')
      },
      /^table, frame \d+, lyr_\w+\.\w+: /m,
    ],
    [
      'the statistic of a source',
      ({ sources: [source = {}] }) => (source['statistic'] = 'mean'),
      /^label: Population, 2026 estimate, total was given, the database gives Population, 2026 estimate, average$/m,
    ],
    ['a value', ({ facets: [facet] }) => facet && (facet.value = withNextDigit(facet.value)), /total: .* was given/],
    ['the notes', (data) => delete data.notes, /^headline, not compared without notes: These frames have /m],
    ['the list of frames', ({ frameIds }) => frameIds.push('1'), /^frames in the index: 13 was given/m],
  ]
  for (const [part, change, message] of changes) {
    it(`finds that ${part} was changed, and says what the database gives`, async () => {
      const answer = structuredClone(answers[1]) as unknown as { data: Data }
      assert.ok(answer)
      change(answer.data)
      const ran = await frames(['verify', file(answer), '--replay'], env)
      assert.equal(ran.status, 1)
      assert.match(ran.err, message)
      assert.match(ran.err, /the database gives /)
    })
  }

  it('refuses a number of the narrative that is no figure, and passes one that is', async () => {
    const [, answer] = structuredClone(answers)
    assert.ok(answer)
    const value = answer.data.facets[0]?.value ?? ''
    answer.data.narrative = `These frames hold ${value}.`
    assert.equal((await frames(['verify', file(answer.data)], env)).status, 0)
    answer.data.narrative = 'These frames hold 123,456,789 people.'
    const ran = await frames(['verify', file(answer)], env)
    assert.deepEqual([ran.status, ran.out], [1, ''])
    assert.match(ran.err, /"123,456,789/)
    const asJson = await frames(['verify', file(answer), '--json'], env)
    assert.equal(asJson.status, 1)
    assert.equal((JSON.parse(asJson.out) as { ok: boolean }).ok, false)
  })

  it('finds a sentence that the figures do not give, though its numbers are figures', async () => {
    const wording = await startWordingServer()
    const { database } = service()
    const worded = await startService(database, { wordingUrl: wording.url })
    try {
      for (const { data } of answers) {
        const { frameIds, headline } = data
        const question = headline.startsWith('Profile') ? undefined : QUESTIONS
        const answer = await insightOf({ url: worded.url, secret: worded.secret }, { frameIds, question })
        const verified = await frames(['verify', file(answer), '--replay'], env)
        assert.equal(verified.status, 0, verified.err)
        const turned = {
          ...answer,
          narrative: answer.narrative?.replace(/the most |the highest |cover/, 'the fewest '),
        }
        const refused = await frames(['verify', file(turned), '--replay'], env)
        assert.match(refused.err, /^narrative: .*fewest.* was given, the database gives nothing/m)
      }
    } finally {
      await worded.stop()
      await wording.close()
    }
  })

  it('reads standard input, and names what a file lacks', async () => {
    const program = fileURLToPath(new URL('dist/src/main.js', projectFolder))
    const piped = spawnSync(process.execPath, [program, 'verify', '-'], {
      input: JSON.stringify(answers[0]),
      encoding: 'utf8',
    })
    assert.equal(piped.status, 0, piped.stderr)
    assert.match(piped.stdout, /There is no narrative/)
    const odd = await frames(['verify', file({ a: 1 })], env)
    assert.deepEqual([odd.status, odd.out], [1, ''])
    assert.match(odd.err, /an answer of POST \/v1\/frames\/insight is needed/)
    assert.match((await frames(['verify', folder.write('x.json', '{')], env)).err, /this is not JSON/)
  })
})
