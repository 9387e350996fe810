/**
 * Fault: to find one function of a library, Emscripten lists all exports of the library. Steps: `create extension
 *   postgis`, which looks for 800 functions of PostGIS.
 * Link: emscripten-core/emscripten src/lib/libdylink.js, dlsym: Object.keys(lib.exports).indexOf(symbol).
 * Gain: `create extension postgis` takes 0.8 s of processor time instead of 4.9 s (three runs of each).
 * Delete it when the search of dlsym does not list the exports.
 */

/** Only the exports of a library have as many keys in the thread of the embedded database. */
const MANY = 5000

/** Keeps the keys of large objects. Nothing adds an export to a library that is loaded. */
export function keepKeysOfLibraries(): void {
  const { keys } = Object
  const kept = new WeakMap<object, string[]>()
  Object.keys = (object: object) => {
    const known = kept.get(object)
    if (known) return known
    const all = keys(object)
    if (all.length >= MANY) kept.set(object, all)
    return all
  }
}
