import assert from 'node:assert/strict'
import { giveBack, memoryOf } from '../../src/db/driver/page-memory.js'

const PAGE = 800 * 1024

describe('memory of pages', () => {
  it('is used again once it was given back, whichever part of it comes back', () => {
    const first = memoryOf(PAGE)
    giveBack(first.subarray(100, 200))
    const second = memoryOf(PAGE + 1)
    assert.equal(second.buffer, first.buffer)
    assert.deepEqual([first.length, second.length], [PAGE, PAGE + 1])
    giveBack(second)
  })

  it('is never one for two at a time, also where it was given back twice', () => {
    const one = memoryOf(PAGE)
    giveBack(one)
    giveBack(one)
    const many = Array.from({ length: 100 }, () => memoryOf(PAGE))
    assert.equal(new Set(many.map(({ buffer }) => buffer)).size, many.length)
    many.forEach(giveBack)
  })

  it('is kept for a few only', () => {
    const many = Array.from({ length: 100 }, () => memoryOf(PAGE))
    many.forEach(giveBack)
    const known = new Set(many.map(({ buffer }) => buffer))
    const again = Array.from({ length: 100 }, () => memoryOf(PAGE))
    assert.equal(again.filter(({ buffer }) => known.has(buffer)).length, 32)
    again.forEach(giveBack)
  })

  it('is of its own size for what is smaller or larger, and not kept', () => {
    for (const length of [1, 200 * 1024, 2 * 1024 * 1024]) {
      const memory = memoryOf(length)
      assert.equal(memory.buffer.byteLength, length)
      giveBack(memory)
      assert.notEqual(memoryOf(length).buffer, memory.buffer)
    }
  })

  it('that it did not give is not taken', () => {
    const other = Buffer.alloc(1024 * 1024)
    giveBack(other)
    assert.notEqual(memoryOf(PAGE).buffer, other.buffer)
  })
})
