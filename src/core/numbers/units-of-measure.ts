/** Units of measure: what they measure, and how many of them are one of the first unit of their kind. */

type Dimension = 'length' | 'area' | 'mass' | 'time' | 'angle' | 'share'
export type UnitOfMeasure = { name: string; dimension: Dimension; factor: string }

/** The name that answers say, its spellings, and how many are one metre, square metre, kilogram, minute or degree: turned round. */
const UNITS: Readonly<Record<Dimension, readonly [name: string, spellings: string, inFirst: string][]>> = {
  length: [
    ['m', 'm metre metres meter meters', '1'],
    ['km', 'km kms kilometre kilometres kilometer kilometers', '1000'],
    ['feet', 'ft foot feet', '0.3048'],
    ['miles', 'mile miles mi', '1609.344'],
    ['mm', 'mm millimetre millimetres millimeter millimeters', '0.001'],
  ],
  area: [
    ['m²', 'm2 sqm', '1'],
    ['km²', 'km2 sqkm', '1000000'],
    ['hectares', 'ha hectare hectares', '10000'],
    ['acres', 'acre acres', '4046.8564224'],
    ['square miles', '', '2589988.110336'],
    ['square feet', '', '0.09290304'],
  ],
  mass: [
    ['kg', 'kg kilogram kilograms kilogramme kilogrammes', '1'],
    ['t', 't tonne tonnes', '1000'],
  ],
  time: [
    ['minutes', 'minute minutes min mins', '1'],
    ['hours', 'hour hours hr hrs', '60'],
  ],
  angle: [['degrees', 'degree degrees', '1']],
  share: [['%', '', '1']],
}

const SQUARES: Readonly<Record<string, string>> = { m: 'm²', km: 'km²', feet: 'square feet', miles: 'square miles' }

const all = Object.entries(UNITS).flatMap(([dimension, units]) =>
  units.map(([name, spellings, factor]) => ({
    spellings: spellings === '' ? [] : spellings.split(' '),
    unit: { name, dimension: dimension as Dimension, factor },
  })),
)
const bySpelling = new Map(all.flatMap(({ spellings, unit }) => spellings.map((word) => [word, unit] as const)))
const byName = new Map(all.map(({ unit }) => [unit.name, unit]))

/** The unit at a place among words, and how many words it has: "square mile" has two. */
export function unitOfMeasureAt(
  words: readonly string[],
  at: number,
): { unit: UnitOfMeasure; length: number } | undefined {
  const [first = '', second = ''] = words.slice(at, at + 2)
  const isSquare = /^(square|sq)$/.test(first)
  const own = bySpelling.get(isSquare ? second : first)
  const unit = isSquare && own ? byName.get(SQUARES[own.name] ?? '') : own
  return unit && { unit, length: isSquare ? 2 : 1 }
}

/** The unit of a figure, as the catalogue writes it: "% of households" is one of shares. */
export const unitOfMeasureNamed = (name: string | null | undefined): UnitOfMeasure | undefined =>
  byName.get(name?.replace(/^% of .*/, '%') ?? '') ?? bySpelling.get(name ?? '')
