/** The catalogue of a baseline's attributes: from a file, and what can be told from the rows for those it does not name. */
import { readFileSync } from 'node:fs'

const TYPES = ['number', 'category'] as const
const SUMMARIES = ['sum', 'mean', 'weighted_mean', 'mode', 'none'] as const

export type Attribute = {
  name: string
  label: string
  unit?: string | undefined
  type: (typeof TYPES)[number]
  summary: (typeof SUMMARIES)[number]
  weight?: string | undefined
  description?: string | undefined
  /** How the values were made, such as "modelled estimate". */
  method?: string | undefined
  synonyms?: string[] | undefined
}

/** A JSON array of attributes. */
export function readCatalogue(file: string): Attribute[] {
  const given: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(given)) throw new Error(`${file}: a JSON array of attributes is accepted.`)
  return given.map((each: Partial<Attribute> | null, i) => checked(each ?? {}, `${file}, attribute ${i + 1}`))
}

function checked(given: Partial<Attribute>, place: string): Attribute {
  const { name, label, type, summary, weight, method } = given
  const fault = (message: string) => new Error(`${place}: ${message}`)
  if (typeof name !== 'string' || name.trim() === '') throw fault('a name is needed.')
  if (typeof label !== 'string' || label.trim() === '') throw fault(`a label is needed for ${name}.`)
  if (!type || !TYPES.includes(type))
    throw fault(`type: ${TYPES.join(' or ')} is accepted, ${JSON.stringify(type)} came.`)
  if (!summary || !SUMMARIES.includes(summary)) {
    throw fault(`summary: ${SUMMARIES.join(', ')} are accepted, ${JSON.stringify(summary)} came.`)
  }
  if (type === 'category' && summary !== 'mode' && summary !== 'none') {
    throw fault(`summary: a category has a mode or none; ${summary} came for ${name}.`)
  }
  if ((summary === 'weighted_mean') !== (weight !== undefined)) {
    throw fault(`weight: needed for weighted_mean and for nothing else ("area", or an attribute), see ${name}.`)
  }
  if (method !== undefined && (typeof method !== 'string' || method.trim() === ''))
    throw fault(`method: a text such as "modelled estimate" is accepted, ${JSON.stringify(method)} came for ${name}.`)
  return { ...given, name, label, type, summary }
}

/** Every column has an entry: the one given, or what its name and its values tell. */
export function catalogueOf(
  columns: readonly string[],
  numeric: readonly boolean[],
  given: readonly Attribute[],
): Attribute[] {
  const strange = given.find(({ name }) => !columns.includes(name))
  if (strange) throw new Error(`The catalogue has ${strange.name}, which is no column: ${columns.join(', ')} are.`)
  return columns.map((name, i) => {
    const known = given.find((attribute) => attribute.name === name)
    if (known) return known
    const isNumber = numeric[i] === true
    return { name, label: name, type: isNumber ? 'number' : 'category', summary: isNumber ? 'mean' : 'mode' }
  })
}
