/**
 * Memory for answers as large as pages, used again once they were sent. New for each, V8 collects all of its heap for the sake
 * of what lies outside it after every thirty pages, on several threads: as much work again as the pages are.
 */
const SIZE = 1024 * 1024
/** A smaller answer has memory of its own size. */
const SMALLEST = 256 * 1024
/** Pieces of memory that wait to be used again, at most. */
const KEPT = 32

const lent = new WeakSet<ArrayBufferLike>()
const kept: ArrayBufferLike[] = []

export function memoryOf(length: number): Buffer {
  if (length < SMALLEST || length > SIZE) return Buffer.allocUnsafeSlow(length)
  const memory = kept.pop() ?? Buffer.allocUnsafeSlow(SIZE).buffer
  lent.add(memory)
  return Buffer.from(memory, 0, length)
}

/**
 * For bytes, or a part of them, that nobody reads any more. Other memory is left alone, and so is what was given back before.
 * What is never given back, V8 collects.
 */
export function giveBack({ buffer }: Buffer): void {
  if (lent.delete(buffer) && kept.length < KEPT) kept.push(buffer)
}
