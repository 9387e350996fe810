/** The catalogue of a baseline's attributes: entries of a file, and for other columns what their values show. */
import { didYouMean } from '../../core/nearest.js'
import { fileText } from './input-file.js'

const ATTRIBUTE_TYPES = ['number', 'category'] as const
const SUMMARIES = ['sum', 'mean', 'weighted_mean', 'mode', 'none'] as const

export type Attribute = {
  name: string
  label: string
  unit?: string | undefined
  type: (typeof ATTRIBUTE_TYPES)[number]
  summary: (typeof SUMMARIES)[number]
  weight?: string | undefined
  description?: string | undefined
  /** How the values were made, such as "modelled estimate". */
  method?: string | undefined
  /** One of what the values count or measure, such as "person", and several of them. Sentences name it. */
  noun?: string | undefined
  plural?: string | undefined
  synonyms?: string[] | undefined
  /** The attributes that have the bounds of each value, or the column that has the draws of the model. */
  lower?: string | undefined
  upper?: string | undefined
  draws?: string | undefined
}

export function readCatalogue(file: string): Attribute[] {
  const entries: unknown = JSON.parse(fileText(file))
  if (!Array.isArray(entries)) throw new Error(`${file}: a JSON array of attributes is accepted.`)
  return entries.map((each: Partial<Attribute> | null, i) => checkAttribute(each ?? {}, `${file}, attribute ${i + 1}`))
}

export const ATTRIBUTE_MEMBERS: readonly (keyof Attribute)[] = [
  'name',
  'label',
  'unit',
  'type',
  'summary',
  'weight',
  'description',
  'method',
  'noun',
  'plural',
  'synonyms',
  'lower',
  'upper',
  'draws',
]

function checkAttribute(entry: Partial<Attribute>, place: string): Attribute {
  const { name, label, type, summary, weight, synonyms = [] } = entry
  const fault = (message: string) => new Error(`${place}: ${message}`)
  const unknown = Object.keys(entry).find((member) => !(ATTRIBUTE_MEMBERS as readonly string[]).includes(member))
  if (unknown !== undefined)
    throw fault(
      `"${unknown}" is not a member of an attribute.${didYouMean(unknown, ATTRIBUTE_MEMBERS) || ` There are ${ATTRIBUTE_MEMBERS.join(', ')}.`}`,
    )
  if (typeof name !== 'string' || name.trim() === '') throw fault('a name is needed.')
  if (typeof label !== 'string' || label.trim() === '') throw fault(`a label is needed for ${name}.`)
  if (!type || !ATTRIBUTE_TYPES.includes(type))
    throw fault(
      `type: ${ATTRIBUTE_TYPES.join(' or ')} is accepted, ${JSON.stringify(type)} came.${didYouMean(String(type), ATTRIBUTE_TYPES)}`,
    )
  if (!summary || !SUMMARIES.includes(summary)) {
    throw fault(
      `summary: ${SUMMARIES.join(', ')} are accepted, ${JSON.stringify(summary)} came.${didYouMean(String(summary), SUMMARIES)}`,
    )
  }
  if (type === 'category' && summary !== 'mode' && summary !== 'none') {
    throw fault(`summary: a category has a mode or none; ${summary} came for ${name}.`)
  }
  if ((summary === 'weighted_mean') !== (weight !== undefined)) {
    throw fault(`weight: needed for weighted_mean and for nothing else ("area", or an attribute), see ${name}.`)
  }
  for (const member of ['method', 'noun', 'plural', 'lower', 'upper', 'draws'] as const)
    if (entry[member] !== undefined && (typeof entry[member] !== 'string' || entry[member].trim() === ''))
      throw fault(`${member}: a text is accepted, ${JSON.stringify(entry[member])} came for ${name}.`)
  if ((entry.noun === undefined) !== (entry.plural === undefined))
    throw fault(`noun and plural: both are needed, such as "person" and "people", or neither, see ${name}.`)
  if ((entry.lower === undefined) !== (entry.upper === undefined) || (entry.lower !== undefined && type !== 'number'))
    throw fault(`lower and upper: a number has both or neither, see ${name}.`)
  if (entry.lower !== undefined && entry.lower === entry.upper)
    throw fault(`lower and upper: two columns are needed, ${entry.lower} came twice for ${name}.`)
  if (entry.draws !== undefined && summary !== 'sum')
    throw fault(`draws: they are added up, so an attribute of summary "sum" has them; ${summary} came for ${name}.`)
  if (entry.draws !== undefined && entry.lower !== undefined)
    throw fault(`draws: they give the bounds of a frame themselves; lower and upper came beside them for ${name}.`)
  if (!Array.isArray(synonyms) || synonyms.some((synonym) => typeof synonym !== 'string'))
    throw fault(`synonyms: a list of texts is accepted, ${JSON.stringify(synonyms)} came for ${name}.`)
  return { ...entry, name, label, type, summary }
}

