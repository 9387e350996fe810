import assert from 'node:assert/strict'
import { differencesOf, type Difference, type Entry, type Known, type Ledger } from './ledger-check.js'

const entry = (requestId: string, kind: string, credits: number, ref = ''): Entry => ({
  orgId: 'org_a',
  requestId,
  kind,
  ref,
  credits,
  at: 1000,
})
const known: Known = {
  answered: [
    { requestId: 'paid', orgId: 'org_a', charged: { lyr_a: 2, lyr_b: 3 } },
    { requestId: 'failed', orgId: 'org_a', charged: {} },
    { requestId: 'worded by credits', orgId: 'org_a', charged: { lyr_a: 2 }, isWorded: true },
    { requestId: 'worded by allowance', orgId: 'org_a', charged: {}, isWorded: true },
  ],
  unanswered: [
    { orgId: 'org_a', from: 900, to: 1100, prices: { lyr_a: 2 } },
    { orgId: 'org_a', from: 900, to: 1100, prices: { lyr_a: 2 }, mayBeWorded: true },
  ],
  topUps: [
    { requestId: 'top-up', orgId: 'org_a', credits: 20, outcome: 'entered' },
    { requestId: 'unsure', orgId: 'org_a', credits: 5, outcome: 'unsure' },
  ],
}
const entries = [
  entry('top-up', 'top_up', 20),
  entry('paid', 'dataset', -2, 'lyr_a'),
  entry('paid', 'dataset', -3, 'lyr_b'),
  entry('failed', 'dataset', -2, 'lyr_a'),
  entry('failed', 'refund', 2, 'lyr_a'),
  entry('worded by credits', 'dataset', -2, 'lyr_a'),
  entry('worded by credits', 'worded', -1),
  entry('nobody was answered', 'dataset', -2, 'lyr_a'),
]
const ledgerWith = (own: readonly Entry[], more: Partial<Ledger['accounts'][number]> = {}): Ledger => ({
  entries: own,
  accounts: [
    {
      orgId: 'org_a',
      balance: own.reduce((sum, { credits }) => sum + credits, 0),
      byAllowance: 1,
      byCredits: 1,
      ...more,
    },
  ],
})
const kinds = (ledger: Ledger, of: Known = known): Difference['kind'][] => [
  ...new Set(differencesOf(of, ledger).map(({ kind }) => kind)),
]

describe('the check of a ledger after a campaign', () => {
  it('accepts a ledger that says what callers were answered', () => {
    assert.deepEqual(differencesOf(known, ledgerWith(entries)), [])
    assert.deepEqual(kinds(ledgerWith([...entries, entry('unsure', 'top_up', 5)])), [])
    assert.deepEqual(kinds(ledgerWith(entries, { byAllowance: 2 })), [], 'the unanswered question had words')
  })

  it('finds each entry that is removed', () => {
    for (const removed of entries) {
      // The ledger may lack what nobody was answered.
      if (removed.requestId === 'nobody was answered') continue
      const own = entries.filter((each) => each !== removed)
      assert.notDeepEqual(differencesOf(known, ledgerWith(own)), [], JSON.stringify(removed))
      assert.notDeepEqual(
        differencesOf(known, { entries: own, accounts: ledgerWith(entries).accounts }),
        [],
        'with the balance of before',
      )
    }
  })

  it('finds each entry that comes twice, under its own request id or another', () => {
    for (const each of entries) {
      assert.notDeepEqual(differencesOf(known, ledgerWith([...entries, each])), [], JSON.stringify(each))
      const second = { ...each, requestId: 'another' }
      const third = { ...each, requestId: 'a third' }
      assert.ok(kinds(ledgerWith([...entries, second, third])).includes('unexplained'), JSON.stringify(each))
    }
  })

  it('finds an overdraft that is over by the end, a wrong balance, and a wrong count of answers', () => {
    const [topUp, ...others] = entries
    assert.ok(topUp)
    assert.ok(kinds(ledgerWith([...others, topUp])).includes('overdraft'))
    assert.deepEqual(kinds(ledgerWith(entries, { balance: 9 })), ['balance'])
    for (const wrong of [{ byAllowance: 0 }, { byAllowance: 3 }, { byCredits: 0 }, { byCredits: 2 }])
      assert.deepEqual(kinds(ledgerWith(entries, wrong)), ['allowance'], JSON.stringify(wrong))
  })

  it('lets an unanswered call explain one request of its organisation, time and price', () => {
    const strangers: [Partial<Entry>, boolean][] = [
      [{}, true],
      [{ at: 30_000 }, false],
      [{ at: -5000 }, false],
      [{ orgId: 'org_b' }, false],
      [{ ref: 'lyr_z' }, false],
      [{ credits: -4 }, false],
    ]
    for (const [changes, isExplained] of strangers) {
      const own = [...entries, { ...entry('a stranger', 'dataset', -2, 'lyr_a'), ...changes }]
      assert.equal(kinds(ledgerWith(own)).includes('unexplained'), !isExplained, JSON.stringify(changes))
    }
  })
})
