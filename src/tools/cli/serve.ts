/** frames serve: starts the API on its port, in one process or in several. Each process loads only what it runs. */
import type { Config } from '../../server/config.js'
import { refuseTaken } from '../../server/listen.js'
import { isWorker } from '../../server/workers/worker.js'
import { commandForm, type Command, type Output } from './command.js'
import { wholeNumber } from './values.js'

const serveForm = commandForm({
  description:
    'Answers calls on HOST:PORT (127.0.0.1:3000), and probes on OPS_PORT (3001), until it is told to stop. Its settings are in the environment: docs/settings.md lists them. With --json, prints the addresses and the new keys once it listens.',
  options: {
    workers: {
      value: wholeNumber('N', 1, 256),
      description: 'how many processes share the port, with DATABASE_URL and REDIS_URL; SIGHUP replaces them in turn',
      default: '1',
    },
  },
  run: async (config, { options: { workers = 1 } }, output) => {
    if (isWorker()) return await (await import('./serve-worker.js')).serveAsWorker(config, workers)
    refuseHalfWeb(config)
    await refuseTakenPorts(config)
    if (workers > 1) await (await import('./serve-workers.js')).serveWithWorkers(config, workers, output)
    else await serveInOneProcess(config, output)
  },
})

export const serveCommand: Command = { summary: 'answer calls until it is told to stop', forms: [serveForm] }

/**
 * The embedded database opens in a thread of its own while this one loads the rest of the program: a second is saved.
 * Under load, Node 20 gave a half-loaded package ("Ajv is not a constructor") to imports that ran side by side.
 */
async function serveInOneProcess(config: Config, output: Output): Promise<void> {
  const fixture = config.databaseUrl ? undefined : await import('./fixture-database.js')
  const rest = import('./serve-alone.js')
  const embedded = await fixture?.openFixtureDatabase(config, output, rest)
  const { serveAlone } = await rest
  await serveAlone(config, output, embedded)
}

/** Commands need the address alone. Served without its own role, the app would have the rights of the API's. */
function refuseHalfWeb({ publicUrl, web }: Config): void {
  if (publicUrl && !web)
    throw new Error(
      'PUBLIC_URL needs CONSOLE_DATABASE_URL beside it: the same database, as the role frames_console. PUBLIC_URL=off starts without the app.',
    )
}

/** Making a database takes seconds: a port that is taken is reported before. */
async function refuseTakenPorts({ host, port, ops }: Config): Promise<void> {
  if (port !== 0 && port === ops.port && ops.otherwise === 'fail') {
    throw new Error(`PORT and OPS_PORT are both ${port}; two different ports are needed, or 0 for any free one.`)
  }
  const wanted = [{ port, setting: 'PORT' }]
  if (ops.otherwise === 'fail') wanted.push({ port: ops.port, setting: 'OPS_PORT' })
  await refuseTaken(host, wanted)
}
