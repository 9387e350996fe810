/** The catalogue of the columns of values, as "import baseline --attributes" reads it. */
import { type Database, sqlText } from '../db/index.js'
import type { ValueColumn } from './columns.js'

/** An attribute as an import takes it. */
type Entry = {
  name: string
  column?: string
  [member: string]: string | readonly string[] | undefined
} & Partial<Record<'weight' | 'lower' | 'upper' | 'draws', string>>

/** For each dataset, the entries of its attributes in their order. */
type Catalogues = readonly (readonly Entry[])[]

export const cataloguesOf = (db: Pick<Database, 'rows'>, layers: readonly string[]): Promise<Catalogues> =>
  Promise.all(
    layers.map(async (layer) => {
      const rows = await db.rows<Record<string, unknown>>(sqlText('import/attributes_before'), [layer])
      return rows.map((row) => Object.fromEntries(Object.entries(row).filter(([, value]) => value !== null)) as Entry)
    }),
  )

/** The bounds of an attribute that has them in columns of its dataset are there already. */
export const isRepeated = ({ layer, attribute }: ValueColumn, catalogues: Catalogues): boolean => {
  const entries = catalogues[layer] ?? []
  const isBound = entries.some(
    ({ name, lower }) => lower !== undefined && [`${name}_lower`, `${name}_upper`].includes(attribute),
  )
  return isBound && entries.every(({ name }) => name !== attribute)
}

/**
 * Attributes of one dataset keep their names; those of several have the names of their columns. A file has the bounds of
 * draws and no draws.
 */
export function catalogueOfFile(columns: readonly ValueColumn[], catalogues: Catalogues): Entry[] {
  const columnOf = (layer: number, attribute: string) =>
    columns.find((column) => column.layer === layer && column.attribute === attribute)?.name
  return columns.flatMap(({ layer, attribute, name: column }) => {
    const entry = catalogues[layer]?.find(({ name }) => name === attribute)
    if (entry === undefined) return []
    const { draws, weight, lower, upper, ...about } = entry
    const isAlone = catalogues.length === 1
    const nameOf = (other: string) => (isAlone ? other : (columnOf(layer, other) ?? other))
    const bounds = draws === undefined ? [lower, upper] : [`${attribute}_lower`, `${attribute}_upper`]
    const [low, high] = bounds.map((bound) =>
      bound !== undefined && columnOf(layer, bound) !== undefined ? nameOf(bound) : undefined,
    )
    return {
      ...about,
      name: nameOf(attribute),
      ...(isAlone && column !== attribute ? { column } : {}),
      ...(weight === undefined ? {} : { weight: weight === 'area' ? weight : nameOf(weight) }),
      ...(low === undefined || high === undefined ? {} : { lower: low, upper: high }),
    }
  })
}
