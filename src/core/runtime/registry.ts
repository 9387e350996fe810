/**
 * Fault: V8 links each table that a Map or a Set outgrows to the next one, and a Map that changes all the time gets a
 *   new table every few dozen changes. Once one table has grown old, V8 keeps each later one, with all that it held,
 *   until the next full collection. Steps: add and remove an object for each call, under load; a collection of young
 *   objects takes 6 ms, and 2 ms without.
 * Link: v8/v8 src/objects/ordered-hash-table.cc, SetNextTable(); no issue is known.
 * Gain: /v1/frames/at costs the service 0.65 of the processor time that it costs with a Set, and 0.70 of that with a
 *   Map (medians of 24 turns of each; the same build beside itself: 1.08).
 * Delete it when: /v1/frames/at costs as much with a Set.
 */
export type Registry<Item> = {
  /** Returns the slot of the item. No other item has that slot until this one is removed. */
  add: (item: Item) => number
  at: (slot: number) => Item | undefined
  remove: (slot: number) => void
  all: () => Item[]
}

/** Holds items that come and go with every call. */
export function registry<Item extends object>(): Registry<Item> {
  const items: (Item | undefined)[] = []
  const free: number[] = []
  return {
    add: (item) => {
      const slot = free.pop() ?? items.length
      items[slot] = item
      return slot
    },
    at: (slot) => items[slot],
    remove: (slot) => {
      items[slot] = undefined
      free.push(slot)
    },
    all: () => items.filter((item) => item !== undefined),
  }
}
