/** frames mcp: the tools of /mcp on standard input and output, for agents that start a program. */
import { finished } from 'node:stream/promises'
import { serveStdio } from '@modelcontextprotocol/server/stdio'
import { toolsThrough } from '../mcp/bridge.js'
import { serverOf } from '../mcp/protocol.js'
import { commandForm, type Command } from './command.js'
import { API_OPTIONS, secretFor, urlFor } from './frame-source.js'

export const mcpCommand: Command = {
  summary: 'serve the tools for agents on standard input and output, through the API',
  forms: [
    commandForm({
      description:
        'Speaks the Model Context Protocol on standard input and output until the input ends, and passes each call of a tool on to /mcp of the API. Nothing else goes to standard output.',
      options: API_OPTIONS,
      run: async (config, { options }) => {
        const source = toolsThrough(urlFor(options.url, config), secretFor(options.key, config))
        const server = serveStdio(() => serverOf(source))
        await finished(process.stdin, { writable: false }).catch(() => undefined)
        await server.close()
      },
    }),
  ],
}
