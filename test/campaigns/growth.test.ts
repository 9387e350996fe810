import assert from 'node:assert/strict'
import { changesOf } from './growth.js'

const bound = () => ({ share: 0.1, amount: 3 })
const grows = (values: readonly number[]) => changesOf(new Map([['one', values]]), bound)[0]?.grows
const sixty = (value: (sample: number) => number) => Array.from({ length: 60 }, (_, sample) => value(sample))

describe('the verdict of a soak', () => {
  it('accepts what stays level, goes up and down, falls, or has grown in the first sixth', () => {
    assert.equal(grows(sixty(() => 200)), false)
    assert.equal(grows(sixty((sample) => 200 + 50 * (sample % 2))), false)
    assert.equal(grows(sixty((sample) => 200 - sample)), false)
    assert.equal(grows(sixty((sample) => (sample < 8 ? 100 : 200))), false)
    assert.equal(grows(sixty((sample) => (sample === 55 ? 900 : 200))), false, 'one sample is no growth')
  })

  it('finds what grows slowly, by steps, or late', () => {
    assert.equal(grows(sixty((sample) => 200 + sample)), true)
    assert.equal(grows(sixty((sample) => 10 + Math.floor(sample / 10))), true)
    assert.equal(grows(sixty((sample) => (sample > 50 ? 230 : 200))), true)
  })

  it('finds what was not measured', () => {
    assert.equal(grows([]), true)
    assert.equal(grows(sixty(() => Number.NaN)), true)
  })
})
