/**
 * /tools: the tools of agents for programs, by plain HTTP, in the envelope and with the codes of /v1. A tool has the
 * same name, arguments, result and price as at /mcp.
 */
import type { Express, Request, Response } from 'express'
import type { Capability } from '../../core/access/index.js'
import { invalidBody } from '../../core/errors.js'
import type { Admit } from '../http/admit.js'
import { jsonBody } from '../http/body.js'
import type { Call } from '../http/call.js'
import { publicFile } from '../http/public-file.js'
import { otherMethods } from '../http/send-error.js'
import { sendData } from '../http/send.js'
import { enrich } from './enrich.js'
import { aboutKey } from './key.js'
import { toolsDescription } from './openapi.js'
import type { JsonObject } from './schemas.js'
import { type Tool, toolsFor } from './tools.js'
import type { Services } from '../../services.js'

type Run = (call: Call, res: Response) => Promise<object | undefined>

export function addTools(app: Express, services: Services, tools: readonly Tool[], admit: Admit): void {
  const admitted = (capability: Capability | undefined, run: Run) =>
    admit(capability, async (call, res) => {
      const data = await run(call, res)
      // After the client hung up there is nobody to answer.
      if (data) await sendData(res.set('Cache-Control', 'no-store'), data)
    })
  const list = admitted(undefined, async ({ caller }) => ({ tools: toolsFor(tools, caller) }))
  const key = admitted(undefined, ({ caller, deadline }) => aboutKey(services, caller, deadline))
  const description = publicFile('application/json; charset=utf-8', () =>
    Buffer.from(JSON.stringify(toolsDescription(tools))),
  )
  app.route('/tools').get(list).all(otherMethods('GET, HEAD'))
  app.route('/tools/key').get(key).all(otherMethods('GET, HEAD'))
  const table = admit('frame.read', (call, res) => enrich(services, call, res.req, res))
  app.route('/tools/enrich').post(table).all(otherMethods('POST'))
  app.route('/tools/openapi.json').get(description).all(otherMethods('GET, HEAD'))
  for (const { name, capability, run } of tools) {
    const route = admitted(capability, async ({ caller }, res) => {
      const answer = await run(await argumentsOf(res.req, res), { caller, req: res.req, res })
      return answer?.data
    })
    app.route(`/tools/${name}`).post(route).all(otherMethods('POST'))
  }
}

async function argumentsOf(req: Request, res: Response): Promise<JsonObject> {
  const body = await jsonBody(req, res)
  if (typeof body === 'object' && body !== null && !Array.isArray(body)) return body as JsonObject
  throw invalidBody('The body is not a JSON object: the arguments of the tool are accepted by their names.')
}
