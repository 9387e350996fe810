/** Reads tar archives: each entry has a header of one block, and its content fills whole blocks. */

const BLOCK = 512
/** Two empty blocks end an archive. */
export const END_OF_ARCHIVE = Buffer.alloc(2 * BLOCK)

/** The archives of PGlite and its extensions have no longer names than a header holds, and no links. */
export function* tarEntries(archive: Buffer) {
  for (let at = 0; archive[at];) {
    const text = (from: number, length: number) =>
      archive.toString('latin1', at + from, at + from + length).replace(/\0.*$/s, '')
    const size = Number.parseInt(text(124, 12), 8)
    const start = at + BLOCK
    const end = start + Math.ceil(size / BLOCK) * BLOCK
    yield {
      name: text(0, 100),
      isFolder: text(156, 1) === '5',
      content: archive.subarray(start, start + size),
      /** The header, and the content with the zeros that fill its last block. */
      blocks: archive.subarray(at, end),
    }
    at = end
  }
}
