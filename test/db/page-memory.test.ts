import assert from 'node:assert/strict'
import { pageMemory } from '../../src/core/db/driver/page-memory.js'

const PAGE = 800 * 1024

describe('the memory of pages', () => {
  const { take, release } = pageMemory()

  it('is used again after its release, whichever part of it is released', () => {
    const first = take(PAGE)
    release(first.subarray(100, 200))
    const second = take(PAGE + 1)
    assert.equal(second.buffer, first.buffer)
    assert.deepEqual([first.length, second.length], [PAGE, PAGE + 1])
    release(second)
  })

  it('never serves two pages at a time, even if it was released twice', () => {
    const one = take(PAGE)
    release(one)
    release(one)
    const many = Array.from({ length: 100 }, () => take(PAGE))
    assert.equal(new Set(many.map(({ buffer }) => buffer)).size, many.length)
    many.forEach(release)
  })

  it('is kept for 32 pages at most', () => {
    const many = Array.from({ length: 100 }, () => take(PAGE))
    many.forEach(release)
    const known = new Set(many.map(({ buffer }) => buffer))
    const again = Array.from({ length: 100 }, () => take(PAGE))
    assert.equal(again.filter(({ buffer }) => known.has(buffer)).length, 32)
    again.forEach(release)
  })

  it('has the size of a smaller or larger answer, and is not kept then', () => {
    for (const length of [1, 200 * 1024, 2 * 1024 * 1024]) {
      const memory = take(length)
      assert.equal(memory.buffer.byteLength, length)
      release(memory)
      assert.notEqual(take(length).buffer, memory.buffer)
    }
  })

  it('is not taken from elsewhere', () => {
    const other = Buffer.alloc(1024 * 1024)
    release(other)
    assert.notEqual(take(PAGE).buffer, other.buffer)
  })
})
