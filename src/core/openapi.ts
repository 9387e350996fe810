/** Reads openapi.yaml, the interface description: the service serves it, and checks parameters and bodies with it. */
import { readFileSync } from 'node:fs'
import { loadAll, YAMLException } from 'js-yaml'

const FILE = 'openapi.yaml'

/** The path is relative to the compiled file. */
export const descriptionFile = parseDescription(readFileSync(new URL(`../../../${FILE}`, import.meta.url), 'utf8'))

/** Fails with the line and the column of the first mistake. */
function parseDescription(text: string): object {
  const [document, ...others] = parseYaml(text)
  if (typeof document !== 'object' || document === null || Array.isArray(document) || others.length > 0)
    throw new Error(`${FILE}, line 1, column 1: the file does not hold an object`)
  return document
}

function parseYaml(text: string): unknown[] {
  try {
    return loadAll(text)
  } catch (error) {
    if (!(error instanceof YAMLException) || !error.mark) throw error
    const { line, column } = error.mark
    throw new Error(`${FILE}, line ${line + 1}, column ${column + 1}: ${error.reason}`, { cause: error })
  }
}

/**
 * The value at a place of the document; a list is entered by the name of an element.
 * Example: valueAt('paths', '/v1/frames', 'get', 'parameters', 'limit', 'schema', 'maximum')
 */
function valueAt(...place: string[]): unknown {
  let value: unknown = descriptionFile
  for (const [depth, step] of place.entries()) {
    value = Array.isArray(value)
      ? value.find((element: { name?: string }) => element.name === step)
      : (value as Record<string, unknown>)[step]
    if (value === undefined || value === null) {
      throw new Error(`${FILE}: ${place.slice(0, depth + 1).join(' > ')} is missing`)
    }
  }
  return value
}

function typedAt(type: 'number' | 'object' | 'string', name: string, place: string[]): unknown {
  const value = valueAt(...place)
  if (typeof value !== type) throw new Error(`${FILE}: ${place.join(' > ')} is not ${name}`)
  return value
}

export const numberAt = (...place: string[]): number => typedAt('number', 'a number', place) as number
export const objectAt = (...place: string[]): object => typedAt('object', 'an object', place) as object
export const textAt = (...place: string[]): string => typedAt('string', 'a text', place) as string
