/**
 * Files with tests that may take over two seconds on a quiet machine, each with its reason. In `.ci/run`, any other
 * test that takes so long fails the run. These files start first.
 */
export const LIMIT_MS = 2000

export const slowFiles: Readonly<Record<string, string>> = {}
