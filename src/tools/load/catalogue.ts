/** The catalogue of a baseline's attributes: entries of a file, and for other columns what their values show. */
import { Ajv, type ErrorObject } from 'ajv'
import { didYouMean } from '../../core/nearest.js'
import { withoutYears } from '../../core/numbers/index.js'
import { fileText } from './input-file.js'

const text = { type: 'string', pattern: '\\S' } as const
const anyText = { type: ['string', 'null'] } as const
const texts = { type: 'array', items: { type: 'string' } } as const
const MEMBERS = {
  name: text,
  label: text,
  unit: anyText,
  type: { enum: ['number', 'category'] },
  summary: { enum: ['sum', 'mean', 'weighted_mean', 'mode', 'none'] },
  weight: text,
  description: anyText,
  /** How the values were made, such as "modelled estimate". */
  method: text,
  /** One of what the values count or measure, such as "person", and several of them. Sentences name it. */
  noun: text,
  plural: text,
  synonyms: texts,
  /** "Spoken" of a language; and what a frame with a high value is, or with a low one: "steep", "flat". */
  verbs: texts,
  adjectives: texts,
  antonyms: texts,
  /** The attributes that have the bounds of each value, or the column that has the draws of the model. */
  lower: text,
  upper: text,
  draws: text,
  /** The column of the file, where it has another name. */
  column: text,
} as const
const NEEDED = ['name', 'label', 'type', 'summary'] as const

type MemberOf<Schema> = Schema extends { enum: readonly (infer Word)[] }
  ? Word
  : Schema extends { items: object }
    ? string[]
    : string
type Members = { [Member in keyof typeof MEMBERS]: MemberOf<(typeof MEMBERS)[Member]> }
type Needed = (typeof NEEDED)[number]
export type Attribute = Pick<Members, Needed> & {
  [Member in Exclude<keyof Members, Needed>]?: Members[Member] | undefined
}

export const ATTRIBUTE_MEMBERS = Object.keys(MEMBERS) as (keyof Attribute)[]

const isAttribute = new Ajv({ allErrors: true, allowUnionTypes: true }).compile<Attribute>({
  type: 'object',
  properties: MEMBERS,
  required: NEEDED,
  additionalProperties: false,
})

/** These hold between the members of an entry. */
const RULES: Record<string, (entry: Attribute) => boolean> = {
  'a category has the summary mode or none': ({ type, summary }) =>
    type === 'number' || summary === 'mode' || summary === 'none',
  'the summary weighted_mean needs a weight ("area", or an attribute), and no other summary has one': (entry) =>
    (entry.summary === 'weighted_mean') === (entry.weight !== undefined),
  'noun and plural are both needed, such as "person" and "people", or neither': ({ noun, plural }) => !noun === !plural,
  'lower and upper are both needed, or neither': ({ lower, upper }) => !lower === !upper,
  'a number alone has lower and upper': ({ type, lower }) => type === 'number' || !lower,
  'lower and upper are two columns': ({ lower, upper }) => !lower || lower !== upper,
  'draws are added up, so the summary is sum': ({ summary, draws }) => summary === 'sum' || !draws,
  'draws give the bounds of a frame themselves, without lower and upper': ({ lower, draws }) => !lower || !draws,
}
const RULED = ['type', 'summary', 'weight', 'noun', 'plural', 'lower', 'upper', 'draws'] as const

export function readCatalogue(file: string): Attribute[] {
  const entries = jsonOf(file)
  if (!Array.isArray(entries)) throw new Error(`${file}: a JSON array of attributes is accepted.`)
  const faults = entries.flatMap((entry: unknown, i) => {
    const fault = isAttribute(entry) ? ruleFault(entry) : schemaFault(entry, isAttribute.errors ?? [])
    return fault === undefined ? [] : [`attribute ${i + 1}: ${fault}`]
  })
  if (faults.length > 0)
    throw new Error(faults.length === 1 ? `${file}, ${faults[0]}` : `${file}:\n${faults.join('\n')}`)
  return entries as Attribute[]
}

function jsonOf(file: string): unknown {
  const content = fileText(file)
  try {
    return JSON.parse(content)
  } catch (error) {
    throw new Error(`${file}: it is no JSON: ${(error as Error).message}.`, { cause: error })
  }
}

