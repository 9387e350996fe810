/** frames serve: answers calls, over DATABASE_URL's database or the embedded one. */
import type { Config } from '../../server/config.js'
import { refuseTaken } from '../../server/listen.js'
import { form, type Command, type Output } from './command.js'

export const serveCommand: Command = {
  summary: 'answer calls until it is told to stop',
  form: form({
    description:
      'Answers calls on HOST:PORT (127.0.0.1:3000), and probes on OPS_PORT (3001), until it is told to stop. Its settings are in the environment: docs/settings.md lists them. With --json, prints the addresses and the new keys once it listens.',
    run: async (config, _given, output) => {
      refuseHalfWeb(config)
      await refuseTakenPorts(config)
      await startEarly(config, output)
    },
  }),
}

/**
 * The embedded database opens in a thread of its own while this one loads the rest of the program: a second is saved.
 * Under load, Node 20 gave a half-loaded package ("Ajv is not a constructor") to imports that ran side by side.
 */
async function startEarly(config: Config, output: Output): Promise<void> {
  const fixture = config.databaseUrl ? undefined : await import('./fixture-database.js')
  const rest = import('./serve-start.js')
  const embedded = await fixture?.openFixtureDatabase(config, output, rest)
  const { serveUntilTold } = await rest
  await serveUntilTold(config, output, embedded)
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
