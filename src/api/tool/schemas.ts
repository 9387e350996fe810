/** The JSON Schemas of the tools, made from openapi.yaml: a parameter or a member has one description. */
import { objectAt, textAt } from '../../core/openapi.js'

export type JsonObject = Record<string, unknown>
/** The root of a tool's schema is an object. */
export type ToolSchema = JsonObject & { type: 'object' }

type DescribedParameter = {
  name: string
  in: string
  description: string
  required?: true
  schema: JsonObject
  $ref?: string
}

/** The parameters of a call in its query, as the members of an object. */
export function parametersOf(path: string): ToolSchema {
  const parameters = (objectAt('paths', path, 'get', 'parameters') as DescribedParameter[]).filter(
    (each) => each.in === 'query',
  )
  return {
    type: 'object',
    properties: Object.fromEntries(
      parameters.map(({ name, description, schema }) => [name, { ...schema, description }]),
    ),
    required: parameters.filter(({ required }) => required).map(({ name }) => name),
    additionalProperties: false,
  }
}

export function descriptionOf(path: string, method: 'get' | 'post'): string {
  const text = (name: string) => textAt('paths', path, method, name)
  return `${text('summary')}.\n\n${text('description')}`
}

/** An argument of several values may be a list, as models write them, or the text of the call. */
export function listsToo(schema: ToolSchema): ToolSchema {
  const member = ([name, of]: [string, unknown]) => {
    if (!isListArgument(name)) return [name, of]
    const list = { type: ['string', 'array'], minItems: 1, items: { type: ['string', 'number'] } }
    return [name, { ...(of as JsonObject), ...list }]
  }
  const members = Object.entries(schema['properties'] as JsonObject)
  return { ...schema, properties: Object.fromEntries(members.map(member)) as JsonObject }
}

export const isListArgument = (name: string): boolean => ['ids', 'datasets', 'bbox'].includes(name)

/**
 * The schema of an answer has types alone: models read every word of a list of tools. openapi.yaml has the meanings.
 */
export function answerSchema(required: readonly string[], properties: JsonObject): ToolSchema {
  return withoutWords(withDefinitions({ type: 'object', required, properties })) as ToolSchema
}

export const answerOf = (name: string): ToolSchema => withoutWords(component(name)) as ToolSchema

export const reference = (name: string): JsonObject => ({ $ref: `${COMPONENTS}${name}` })

/** Drops descriptions and examples, and lets a later release add members to an answer. */
function withoutWords(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(withoutWords)
  if (typeof value !== 'object' || value === null) return value
  const kept = Object.entries(value).filter(
    ([key, of]) =>
      !(key === 'description' && typeof of === 'string') && !['additionalProperties', 'examples'].includes(key),
  )
  return Object.fromEntries(kept.map(([key, of]) => [key, withoutWords(of)]))
}

/**
 * Shortens a schema for the list of tools: it keeps two levels of members, and of deeper ones the type alone. The list
 * has no patterns: the call refuses a name that breaks one, and says why.
 */
export function outline({ $defs = {}, ...root }: ToolSchema): ToolSchema {
  const shown = (value: JsonObject, level: number): JsonObject => {
    const { $ref, allOf, oneOf, pattern: _pattern, minItems: _least, maxItems: _most, properties, ...rest } = value
    if (typeof $ref === 'string')
      return shown(($defs as JsonObject)[$ref.slice(DEFINITIONS.length)] as JsonObject, level)
    if (Array.isArray(allOf)) return shown(allOf[0] as JsonObject, level)
    if (oneOf || (properties && level === LEVELS)) return { type: 'object' }
    const { items, anyOf, enum: names, ...kept } = rest as { items?: JsonObject; anyOf?: JsonObject[]; enum?: unknown }
    const members = Object.entries((properties ?? {}) as Record<string, JsonObject>)
    return {
      ...kept,
      ...(names !== undefined && level < LEVELS && { enum: names }),
      ...(items && { items: shown(items, level) }),
      ...(anyOf && { anyOf: anyOf.map((each) => shown(each, level)) }),
      ...(properties !== undefined && {
        properties: Object.fromEntries(members.map(([name, of]) => [name, shown(of, level + 1)])),
      }),
    }
  }
  return shown(root, 0) as ToolSchema
}
const LEVELS = 2

const schemaAt = (name: string) => objectAt('components', 'schemas', name) as JsonObject

/** A component with the definitions of all that it refers to. */
export const component = (name: string): ToolSchema => withDefinitions({ type: 'object', ...schemaAt(name) })

export const schemaMembers = (name: string, members: readonly string[]): ToolSchema => {
  const properties = schemaAt(name)['properties'] as JsonObject
  return {
    type: 'object',
    required: members,
    properties: Object.fromEntries(members.map((member) => [member, properties[member]])),
  }
}

const COMPONENTS = '#/components/schemas/'
const DEFINITIONS = '#/$defs/'

/** Copies the components that a schema refers to into it, and those to which they refer. */
export function withDefinitions(schema: ToolSchema): ToolSchema {
  const definitions: JsonObject = {}
  const copied = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(copied)
    if (typeof value !== 'object' || value === null) return value
    return Object.fromEntries(
      Object.entries(value).map(([key, member]) => [key, key === '$ref' ? defined(member as string) : copied(member)]),
    )
  }
  const defined = (target: string): string => {
    const name = target.slice(COMPONENTS.length)
    if (!Object.hasOwn(definitions, name)) {
      definitions[name] = undefined
      definitions[name] = copied(schemaAt(name))
    }
    return DEFINITIONS + name
  }
  const root = copied(schema) as ToolSchema
  return Object.keys(definitions).length === 0 ? root : { ...root, $defs: definitions }
}
