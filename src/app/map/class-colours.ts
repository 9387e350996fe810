/** Gives each class of a category a colour: a fitting one to the usual classes of land, a free one to any other. */

/** map.css has colours of these numbers. */
export const CLASS_COLOURS = 12

/** The second class of a kind gets the second colour. */
const FITTING: readonly (readonly [words: RegExp, colours: readonly number[]])[] = [
  [/\b(water|lake|river|sea|ocean)/i, [1]],
  [/\b(wetland|swamp|marsh|mangrove)/i, [5, 10]],
  [/(forest|\bwood|\btree)/i, [6, 12]],
  [/(grass|\bpasture|\bmeadow|\bsavanna)/i, [7, 8]],
  [/\b(shrub|bush|scrub)/i, [8]],
  [/\b(urban|built|building|town|city|settle)/i, [9]],
  [/\b(crop|farm|agricultur|orchard|plantation)/i, [3]],
  [/\b(bare|rock|sand|soil|desert|beach|dune)/i, [11, 2]],
]

/** Blue looks like water, so other classes get it last. */
const BY_LOT = [2, 3, 4, 6, 7, 8, 9, 10, 11, 12, 5, 1]

/** Returns the number of a colour for each of the first classes. Two classes never share one. */
export function classColours(classes: readonly string[]): number[] {
  const shown = classes.slice(0, CLASS_COLOURS)
  const taken = new Set<number>()
  const takeFirst = (colours: readonly number[]) => {
    const free = colours.find((colour) => !taken.has(colour))
    if (free !== undefined) taken.add(free)
    return free
  }
  const fitting = shown.map((name) => takeFirst(FITTING.find(([words]) => words.test(name))?.[1] ?? []))
  return fitting.map((colour) => colour ?? takeFirst(BY_LOT) ?? CLASS_COLOURS)
}
