/** Lets few pieces of work run at once; the others wait in the order in which they came. */
export function turns(atOnce: number): <Answer>(work: () => Promise<Answer>) => Promise<Answer> {
  let running = 0
  const waiting: (() => void)[] = []
  return async (work) => {
    if (running < atOnce) running += 1
    else await new Promise<void>((start) => waiting.push(start))
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next) next()
      else running -= 1
    }
  }
}
