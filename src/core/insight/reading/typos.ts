/** One or two slips of the keyboard in a word of five letters or more. */

/** Returns the word of the vocabulary that was meant, where one is nearer than any other. */
export function correctionOf(word: string, vocabulary: Iterable<string>): string | undefined {
  if (word.length < 5 || /\d/.test(word)) return undefined
  const most = word.length < 8 ? 1 : 2
  let best: string | undefined
  let least = most + 1
  for (const each of vocabulary) {
    if (each.length < 5 || each[0] !== word[0] || Math.abs(each.length - word.length) > most) continue
    const slips = slipsBetween(word, each)
    if (slips < least) {
      best = each
      least = slips
    }
  }
  return best
}

/** Counts letters added, left out, replaced, or swapped with their neighbour. */
function slipsBetween(from: string, to: string): number {
  let before: number[] = []
  let last = Array.from({ length: to.length + 1 }, (_, i) => i)
  for (let i = 1; i <= from.length; i++) {
    const row = [i]
    for (let j = 1; j <= to.length; j++) {
      const same = from[i - 1] === to[j - 1] ? 0 : 1
      let slips = Math.min((last[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1, (last[j - 1] ?? 0) + same)
      if (i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1])
        slips = Math.min(slips, (before[j - 2] ?? 0) + 1)
      row.push(slips)
    }
    before = last
    last = row
  }
  return last[to.length] ?? 0
}
