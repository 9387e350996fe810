import assert from 'node:assert/strict'
import {
  afterProbe,
  isWithinGrace,
  notProbed,
  outOfUse,
  withReplayTarget,
  type Fitness,
  type PrimaryProbe,
  type ReplicaProbe,
} from '../../src/core/db/replicas/watch.js'

const identity = { cluster: '1', database: '2' }
const LAG_MAX_MS = 1000

/** Probes at `now`, when the primary is at the position `now`; the replica has replayed its target or has not. */
function probed(
  fitness: Fitness,
  now: number,
  replica: Partial<ReplicaProbe> = {},
  primary: PrimaryProbe | undefined = { lsn: `0/${now}`, timeline: '1', at: now, ...identity },
): Fitness {
  const before = withReplayTarget(fitness, primary)
  const found = { isReplica: true, replayed: true, ...identity, ...replica }
  return afterProbe(before, { target: before.target, primary, replica: found }, { now, lagMaxMs: LAG_MAX_MS })
}

const away = (fitness: Fitness, now: number, replica?: Partial<ReplicaProbe>): Fitness =>
  afterProbe(
    fitness,
    {
      target: fitness.target,
      primary: undefined,
      replica: { isReplica: true, replayed: true, ...identity, ...replica },
    },
    { now, lagMaxMs: LAG_MAX_MS },
  )

describe('the fitness of a replica', () => {
  it('begins out of use, and comes into use when the position of the first probe was replayed', () => {
    assert.equal(notProbed.inUse, undefined)
    const behind = probed(notProbed, 100, { replayed: false })
    assert.deepEqual([behind.inUse, behind.reason, behind.target?.at], [false, 'it has not caught up yet', 100])
    const later = probed(behind, 5000, { replayed: false })
    assert.deepEqual([later.inUse, later.target?.at], [false, 100])
    const fit = probed(later, 5100)
    assert.deepEqual([fit.inUse, fit.freshAt, fit.target], [true, 100, undefined])
  })

  it('lasts while the replica is less behind than is allowed', () => {
    const fit = probed(notProbed, 0)
    const close = probed(fit, LAG_MAX_MS, { replayed: false })
    assert.equal(close.inUse, true)
    const far = probed(close, LAG_MAX_MS + 1, { replayed: false })
    assert.deepEqual([far.inUse, far.reason, far.freshAt], [false, 'it is more than 1 s behind', 0])
    assert.equal(probed(far, LAG_MAX_MS + 2).inUse, true)
  })

  it('does not end because the primary is away: how far behind the replica is cannot be known then', () => {
    const fit = probed(notProbed, 0)
    const alone = away(fit, 60_000, { replayed: false })
    assert.deepEqual([alone.inUse, alone.freshAt], [true, 0])
  })

  it('ends for good where the server takes writes, or belongs to another database', () => {
    const fit = probed(notProbed, 0)
    for (const [found, reason] of [
      [{ isReplica: false }, /takes writes of its own/],
      [{ cluster: 'another' }, /not a replica of the database/],
      [{ database: 'another' }, /not a replica of the database/],
    ] as const) {
      const wrong = probed(fit, 10, found)
      assert.deepEqual([wrong.inUse, wrong.isWrongServer], [false, true])
      assert.match(wrong.reason, reason)
      assert.equal(probed(wrong, 20).isWrongServer, false)
    }
  })

  it('does not wait for a position that a promotion cut off', () => {
    const fit = probed(notProbed, 0)
    const old = probed(fit, 100, { replayed: false }, { lsn: '0/FF', timeline: '1', at: 100, ...identity })
    assert.equal(old.target?.lsn, '0/FF')
    const promoted = withReplayTarget(old, { lsn: '0/A0', timeline: '2', at: 200, ...identity })
    assert.deepEqual(promoted.target, { lsn: '0/A0', timeline: '2', at: 200 })
  })

  it('tells the primary of its own database from any other server that takes writes', () => {
    const fit = probed(notProbed, 0)
    assert.equal(probed(fit, 10, { isReplica: false }).takesWrites, true)
    assert.equal(probed(fit, 10, { isReplica: false, cluster: 'another' }).takesWrites, false)
  })

  it('covers the grace from the newest state that the replica is known to have, and only while it is in use', () => {
    const fit = probed(notProbed, 100)
    assert.deepEqual(
      [599, 600].map((now) => isWithinGrace(fit, now, 500)),
      [true, false],
    )
    assert.equal(isWithinGrace(fit, 100, 0), false)
    assert.equal(isWithinGrace(outOfUse(fit, 'a connection to it was lost'), 100, 500), false)
    assert.equal(isWithinGrace(notProbed, 0, 500), false)
  })
})
