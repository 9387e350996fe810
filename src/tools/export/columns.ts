/** The columns of a file for the values of datasets: one for each attribute that a record has. */
import type { ValueType } from '../../core/geoparquet.js'
import type { FrameValues } from './frames.js'

export type ValueColumn = { layer: number; attribute: string; name: string; type: ValueType }

/** A table as it is written: with units or without, and its CSV with the guard against formulas or without. */
export type TableForm = { units: boolean; guards: boolean; columns: readonly ValueColumn[] }

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

export type ColumnCollector = ReturnType<typeof collectColumns>

/** `taken`: the other columns of the file. A column never gets a name that another one has. */
export function collectColumns(layers: readonly string[], taken: readonly string[]) {
  const types = layers.map(() => new Map<string, ValueType | undefined>())
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
    columns: (): ValueColumn[] => {
      const name = uniqueNames(taken)
      return types.flatMap((known, layer) =>
        Array.from(known, ([attribute, type = 'text']) => ({
          layer,
          attribute,
          name: name(attribute, layers[layer] ?? ''),
          type,
        })),
      )
    },
    /** For each dataset, how many frames it records something on. */
    recorded: (): Record<string, number> => Object.fromEntries(layers.map((layer, i) => [layer, counts[i] ?? 0])),
  }
}

/** Gives a name that is taken the name of its source in front, then a number. Case makes no difference, as in SQL. */
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
