/**
 * Where each file of tests runs, and why. Of the rows whose `files` a path begins with, the longest decides.
 *
 * Files of `embedded` need Node alone: `npm test` runs them. Files of `postgres` need PostgreSQL, Redis and the
 * programs in `needs`. Files of `both` run twice, because the databases can differ there. `npm run test:all` runs all.
 */
export type Need = 'chromium' | 'firefox' | 'ogr2ogr' | 'owslib' | 'python3' | 'pgbouncer'
export type Suite = {
  files: string
  on: 'embedded' | 'postgres' | 'both'
  needs?: readonly Need[]
  /** Nothing else runs meanwhile. */
  alone?: true
  why: string
}

export const suites: readonly Suite[] = [
  // access
  { files: 'access/', on: 'embedded', why: 'keys and rights are checked by code that knows no database' },
  { files: 'access/counts.test.ts', on: 'postgres', why: 'several processes write the same rows' },
  { files: 'access/console-rights.test.ts', on: 'postgres', why: 'the embedded database has one role' },
  { files: 'access/last-owner.test.ts', on: 'postgres', why: 'two sessions lock rows' },
  { files: 'access/random-keys.test.ts', on: 'postgres', why: 'the role of the web app may not do everything' },
  { files: 'access/rights-of-roles.test.ts', on: 'postgres', why: 'the embedded database has one role' },
  { files: 'access/rolling.test.ts', on: 'postgres', why: 'rolls of one key come at the same time' },

  // analyst
  { files: 'analyst/', on: 'postgres', why: 'QGIS and the role of analysts need a server' },

  // campaigns
  { files: 'campaigns/', on: 'embedded', why: 'the checks of the campaigns need no database' },

  // browser
  { files: 'browser/', on: 'postgres', needs: ['chromium'], why: 'pages are used as a person does' },
  { files: 'browser/journey', on: 'postgres', needs: ['chromium', 'firefox'], why: 'people have either browser' },

  // cli
  { files: 'cli/', on: 'postgres', why: 'commands that start as processes are quicker on a server' },
  { files: 'cli/access', on: 'embedded', why: 'a newcomer mints keys without a server' },
  { files: 'cli/embedded', on: 'embedded', why: 'it starts, kills and stops that database' },
  { files: 'cli/usage', on: 'embedded', why: 'no database is asked' },

  // calls
  { files: 'calls/', on: 'embedded', why: 'most calls are refused before any database is asked' },

  // clients
  {
    files: 'clients/',
    on: 'postgres',
    why: 'walks of whole countries are quicker on a server; a language that is missing is named',
  },

  // credits
  { files: 'credits/', on: 'postgres', why: 'sessions lock rows, and roles may not do everything' },
  { files: 'credits/ledger.test.ts', on: 'both', why: 'one database has one connection, the other locks rows' },

  // datasets
  { files: 'datasets/', on: 'postgres', why: 'it compares every row of the fixture' },

  // db
  { files: 'db/', on: 'postgres', why: 'these are faults of a server, and the driver for it' },
  { files: 'db/batch.test.ts', on: 'embedded', why: 'no database is asked' },
  { files: 'db/page-memory.test.ts', on: 'embedded', why: 'no database is asked' },
  { files: 'db/rows.test.ts', on: 'both', why: 'each database has connections of its own' },
  { files: 'db/socket.test.ts', on: 'embedded', why: 'no database is asked' },
  { files: 'db/turns.test.ts', on: 'embedded', why: 'no database is asked' },

  // deploying
  { files: 'deploying/', on: 'postgres', why: 'a deployment has PostgreSQL and Redis' },
  { files: 'deploying/pgbouncer', on: 'postgres', needs: ['pgbouncer'], why: 'it pools the connections of a server' },

  // docs
  { files: 'docs/', on: 'postgres', why: 'the pages are about PostgreSQL' },
  { files: 'docs/analyst-gdal', on: 'postgres', needs: ['ogr2ogr'], why: 'the recipes of ogr2ogr run as they stand' },
  { files: 'docs/calls', on: 'embedded', why: 'a newcomer sends the curl lines of the README' },
  { files: 'docs/pages', on: 'embedded', why: 'the service serves the pages without a database' },

  // doctor
  { files: 'doctor/', on: 'postgres', why: 'most faults are those of a server' },
  { files: 'doctor/embedded', on: 'embedded', why: 'it says what it cannot look at on that database' },

  // export
  { files: 'export/', on: 'postgres', why: 'both databases send the same rows' },
  { files: 'export/columns', on: 'embedded', why: 'no database is asked' },
  { files: 'export/gdal', on: 'postgres', needs: ['ogr2ogr'], why: 'GDAL reads and changes GeoPackages' },

  // faults
  { files: 'faults/', on: 'postgres', why: 'the faults are those of a server' },

  // files
  { files: 'files/', on: 'postgres', why: 'a thread writes the files beside a server' },
  { files: 'files/recipes', on: 'postgres', needs: ['ogr2ogr', 'python3'], why: 'GDAL and pandas read the files' },

  // figures
  { files: 'figures/', on: 'both', why: 'the same functions run on both databases' },

  // insight
  { files: 'insight/', on: 'embedded', why: 'both databases give the same figures' },
  { files: 'insight/allowance', on: 'both', why: 'one database has one connection, the other locks rows' },
  {
    files: 'insight/operations',
    on: 'postgres',
    why: 'it computes hundreds of figures twice, which a server does sooner',
  },
  { files: 'insight/units', on: 'postgres', why: 'it reads every frame of the fixture, and sums are the same on both' },

  // interface
  { files: 'interface/', on: 'embedded', why: 'the answers are the same on both' },

  // limits
  { files: 'limits/', on: 'postgres', why: 'buckets are in Redis' },
  { files: 'limits/address.test.ts', on: 'embedded', why: 'these buckets are in the process' },
  { files: 'limits/buckets.test.ts', on: 'both', why: 'Redis and the process decide alike' },
  { files: 'limits/early.test.ts', on: 'embedded', why: 'the order of the checks is the same for all buckets' },
  { files: 'limits/metering.test.ts', on: 'embedded', why: 'these buckets are in the process' },
  { files: 'limits/redis-url.test.ts', on: 'embedded', why: 'nothing is called' },

  // load
  { files: 'load/', on: 'postgres', why: 'an import takes long on the embedded database' },
  { files: 'load/baselines', on: 'both', why: 'imports use most of the SQL, and PostGIS joins features' },
  { files: 'load/csv-file', on: 'embedded', why: 'no database is asked' },
  { files: 'load/json-values', on: 'embedded', why: 'no database is asked' },
  { files: 'load/names', on: 'both', why: 'names are folded by ICU, which each database has of its own' },
  { files: 'load/ogr', on: 'postgres', needs: ['ogr2ogr'], why: 'each line that the messages give runs as it stands' },
  { files: 'load/raster-gdal', on: 'postgres', needs: ['ogr2ogr'], why: 'GDAL writes the files that people have' },
  { files: 'load/rasters', on: 'both', why: 'PROJ is compiled for each database' },
  { files: 'load/walk', on: 'postgres', needs: ['ogr2ogr'], why: 'GDAL writes and reads the files' },
  { files: 'load/wrong-files', on: 'both', why: 'each database finds the faults of shapes by its own PostGIS' },

  // mcp
  { files: 'mcp/', on: 'embedded', why: 'both databases give the same answers' },
  { files: 'mcp/same', on: 'postgres', why: 'each tool gives the answer of its call, whatever the database' },

  // mutants
  { files: 'mutants/', on: 'postgres', alone: true, why: 'they run tests on both processors' },

  // ogc
  { files: 'ogc/', on: 'postgres', why: 'it compares every item with the rows of a server' },
  { files: 'ogc/boxes', on: 'both', why: 'PROJ is compiled for each database' },
  { files: 'ogc/gdal', on: 'postgres', needs: ['ogr2ogr'], why: 'GDAL reads the items' },
  { files: 'ogc/owslib', on: 'postgres', needs: ['owslib'], why: 'OWSLib reads the items' },

  // replicas
  { files: 'replicas/', on: 'postgres', why: 'the embedded database has no replica' },
  { files: 'replicas/watch.test.ts', on: 'embedded', why: 'no database is asked' },

  // routes
  { files: 'routes/', on: 'both', why: 'each call runs its statements once on each database' },
  { files: 'routes/at-together.test.ts', on: 'embedded', why: 'calls are joined before any database is asked' },
  { files: 'routes/http.test.ts', on: 'embedded', why: 'this is HTTP alone' },
  { files: 'routes/pages-together.test.ts', on: 'postgres', why: 'a server makes large pages sooner' },
  { files: 'routes/pipelined.test.ts', on: 'embedded', why: 'this is HTTP alone' },
  { files: 'routes/slow-clients.test.ts', on: 'embedded', why: 'this is HTTP alone' },

  // server
  { files: 'server/', on: 'postgres', why: 'a rolling restart is that of processes beside a server' },
  { files: 'server/cross-origin.test.ts', on: 'embedded', why: 'this is HTTP alone' },
  { files: 'server/metrics.test.ts', on: 'embedded', why: 'both databases count the same' },
  { files: 'server/probes.test.ts', on: 'embedded', why: 'the probes are the same on both' },
  { files: 'server/records.test.ts', on: 'embedded', why: 'both databases keep the same' },
  { files: 'server/stopping.test.ts', on: 'both', why: 'one process is stopped on each database' },

  // sql
  { files: 'sql/', on: 'postgres', why: 'plans and budgets are those of a server' },
  { files: 'sql/headers', on: 'both', why: 'the planner and the functions of the databases differ' },
  { files: 'sql/literals', on: 'embedded', why: 'a text means the same value on both' },
  { files: 'sql/points', on: 'both', why: 'PostGIS is compiled for each database, and may round otherwise' },

  // tiles
  { files: 'tiles/', on: 'postgres', why: 'both databases give the same tiles' },
  { files: 'tiles/gdal', on: 'postgres', needs: ['ogr2ogr'], why: 'GDAL reads the tiles' },

  // totals
  { files: 'totals/', on: 'postgres', why: 'both databases give the same totals' },

  // web
  { files: 'web/', on: 'postgres', why: 'both databases give the same pages' },
  { files: 'web/attacks', on: 'embedded', why: 'nobody may use the session of another, wherever the app runs' },
  { files: 'web/basemap', on: 'embedded', why: 'a file has the base map, and the database has none' },
  { files: 'web/credits', on: 'embedded', why: 'a statement of credits is that of one organisation' },
  { files: 'web/csv', on: 'embedded', why: 'it needs no database' },
  { files: 'web/ended-sessions', on: 'embedded', why: 'an ended session opens nothing, wherever the app runs' },
  { files: 'web/forms', on: 'embedded', why: 'a field takes the same, wherever the app runs' },
  { files: 'web/headers', on: 'embedded', why: 'each page has its policy, wherever the app runs' },
  { files: 'web/keys', on: 'embedded', why: 'an admin mints keys, wherever the app runs' },
  { files: 'web/links', on: 'embedded', why: 'a link signs in once, wherever the app runs' },
  { files: 'web/markup', on: 'embedded', why: 'no name may become markup, wherever the app runs' },
  { files: 'web/matrix', on: 'embedded', why: 'roles are checked by code that knows no database' },
  { files: 'web/origins', on: 'embedded', why: 'no other site may send a form, wherever the app runs' },
  { files: 'web/sessions', on: 'embedded', why: 'a session opens pages, wherever the app runs' },
]

/** The row of a file, by its path below `test/`. */
export function suiteOf(file: string): Suite {
  const rows = suites.filter((suite) => file.startsWith(suite.files))
  const [suite] = rows.toSorted((one, other) => other.files.length - one.files.length)
  if (suite === undefined) throw new Error(`test/where.ts does not say where test/${file} runs.`)
  return suite
}