/** Describes a column that has no entry: a number with its mean, or a category. */
export function defaultAttribute(name: string, isNumber: boolean): Attribute {
  return { name, label: name, type: isNumber ? 'number' : 'category', summary: isNumber ? 'mean' : 'mode' }
}

/**
 * An entry for every column. Entries of the file come first, then those that the import before left, so that a refresh
 * keeps labels, units and summaries.
 */
export function completeCatalogue(
  columns: readonly string[],
  numeric: readonly boolean[],
  { entries, before }: { entries: readonly Attribute[]; before: readonly Attribute[] },
): Attribute[] {
  const unknown = entries.find(({ name }) => !columns.includes(name))
  if (unknown)
    throw new Error(
      `The catalogue has ${unknown.name}, which is no column: ${columns.join(', ')} are.${didYouMean(unknown.name, columns)}`,
    )
  const completed = columns.map((name, i) => {
    const isNamed = (attribute: Attribute) => attribute.name === name
    const kept = before.find((attribute) => isNamed(attribute) && !isDefault(attribute))
    const found = entries.find(isNamed) ?? kept
    if (found) return found
    const usual = defaultAttribute(name, numeric[i] === true)
    // Bounds of single frames are no quantity that could be summarised.
    return [...entries, ...before].some(({ lower, upper }) => lower === name || upper === name)
      ? { ...usual, summary: 'none' as const }
      : usual
  })
  const unweighted = completed.find(
    ({ weight }) => weight !== undefined && weight !== 'area' && !columns.includes(weight),
  )
  if (unweighted) {
    const isKept = !entries.includes(unweighted)
    throw new Error(
      `${unweighted.name} is weighted by ${unweighted.weight}, which is no column: area or one of ${columns.join(', ')} is accepted.${didYouMean(unweighted.weight ?? '', ['area', ...columns])}${isKept ? ' The import before gave it this weight; --attributes gives another, --reset-attributes none.' : ''}`,
    )
  }
  return completed
}

/** An entry that the values give by themselves: the import reads it from the new values again. */
function isDefault(attribute: Attribute): boolean {
  const { name, type } = attribute
  return differences(attribute, defaultAttribute(name, type === 'number')).length === 0
}

const SHOWN = ATTRIBUTE_MEMBERS.filter((member) => member !== 'name')
const shownMember = (value: string | readonly string[] | null | undefined): string =>
  (typeof value === 'string' ? value : value?.join(', ')) || 'none'

function differences(before: Attribute, after: Attribute): string[] {
  const pairs = SHOWN.map((member) => [member, shownMember(before[member]), shownMember(after[member])] as const)
  return pairs.filter(([, one, other]) => one !== other).map(([member, one, other]) => `${member} ${one} > ${other}`)
}

/** Says what an import changes in the catalogue of a dataset that is there: "people: summary sum > mean". */
export function catalogueChanges(before: readonly Attribute[], after: readonly Attribute[]): string[] {
  if (before.length === 0) return []
  const changed = after.flatMap((attribute) => {
    const known = before.find(({ name }) => name === attribute.name)
    if (!known) return [`${attribute.name}: new, ${attribute.type}, summary ${attribute.summary}`]
    const parts = differences(known, attribute)
    return parts.length === 0 ? [] : [`${attribute.name}: ${parts.join('; ')}`]
  })
  const gone = before.filter(({ name }) => after.every((attribute) => attribute.name !== name))
  return [...changed, ...gone.map(({ name }) => `${name}: gone, with its entry in the catalogue`)]
}