function ruleFault(entry: Attribute): string | undefined {
  const [broken] = Object.entries(RULES).find(([, holds]) => !holds(entry)) ?? []
  const came = RULED.filter((member) => entry[member] !== undefined).map((member) => `${member} ${entry[member]}`)
  return broken && `${broken}; ${came.join(', ')} came for ${entry.name}.`
}

/** A misspelt member is unknown and missing at once: its name helps more. */
function schemaFault(entry: unknown, errors: readonly ErrorObject[]): string {
  const { instancePath, params } = errors.find(({ keyword }) => keyword === 'additionalProperties') ?? errors[0]!
  const { additionalProperty: unknown, missingProperty } = params as Record<string, string | undefined>
  if (unknown !== undefined)
    return `"${unknown}" is not a member of an attribute.${didYouMean(unknown, ATTRIBUTE_MEMBERS) || ` There are ${ATTRIBUTE_MEMBERS.join(', ')}.`}`
  const member = (missingProperty ?? instancePath.split('/')[1]) as keyof Attribute | undefined
  if (member === undefined) return `an object is accepted, ${JSON.stringify(entry)} came.`
  const { [member]: came, name } = entry as Record<string, unknown>
  const { enum: words, type }: { enum?: readonly string[]; type?: unknown } = MEMBERS[member]
  const accepted = words ? `${words.join(', ')} are` : type === 'array' ? 'a list of texts is' : 'a text is'
  const of = typeof name === 'string' && member !== 'name' ? ` for ${name}` : ''
  return `${member}: ${accepted} accepted, ${JSON.stringify(came) ?? 'nothing'} came${of}.${didYouMean(String(came), words ?? [])}`
}

const OF_COLUMNS = ['weight', 'lower', 'upper', 'draws', 'column'] as const

/** Entries of the properties that features have. They say what it means; the values say whether it is a number. */
export function refuseOtherProperties(
  entries: readonly Attribute[],
  found: readonly Pick<Attribute, 'name' | 'type'>[],
) {
  for (const entry of entries) {
    const { name, type } = entry
    const known = found.find((each) => each.name === name)
    const names = found.map((each) => each.name)
    if (!known)
      throw new Error(
        `The catalogue has ${name}, which is no property: ${names.join(', ')} are.${didYouMean(name, names)}`,
      )
    if (known.type !== type) throw new Error(`${name} is a ${known.type} by its values; ${type} came.`)
    const other = OF_COLUMNS.find((member) => entry[member] !== undefined)
    if (other) throw new Error(`${other} is of columns of a baseline; it came for the property ${name}.`)
  }
}

/** Describes a column that has no entry: a number with its mean, or a category. */
export function defaultAttribute(name: string, isNumber: boolean): Attribute {
  return { name, label: name, type: isNumber ? 'number' : 'category', summary: isNumber ? 'mean' : 'mode' }
}

/** `usual` has the entries that a source gives its columns where their owner gives none. */
export type KnownAttributes = Record<'entries' | 'before', readonly Attribute[]> & { usual?: readonly Attribute[] }

/**
 * An entry for every column. Entries of the file come first, then those that the import before left, so that a refresh
 * keeps labels, units and summaries.
 */
export function completeCatalogue(
  columns: readonly string[],
  numeric: readonly boolean[],
  { entries, before, usual: derived = [] }: KnownAttributes,
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
    const usual = derived.find(isNamed) ?? defaultAttribute(name, numeric[i] === true)
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
  return completed.map((attribute) => ({ ...attribute, ...unitOfSeries(attribute, completed) }))
}

/** Two years of one count have one unit, though only one of the two entries says it. */
function unitOfSeries({ label, summary, unit }: Attribute, all: readonly Attribute[]): Pick<Attribute, 'unit'> {
  const same = all.find(
    (other) =>
      other.unit &&
      other.summary === summary &&
      other.label !== label &&
      withoutYears(other.label) === withoutYears(label),
  )
  return unit === undefined && same ? { unit: same.unit } : {}
}

/** An entry that the values give by themselves: the import reads it from the new values again. */
function isDefault(attribute: Attribute): boolean {
  const { name, type } = attribute
  return differences(attribute, defaultAttribute(name, type === 'number')).length === 0
}

const SHOWN = ATTRIBUTE_MEMBERS.filter((member) => member !== 'name' && member !== 'column')
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
