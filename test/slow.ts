/**
 * Files with tests that may take over two seconds on a quiet machine, each with its reason. With TEST_SLOW=judge, any
 * other test that takes so long fails the run. These files start first.
 */
import { pbkdf2Sync } from 'node:crypto'

const LIMIT_MS = 2000
/** The limit is of a machine that computes these hashes in so many milliseconds. A slower one gets more time. */
const HASHES = { rounds: 200_000, ms: 40 }

export function limitMs(): number {
  const measured = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage()
    pbkdf2Sync('a', 'b', HASHES.rounds, 32, 'sha256')
    return process.cpuUsage(from).user / 1000
  })
  return LIMIT_MS * Math.max(1, Math.min(...measured) / HASHES.ms)
}

export const slowFiles: Readonly<Record<string, string>> = {
  'cli/embedded.test.ts': 'it starts, kills and stops the embedded database',
  'interface/examples.test.ts': 'it sends every example of the description',
  'load/build.test.ts': 'it builds the index of the fixture',
  'load/json-values.test.ts': 'it reads values of 64 MiB',
  'load/refresh.test.ts': 'it imports three baselines twice',
  'insight/verify.test.ts': 'it reads hostile texts of 100,000 characters',
  'doctor/embedded.test.ts': 'it makes all checks on the embedded database',
  'load/import-features.test.ts': 'it refuses many files',
}
