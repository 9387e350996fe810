import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import pg from 'pg'
import { authorityFinder } from '../../src/core/access/authority.js'
import { revokeKey } from '../../src/core/access/keys.js'
import { findOrganisation } from '../../src/core/access/organisations.js'
import { hashSecret } from '../../src/core/access/secret.js'
import { parseCall } from '../../src/tools/cli/asked-call.js'
import * as statements from '../../src/core/db/statements.js'
import { filled } from '../../src/api/inspect/literals.js'
import { dryRun, type DryRunResult, type StatementStep } from '../../src/api/inspect/dry-run.js'
import { frames, settingsFor } from '../support/cli.js'
import { newDatabase, urlOf, type TestDatabase } from '../support/database.js'
import { credit } from '../support/datasets.js'
import { sample } from '../support/sample.js'
import { ask, bearer, mint, startService, type Answer, type Minted, type Service } from '../support/service.js'
import { calls, insight, refusedCalls, two, unsent } from './calls.js'

type OgcRefused = { code: string; description: string }
type Refused = { error: { code: string; message: string } }
/** psql prints rows alone, and ends at the first error. */
const quiet = ['-X', '-q', '-A', '-t', '-v', 'ON_ERROR_STOP=1', '-P', 'null=∅', '-F', '|']

describe('frames sql', function () {
  this.timeout(120_000)
  let database: TestDatabase
  let service: Service & { stop: () => Promise<void> }
  let raw: pg.Client
  let key: Minted
  const sent: string[] = []

  before(async () => {
    database = await newDatabase('datasets')
    service = await startService(database, { watch: (text) => void sent.push(text) })
    const { orgId } = await findOrganisation(database.db.run, 'demo')
    await credit(database.db, orgId, 1000)
    key = await mint(database.db, { org: orgId })
    raw = new pg.Client({ connectionString: urlOf(database.target) })
    await raw.connect()
  })
  after(async () => {
    await raw.end()
    await service.stop()
    await database.drop()
  })

  const wording = { apiKey: 'never sent', baseUrl: 'http://127.0.0.1:9', model: 'none' }
  const tryCall = (
    text: string,
    { secret } = key,
    config: { wording?: typeof wording } = {},
    db = database.db,
  ): Promise<DryRunResult> => {
    const size = { burst: 10, perMinute: 60 }
    const buckets = { key: size, organisation: size, insight: size }
    const settings = { buckets, wording: config.wording }
    return dryRun(settings, db, parseCall(text), (dryRunDb) => {
      const find = authorityFinder(dryRunDb)
      return () => find(hashSecret(secret).toString('hex'))
    })
  }
  const stepsOf = ({ steps }: DryRunResult): StatementStep[] => steps.flatMap((each) => ('name' in each ? [each] : []))
  const notesOf = ({ steps }: DryRunResult) => steps.flatMap((each) => ('note' in each ? [each.note] : []))
  const really = (text: string, { secret } = key): Promise<Answer> => {
    const { method, path, body } = parseCall(text)
    return ask(new URL(path, service.url).href, {
      method,
      headers: { ...bearer(secret), ...(body === undefined ? {} : { 'content-type': 'application/json' }) },
      ...(body === undefined ? {} : { body }),
    })
  }
  const run = (...words: string[]) => frames(['sql', ...words], settingsFor(database.target))

  /** Leaves each value the text that PostgreSQL sends. */
  const asText = { getTypeParser: () => (value: string) => value } as unknown as pg.CustomTypesConfig
  const rowsOf = async (text: string, values?: readonly unknown[]): Promise<(string | null)[][]> =>
    (await raw.query<(string | null)[]>({ text, values: values as unknown[], rowMode: 'array', types: asText })).rows

  /** The dry run records these for each call. */
  const seenOf = new Map<string, DryRunResult>()
  const allSeen = async () =>
    await Promise.all(calls.map(async (call) => [call, seenOf.get(call) ?? (await tryCall(call))] as const))

  for (const call of calls) {
    it(`gives the statements that the API runs, in order, for ${JSON.stringify(call.slice(0, 70))}`, async () => {
      const seen = await tryCall(call)
      seenOf.set(call, seen)
      // The later calls of a key may read before its lookup ends.
      const fresh = await mint(database.db, { org: key.orgId })
      sent.length = 0
      const answer = await really(call, fresh)
      assert.equal(seen.status, answer.status)
      // The service keeps the names of datasets and units from call to call. A dry run reads them as the first call does.
      const isKept = (statement: string) => /^-- (catalogue_of_datasets|unit_names):/.test(statement)
      const texts = stepsOf(seen).flatMap(({ text }) => (isKept(text) ? [] : [text]))
      const ran = sent.filter((statement) => !isKept(statement))
      // An answer in words computes its figures at once: they come in any order.
      const inOrder = (all: string[]) => (call.includes('"question"') ? [all[0], ...all.toSorted()] : all)
      assert.deepEqual(inOrder(texts), inOrder(ran))
      const kept = call.includes('"question"') ? 2 : call.includes('/insight') ? 1 : 0
      assert.equal(stepsOf(seen).filter(({ text }) => isKept(text)).length, kept)
      assert.ok(sent.length > 1)
      const charged = (answer.body as { data?: { charged?: string[] } }).data?.charged ?? []
      const told = notesOf(seen)
        .filter((note) => note.includes('call_charge'))
        .join()
      assert.deepEqual(
        [...told.matchAll(/\b(lyr_\w+)/g)].map(([, layerId]) => layerId),
        charged,
      )
      for (const step of stepsOf(seen)) {
        // Pasted as one simple query, and as the API sends it: the same rows, byte for byte.
        const pasted = await rowsOf(`${filled(step.text, step.args)};`)
        assert.deepEqual(pasted, await rowsOf(step.text, step.args), step.name)
      }
    })
  }

  it('covers every statement of the calls', async () => {
    const covered = new Set(['frames_in_lga', 'frames_in_ward'])
    const price = `GET /v1/frames/data?ids=${two.join()}&price=true`
    const all = [...(await allSeen()).map(([, seen]) => seen), await tryCall(price)]
    for (const { name } of all.flatMap(stepsOf)) covered.add(name)
    const every = Object.values(statements).map(({ name }) => name)
    assert.deepEqual(
      every.filter((name) => !covered.has(name)),
      unsent,
      'statements that no call in test/cli/calls.ts runs',
    )
  })

  it('charges nothing, writes nothing and asks for no words, and says what it left out', async () => {
    const state = () =>
      database.db.rows(
        `select (select json_agg(account order by org_id) from account), (select json_agg(credit_entry) from credit_entry),
          (select json_agg(worded_use) from worded_use), (select json_agg(worded_hold) from worded_hold),
          pg_sequence_last_value('credit_entry_entry_id_seq')`,
        [],
      )
    const before = await state()
    const data = await tryCall(`GET /v1/frames/data?ids=${two.join()}`)
    const question = await tryCall(insight(), key, { wording })
    assert.deepEqual(await state(), before)
    const bill = ((await really(`GET /v1/frames/data?ids=${two.join()}`)).body as { data: { charged: string[] } }).data
      .charged
    assert.notDeepEqual(await state(), before, 'the call itself charges')
    assert.ok(bill.length > 0)
    for (const layerId of bill) assert.ok(notesOf(data).join().includes(layerId), layerId)
    assert.match(
      notesOf(data).join(),
      /Not run, it would change something \(src\/core\/credits\/ledger\.ts: charge\): select call_charge/,
    )
    assert.match(notesOf(question).join(), /select hold_open[\s\S]*Not done: the wording engine is asked/)
  })

  it('reads in a transaction that PostgreSQL itself keeps from writing', async () => {
    const modes: string[] = []
    const { transaction } = database.db
    const looked: typeof transaction = (work) =>
      transaction((ran, ...others) =>
        work(
          async <Row>(text: string, args: readonly unknown[]) => {
            const rows = await ran<Row>(text, args)
            const [row] = await ran<{ mode: string }>(`select current_setting('transaction_read_only') as mode`, [])
            modes.push(row?.mode ?? '')
            return rows
          },
          ...others,
        ),
      )
    await tryCall(insight(), key, { wording }, { ...database.db, transaction: looked })
    assert.ok(modes.length > 6)
    assert.deepEqual(new Set(modes), new Set(['on']))
  })

  it('is refused as the API refuses, before anything is read', async () => {
    const locality = await mint(database.db, { org: key.orgId, capabilities: ['frame.read'] })
    const gone = await mint(database.db, { org: key.orgId })
    await revokeKey(database.db.run, gone.keyId)
    const cases: [string, Minted][] = [
      ...refusedCalls.map((call): [string, Minted] => [call, key]),
      [insight(), locality],
      ['GET /v1/states', gone],
    ]
    for (const [call, holder] of cases) {
      const { refusal, steps } = await tryCall(call, holder)
      const { status, body } = await really(call, holder)
      const refused = (body ?? { error: { code: 'error', message: 'Method Not Allowed' } }) as Refused | OgcRefused
      const error = 'error' in refused ? refused.error : { code: refused.code, message: refused.description }
      assert.equal(refusal, `${status} ${error.code}: ${error.message}`)
      assert.ok(steps.length <= 1, call)
    }
  })

  it('acts as a key, with its narrowing, where one is named', async () => {
    const narrow = await mint(database.db, { org: key.orgId, datasets: ['lyr_population'] })
    const ran = await run('--key', narrow.keyId, `GET /v1/frames/data?ids=${two.join()}`, '--json')
    assert.equal(ran.status, 0, ran.err)
    const steps = JSON.parse(ran.out) as { name: string; file: string; sql: string; args: unknown[] }[]
    assert.deepEqual(
      steps.map(({ name }) => name),
      [
        'key_authority',
        'datasets_in_reach',
        'datasets_served',
        'index_generation',
        'frame_boxes',
        'records_of_baselines',
        'index_generation',
        'datasets_served',
      ],
    )
    assert.deepEqual(steps[0]?.args, [[hashSecret(narrow.secret).toString('hex')]])
    assert.deepEqual(steps[5]?.args, [two, ['lyr_population']])
    assert.equal(steps[5]?.file, 'sql/records_of_baselines.sql')
    assert.ok(steps[5]?.sql.includes(`unnest('{${two.join()}}'::bigint[])`))
    const asOrg = await run(
      '--org',
      'demo',
      '--datasets',
      'lyr_population',
      '--capabilities',
      'frame.read',
      `GET /v1/frames/data?ids=${two.join()}`,
      '--json',
    )
    const [, ...fromReach] = steps
    assert.deepEqual(JSON.parse(asOrg.out), fromReach)
  })

  it('ends with status 1 where the call is refused, and prints nothing', async () => {
    for (const [message, ...words] of [
      [/^No organisation has the id or name "nobody"/, 'GET /v1/states', '--org', 'nobody'],
      [/^No key has the id "key_x"/, 'GET /v1/states', '--key', 'key_x'],
      [/^400 invalid: limit: a whole number from 1 to 5000/, 'GET /v1/frames?state=a&limit=x'],
    ] as const) {
      const ran = await run(...words)
      assert.deepEqual([ran.status, ran.out], [1, ''], ran.err)
      assert.match(ran.err, message)
    }
  })

  /** The calls with the values that are hardest to print are among them. */
  const forPsql = calls.filter((_call, i) => i % sample(6, 1) === sample(1, 0) || i === calls.length - 1)

  for (const form of [[], ['--prepared']]) {
    it(`prints what psql runs as it stands, with the rows of the API, ${form[0] ?? 'values filled in'}`, async () => {
      const input: string[] = []
      const expected: string[] = []
      for (const [call, seen] of (await allSeen()).filter(([each]) => forPsql.includes(each))) {
        const printed = await run(call, ...form)
        assert.equal(printed.err, '')
        input.push(printed.out)
        for (const { text, args } of stepsOf(seen).slice(1))
          expected.push(...(await rowsOf(text, args)).map((row) => row.map((value) => value ?? '∅').join('|')))
        // Names of prepared statements come again in the next call.
        const end = `-- the end of ${call.replaceAll('\n', ' ')}`
        input.push(`deallocate all; select '${end.replaceAll("'", "''")}';`)
        expected.push(end)
      }
      const psql = execFileSync('psql', [...quiet, '-d', urlOf(database.target)], { input: input.join('\n') })
      assert.deepEqual(psql.toString().trimEnd().split('\n'), expected.join('\n').trimEnd().split('\n'))
    })
  }
})
