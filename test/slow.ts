/**
 * Files and folders with tests that take over two seconds on a quiet machine, each with its reason. Any other test
 * that takes so long fails `npm run test:all`. These files start first.
 */
import { pbkdf2Sync } from 'node:crypto'

const LIMIT_MS = 2000
/** A machine that takes `ms` for this many rounds of hashing has the limit above. A slower one gets a higher limit. */
const HASHES = { rounds: 200_000, ms: 40 }

export function limitMs(): number {
  const measured = Array.from({ length: 3 }, () => {
    const from = process.cpuUsage()
    pbkdf2Sync('a', 'b', HASHES.rounds, 32, 'sha256')
    return process.cpuUsage(from).user / 1000
  })
  return LIMIT_MS * Math.max(1, Math.min(...measured) / HASHES.ms)
}

const slow: Readonly<Record<string, string>> = {
  'browser/': 'Chromium draws pages without a graphics card',
  'analyst/shapes.test.ts': 'a shape of 10,000 vertices over the whole country is the largest that is taken',
  'cli/embedded.test.ts': 'it starts, kills and stops the embedded database',
  'cli/sql.test.ts': 'psql runs every statement of many calls, in each form',
  'interface/examples.test.ts': 'it sends every example of the description',
  'load/build.test.ts': 'it begins a build with each bad file',
  'load/json-values.test.ts': 'it reads values of 64 MiB',
  'ogc/core.test.ts': 'it reads pages of every collection in every way',
  'ogc/crs.test.ts': 'it reads every collection in every system',
  'ogc/gdal.test.ts': 'GDAL reads whole collections',
  'ogc/items.test.ts': 'it reads whole collections',
  'ogc/owslib.test.ts': 'Python starts, and reads a state page by page',
  'insight/verify.test.ts': 'it reads hostile texts of 100,000 characters',
  'docs/analyst-gdal.test.ts': 'GDAL writes and reads whole states',
  'doctor/embedded.test.ts': 'it makes all checks on the embedded database',
  'load/distances.test.ts': 'PostGIS measures every distance without an index',
  'load/intervals.test.ts': 'it adds up draws of many sets, and simulates truths',
  'load/ogr.test.ts': 'ogr2ogr converts four files, and each is imported',
  'load/import-features.test.ts': 'it refuses many files',
  'web/sql.test.ts': 'every panel of SQL is run as it is copied, with its plans',
  'server/rolling-restart.test.ts': 'it starts a service beside another',
  'server/workers.test.ts': 'it starts services of several processes',
  'server/workers-left.test.ts': 'it kills primary processes at several moments',
  'server/metrics-outages.test.ts': 'it stops servers and waits for the metrics',
  'faults/ledger-faults.test.ts': 'it makes 400 changes under faults',
  'load/wide-baselines.test.ts': 'it imports 1,500 attributes',
  'load/own-country.test.ts': 'it builds an index and imports into it',
  'cli/load-demo.test.ts': 'it fills a database with the fixture',
  'cli/postgres.test.ts': 'it restarts PostgreSQL again and again',
  'doctor/restore.test.ts': 'it restores a database on a new server',
  'doctor/doctor.test.ts': 'it makes all checks, and breaks much at once',
  'doctor/server.test.ts': 'it migrates a bare database',
  'web/secrets.test.ts': 'it starts servers of its own, and reads pages of the web app',
  'sql/attribution.test.ts': 'it runs all that the service can run',
  'replicas/outages.test.ts': 'it stops replicas',
  'replicas/primary-host.test.ts': 'it moves the primary',
  'deploying/operating.test.ts': 'it does what the page of operators says',
  'deploying/pgbouncer.test.ts': 'it starts poolers',
  'clients/python.test.ts': 'it checks the types of a package and runs it',
  'insight/operations.test.ts': 'it recomputes figures of whole units and boxes by other SQL',
  'insight/units.test.ts': 'it computes figures of units twice',
  'credits/late-commits.test.ts': 'it waits for deadlines, which are in PostgreSQL and in processes of their own',
  'credits/ledger.test.ts': 'it makes hundreds of charges at once',
  'datasets/fixture.test.ts': 'it reads every row of the fixture as several organisations',
  'load/import-baselines.test.ts': 'it refuses many files',
  'load/names.test.ts': 'it makes databases of other languages',
  'load/switch.test.ts': 'it switches the index under readers',
  'cli/what-if-locks.test.ts': 'it waits for locks that other sessions hold',
  'server/stopping.test.ts': 'it starts and stops processes',
  'mcp/stdio.test.ts': 'it starts processes that speak over pipes',
  'docs/commands.test.ts': 'it runs every command of the documentation',
  'web/starting.test.ts': 'it starts and stops processes',
  'limits/redis-sentinel.test.ts': 'it stops servers, and waits for Sentinels to agree',
  'limits/processes.test.ts': 'it starts processes with other clocks',
  'db/opening.test.ts': 'it cancels statements again and again while connections open',
}

export const isSlow = (file: string): boolean => file in slow || file.replace(/[^/]*$/, '') in slow
