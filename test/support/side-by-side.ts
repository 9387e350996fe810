/** Runs tests that mostly wait for a clock: all start before the first, so that they take the time of the longest. */
export function sideBySide(tests: Record<string, () => Promise<void>>): void {
  let results = new Map<string, Promise<void>>()
  before(() => {
    results = new Map(Object.entries(tests).map(([title, work]) => [title, work()]))
    // A failure counts in its own test, not as an unhandled rejection before that.
    void Promise.allSettled(results.values())
  })
  for (const title of Object.keys(tests)) it(title, () => results.get(title))
}
