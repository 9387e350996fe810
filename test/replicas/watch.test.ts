import assert from 'node:assert/strict'
import {
  afterProbe,
  isWithinGrace,
  notProbed,
  outOfUse,
  type Fitness,
  type Seen,
  type ServerState,
} from '../../src/core/db/replicas/watch.js'

const identity = '1/2'
const LAG_MAX_MS = 1000

type Probed = Partial<ServerState> & { replayed?: boolean }

/** Probes at `now`, when the primary is at the position `now`; the replica has replayed its target or has not. */
function probed(
  fitness: Fitness,
  now: number,
  { replayed = true, ...found }: Probed = {},
  primary: Seen | undefined = { identity, timeline: 1, position: now, at: now },
): Fitness {
  const replica = { identity, timeline: null, position: replayed ? Infinity : -1, ...found }
  return afterProbe(fitness, { primary, replica }, { now, lagMaxMs: LAG_MAX_MS })
}

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
    const replica = { identity, timeline: null, position: -1 }
    const alone = afterProbe(fit, { primary: undefined, replica }, { now: 60_000, lagMaxMs: LAG_MAX_MS })
    assert.deepEqual([alone.inUse, alone.freshAt], [true, 0])
  })

  it('ends for good where the server takes writes, or belongs to another database', () => {
    const fit = probed(notProbed, 0)
    for (const [found, reason] of [
      [{ timeline: 1 }, /takes writes of its own/],
      [{ identity: 'another/2' }, /not a replica of the database/],
      [{ identity: '1/another' }, /not a replica of the database/],
    ] as const) {
      const wrong = probed(fit, 10, found)
      assert.deepEqual([wrong.inUse, wrong.isWrongServer], [false, true])
      assert.match(wrong.reason, reason)
      assert.equal(probed(wrong, 20).isWrongServer, false)
    }
  })

  it('does not wait for a position that a promotion cut off', () => {
    const fit = probed(notProbed, 0)
    const old = probed(fit, 100, { replayed: false }, { identity, timeline: 1, position: 255, at: 100 })
    assert.equal(old.target?.position, 255)
    const primary = { identity, timeline: 2, position: 160, at: 200 }
    assert.deepEqual(probed(old, 200, { replayed: false }, primary).target, primary)
  })

  it('tells the primary of its own database from any other server that takes writes', () => {
    const fit = probed(notProbed, 0)
    assert.equal(probed(fit, 10, { timeline: 1 }).takesWrites, true)
    assert.equal(probed(fit, 10, { timeline: 1, identity: 'another/2' }).takesWrites, false)
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
