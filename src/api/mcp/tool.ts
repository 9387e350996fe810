/** Describes a tool of /mcp. */
import type { Request, Response } from 'express'
import type { Authority } from '../../core/access/authority.js'
import type { Capability } from '../../core/access/capabilities.js'
import type { JsonObject, ToolSchema } from './schemas.js'

/** `text` says in short what `data` holds, for clients that read text alone. */
export type ToolAnswer = { data: object; text: string }
/** The request that brought the call of a tool. */
type ToolRequest = { caller: Authority; req: Request; res: Response }
/** Hints of the protocol to clients: a client may call a tool that only reads without asking a person. */
type Annotations = {
  readOnlyHint: boolean
  destructiveHint?: boolean
  idempotentHint?: boolean
  openWorldHint: boolean
}
export type ToolDescription = {
  name: string
  title: string
  description: string
  inputSchema: ToolSchema
  annotations: Annotations
}
export type Tool = ToolDescription & {
  /** Undefined for a tool that reads nothing. */
  capability: Capability | undefined
  /** Undefined: the client hung up. */
  run: (given: JsonObject, request: ToolRequest) => Promise<ToolAnswer | undefined>
}
