/**
 * Tests that mostly wait for a clock: all of them start before the first, and each `it` awaits its own. Their time is that of the
 * longest instead of their sum.
 */
export function sideBySide(tests: Record<string, () => Promise<void>>): void {
  let results = new Map<string, Promise<void>>()
  before(() => {
    results = new Map(Object.entries(tests).map(([title, work]) => [title, work()]))
    // A failure counts in its own test, not as an unhandled rejection before that.
    void Promise.allSettled(results.values())
  })
  for (const title of Object.keys(tests)) it(title, () => results.get(title))
}
