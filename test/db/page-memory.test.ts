import assert from 'node:assert/strict'
import { pageMemory } from '../../src/db/driver/page-memory.js'

const PAGE = 800 * 1024

describe('memory of pages', () => {
  const { take, release } = pageMemory()

  it('is used again once it was released, whichever part of it is released', () => {
    const first = take(PAGE)
    release(first.subarray(100, 200))
    const second = take(PAGE + 1)
    assert.equal(second.buffer, first.buffer)
    assert.deepEqual([first.length, second.length], [PAGE, PAGE + 1])
    release(second)
  })

  it('is never one for two at a time, also where it was released twice', () => {
    const one = take(PAGE)
    release(one)
    release(one)
    const many = Array.from({ length: 100 }, () => take(PAGE))
    assert.equal(new Set(many.map(({ buffer }) => buffer)).size, many.length)
    many.forEach(release)
  })

  it('is kept for a few only', () => {
    const many = Array.from({ length: 100 }, () => take(PAGE))
    many.forEach(release)
    const known = new Set(many.map(({ buffer }) => buffer))
    const again = Array.from({ length: 100 }, () => take(PAGE))
    assert.equal(again.filter(({ buffer }) => known.has(buffer)).length, 32)
    again.forEach(release)
  })

  it('is of its own size for what is smaller or larger, and not kept', () => {
    for (const length of [1, 200 * 1024, 2 * 1024 * 1024]) {
      const memory = take(length)
      assert.equal(memory.buffer.byteLength, length)
      release(memory)
      assert.notEqual(take(length).buffer, memory.buffer)
    }
  })

  it('that it did not give is not taken', () => {
    const other = Buffer.alloc(1024 * 1024)
    release(other)
    assert.notEqual(take(PAGE).buffer, other.buffer)
  })
})
