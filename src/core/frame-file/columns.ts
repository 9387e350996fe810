/** The columns of a file of frames: their units, and one column for each attribute that a record of a dataset has. */
import type { Geometry } from '../geometry.js'
import { UNIT_COLUMNS, UNIT_FIELDS, unitColumn, type UnitFields } from '../unit-fields.js'

/** For each dataset of a file, in that order: its attributes with their values, or null where it records nothing. */
export type FrameValues = (Readonly<Record<string, string>> | null)[]
/** The units that the index records, by their columns; none where they are not asked for. */
type Units = Readonly<Record<string, string>>
/** A frame, or a feature, whose properties are the values of its dataset. */
export type FileItem = { id: string; geometry: Geometry; units: Units; values: FrameValues }

export const recordedUnits = (row: UnitFields): Units =>
  Object.fromEntries(UNIT_FIELDS.flatMap((field) => (row[field] === null ? [] : [[unitColumn(field), row[field]]])))

/** `integer` and `number`: every value is one that a double holds exactly as it is written. */
export type ValueType = 'integer' | 'number' | 'text'

export type ValueColumn = { layer: number; attribute: string; name: string; type: ValueType }

/** A table as it is written: with units or without, and its CSV with the guard against formulas or without. */
export type TableForm = {
  hasFeatures?: boolean
  units: boolean
  guards: boolean
  columns: readonly ValueColumn[]
  /** What a GeoPackage and a GeoParquet file say of themselves. */
  about?: string | undefined
}
export const FEATURE_KEY = 'feature_id'
export const keyOf = ({ hasFeatures = false }: Pick<TableForm, 'hasFeatures'>) =>
  hasFeatures ? FEATURE_KEY : 'frame_id'

/** Some format has a column of this name. Columns of values have the same names in all formats. */
export const FRAME_COLUMNS = ['frame_id', 'min_lon', 'min_lat', 'max_lon', 'max_lat', 'lon', 'lat', 'wkt']
export const TAKEN_NAMES = [...FRAME_COLUMNS, 'feature_id', ...UNIT_COLUMNS, 'id', 'fid', 'geom', 'geometry', 'bbox']

/** Fifteen digits are exact in a double, whatever the number. */
const integer = /^-?(0|[1-9]\d{0,14})$/
const decimal = /^-?(0|[1-9]\d*)(\.\d+)?([eE][+-]?\d{1,2})?$/

function valueType(value: string): ValueType {
  if (integer.test(value)) return 'integer'
  if (!decimal.test(value)) return 'text'
  const digits = value
    .replace(/[eE].*/, '')
    .replace(/\D/g, '')
    .replace(/^0+/, '')
  return digits.length <= 15 || String(Number(value)) === value ? 'number' : 'text'
}

const rank: Record<ValueType, number> = { integer: 0, number: 1, text: 2 }
const wider = (one: ValueType | undefined, other: ValueType): ValueType =>
  one !== undefined && rank[one] >= rank[other] ? one : other

/**
 * `name` gives each column a name that no other one has, as uniqueNames does. `attributes` come first, for each dataset
 * that records something.
 */
export function collectColumns(
  layers: readonly string[],
  name: (attribute: string, layer: string) => string,
  attributes: readonly (readonly string[])[] = [],
) {
  const types = layers.map(
    (_, i) => new Map(attributes[i]?.map((attribute): [string, ValueType | undefined] => [attribute, undefined])),
  )
  const counts = layers.map(() => 0)
  return {
    add: (values: FrameValues): void => {
      for (const [layer, record] of values.entries()) {
        if (record === null) continue
        counts[layer] = (counts[layer] ?? 0) + 1
        const known = types[layer]
        for (const [attribute, value] of Object.entries(record)) {
          const before = known?.get(attribute)
          if (value !== '' && before !== 'text') known?.set(attribute, wider(before, valueType(value)))
          else if (!known?.has(attribute)) known?.set(attribute, before)
        }
      }
    },
    /** The columns, in the order of the datasets and then of the attributes as they were first met. */
    columns: (): ValueColumn[] =>
      types.flatMap((known, layer) =>
        Array.from(counts[layer] === 0 ? [] : known, ([attribute, type = 'text']) => ({
          layer,
          attribute,
          name: name(attribute, layers[layer] ?? ''),
          type,
        })),
      ),
    /** For each dataset, how many frames it records something on. */
    recorded: (): Record<string, number> => Object.fromEntries(layers.map((layer, i) => [layer, counts[i] ?? 0])),
  }
}

/**
 * Gives a name that is taken the name of its source in front, then a number. `taken`: the other columns of the file. Case
 * makes no difference, as in SQL.
 */
export function uniqueNames(taken: readonly string[]): (name: string, source: string) => string {
  const used = new Set(taken.map((each) => each.toLowerCase()))
  return (name, source) => {
    const candidates = [name, `${source}_${name}`]
    for (let number = 2; candidates.every((each) => used.has(each.toLowerCase())); number += 1) {
      candidates.push(`${source}_${name}_${number}`)
    }
    const free = candidates.find((each) => !used.has(each.toLowerCase())) ?? name
    used.add(free.toLowerCase())
    return free
  }
}

export const storedValue = (values: FrameValues, { layer, attribute }: ValueColumn): string =>
  values[layer]?.[attribute] ?? ''

type TypedColumn = { name: string; type: ValueType; read: (frame: FileItem) => string | number | bigint | null }

/** The columns of a format that has types, after the id and the outline. A blank text is no value. */
export const typedColumns = ({ units: hasUnits, columns }: TableForm): TypedColumn[] => [
  ...(hasUnits ? UNIT_COLUMNS : []).map((name): TypedColumn => ({
    name,
    type: 'text',
    read: ({ units }) => typedValue(units[name] ?? '', 'text'),
  })),
  ...columns.map((column): TypedColumn => ({
    name: column.name,
    type: column.type,
    read: ({ values }) => typedValue(storedValue(values, column), column.type),
  })),
]

function typedValue(value: string, type: ValueType): string | number | bigint | null {
  if (value === '') return null
  if (type === 'text') return value
  return type === 'integer' ? BigInt(value) : Number(value)
}
