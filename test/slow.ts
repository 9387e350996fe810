/**
 * The tests that may take over two seconds on a quiet machine, each with its reason. `title` is the full title; a row
 * without one is about all tests of the file. With TEST_SLOW=judge, any other test that takes so long fails the run.
 */
export const LIMIT_MS = 2000

export type SlowTest = { file: string; title?: string; why: string }

export const slowTests: readonly SlowTest[] = []

export const isListed = (test: { file: string; title: string }): boolean =>
  slowTests.some(({ file, title }) => file === test.file && (title === undefined || title === test.title))
