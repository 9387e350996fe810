/** Finds the known word that is nearest to a mistyped one. */

/** A third of the longer word may differ; undefined where no word is so near. */
function nearest(typed: string, known: Iterable<string>): string | undefined {
  let best: { word: string; distance: number } | undefined
  for (const word of known) {
    const distance = editDistance(typed.toLowerCase(), word.toLowerCase())
    const allowed = Math.max(1, Math.floor(Math.max(typed.length, word.length) / 3))
    if (distance <= allowed && distance < (best?.distance ?? Infinity)) best = { word, distance }
  }
  return best?.word
}

/** Returns " Did you mean X?", or an empty text where no word is near. */
export function didYouMean(typed: string, known: Iterable<string>): string {
  const word = nearest(typed, known)
  return word === undefined ? '' : ` Did you mean ${word}?`
}

/** Levenshtein's distance counts the letters to insert, remove or replace. */
function editDistance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_cell, i) => i)
  for (const [i, letter] of Array.from(one).entries()) {
    const next = [i + 1]
    for (const [j, wanted] of Array.from(other).entries()) {
      const replaced = (row[j] ?? 0) + (letter === wanted ? 0 : 1)
      next.push(Math.min(replaced, (row[j + 1] ?? 0) + 1, (next[j] ?? 0) + 1))
    }
    row = next
  }
  return row.at(-1) ?? 0
}
