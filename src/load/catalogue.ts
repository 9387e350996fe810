/** The catalogue of a baseline's attributes: entries of a file, and for other columns what their values show. */
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
  const entries: unknown = JSON.parse(readFileSync(file, 'utf8'))
  if (!Array.isArray(entries)) throw new Error(`${file}: a JSON array of attributes is accepted.`)
  return entries.map((each: Partial<Attribute> | null, i) => checkAttribute(each ?? {}, `${file}, attribute ${i + 1}`))
}

function checkAttribute(entry: Partial<Attribute>, place: string): Attribute {
  const { name, label, type, summary, weight, method } = entry
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
  return { ...entry, name, label, type, summary }
}

/** An entry for every column. A column that the file does not name is a mean of numbers, or a category. */
export function completeCatalogue(
  columns: readonly string[],
  numeric: readonly boolean[],
  entries: readonly Attribute[],
): Attribute[] {
  const unknown = entries.find(({ name }) => !columns.includes(name))
  if (unknown) throw new Error(`The catalogue has ${unknown.name}, which is no column: ${columns.join(', ')} are.`)
  const unweighted = entries.find(
    ({ weight }) => weight !== undefined && weight !== 'area' && !columns.includes(weight),
  )
  if (unweighted) {
    throw new Error(
      `${unweighted.name} is weighted by ${unweighted.weight}, which is no column: area or one of ${columns.join(', ')} is accepted.`,
    )
  }
  return columns.map((name, i) => {
    const known = entries.find((attribute) => attribute.name === name)
    if (known) return known
    const isNumber = numeric[i] === true
    return { name, label: name, type: isNumber ? 'number' : 'category', summary: isNumber ? 'mean' : 'mode' }
  })
}
