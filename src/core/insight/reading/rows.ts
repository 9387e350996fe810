/**
 * The operations of the grammar, as data. A row fits where a clause has all slots that the row needs; a slot that the row
 * neither needs nor allows is not answered. The suite asks each example.
 */
import type { CueName } from './items.js'

/**
 * T: a topic. C: a class that is asked for. W: a condition or a place. N: a number of frames or units.
 * X: the most or the least. G: each unit or class has its figure. U: one or some units are asked for, by their figures.
 * H: units pass a test. S: their share passes a test. A: the class of frames that a share is of.
 */
export type Slot = CueName | 'T' | 'C' | 'W' | 'N' | 'X' | 'U' | 'H' | 'S' | 'G' | 'A'

const OF_GROUPS = 'count names rank amount per share W'
const OPERATION_ROWS = [
  // one topic, or a list of them
  ['T', 'count which W profile', 'usual', 'How many people live here?'],
  ['T compare', 'count which W frames mean', 'compare', 'Compare the population of these frames.'],
  ['T W where', 'count which', 'usual', 'How many people live where the slope is above 5 degrees?'],
  ['T sum', 'count W', 'sum', 'What is the total population?'],
  ['T mean', 'count frames per-frame W', 'mean', 'What is the average number of schools per frame?'],
  ['T per-frame', 'count W', 'mean', 'How many people live in each frame?'],
  ['T median', 'count frames per-frame W', 'median', 'What is the median population?'],
  ['T X', 'count which where frames top bottom N W by amount sum', 'extreme', 'Which two frames have the most people?'],
  ['T rank', 'count which frames X N W by amount', 'rank', 'Rank the frames by population.'],
  ['T top frames', 'count N W by amount X', 'rank', 'What are the top 3 frames by buildings?'],
  ['T range', 'count W', 'range', 'What is the range of elevation?'],
  ['T interval', 'count which how sum do W density share mean', 'interval', 'How sure is the number of people?'],
  ['T mode', 'which W', 'mode', 'What is the most common land cover?'],
  ['T change', 'count amount by share how W which', 'change', 'How has the population changed?'],
  ['T trend', 'which how amount by W', 'trend', 'Is the population growing?'],
  ['T density', 'count mean W', 'per_km2', 'How many people are there per square kilometre?'],
  ['T per', 'count mean sum W', 'per', 'How many people are there per school?'],
  ['T share W', 'count sum', 'portion', 'What share of people live in urban frames?'],
  ['T names', 'which W', 'names', 'What are the names of the schools?'],
  ['T extent', 'count sum W measure', 'extent', 'How long are the main roads?'],
  ['T size', 'count sum W measure', 'extent', 'How large are the nature reserves?'],
  // units and classes
  ['T G', `${OF_GROUPS} by mean density sum compare X mode which extent`, 'by', 'How many people live in each ward?'],
  ['T G interval', 'count names how sum by share density W', 'by', 'How sure is the number of people in each ward?'],
  ['T U', `${OF_GROUPS} by mean compare top bottom N`, 'by', 'List the wards by number of schools.'],
  ['T U X', `${OF_GROUPS} by mean density which where sum top bottom N`, 'by', 'Which ward has the most people?'],
  ['T U S', 'which count names share W', 'by', 'In which wards do more than half of the people live in rural frames?'],
  ['H U', 'which count names share', 'passing', 'Which wards have no school?'],
  ['U X', 'which size by N', 'largest', 'Which ward is the largest?'],
  ['G frames', 'count which names', 'frames', 'How many frames are there in each ward?'],
  ['U', 'which where count names W', 'units', 'What ward is this?'],
  // frames and classes
  ['W frames', 'count which where names share', 'frames', 'Which frames have no clinic?'],
  ['frames', 'count', 'frames', 'How many frames are there?'],
  ['A share W', 'count frames', 'among', 'What share of urban frames have a school?'],
  ['C', 'count share which names mode or compare W', 'class', 'What percentage is cropland?'],
  ['C G', 'count share which names frames W by', 'classBy', 'What share of each ward is cropland?'],
  [
    'C U',
    'count share which names frames W by rank X N top bottom sum',
    'classBy',
    'Which ward has the most cropland?',
  ],
  ['C frames', 'count share which where W', 'class', 'How many frames are urban?'],
  // the index itself
  ['size', 'count sum which W measure', 'area', 'How big is this area?'],
  ['size share W', 'count which G U X N rank by top bottom', 'areaShare', 'What share of the land has no school?'],
  ['where', 'frames', 'unitsHere', 'Where is this?'],
] as const

export type RowOperation = (typeof OPERATION_ROWS)[number][2]
type OperationRow = { needs: Slot[]; may: Slot[]; operation: RowOperation; example: string }

const slotsOf = (text: string) => text.split(' ') as Slot[]

export const rows: readonly OperationRow[] = OPERATION_ROWS.map(([needs, may, operation, example]) => ({
  needs: slotsOf(needs),
  may: slotsOf(may),
  operation,
  example,
}))

/** The row that fits best: it leaves the fewest slots over, and needs the most. */
export function rowFor(slots: ReadonlySet<Slot>): OperationRow | undefined {
  const leftOver = ({ needs, may }: OperationRow) =>
    [...slots].filter((slot) => !needs.includes(slot) && !may.includes(slot)).length
  return rows
    .filter(({ needs }) => needs.every((slot) => slots.has(slot)))
    .toSorted((a, b) => leftOver(a) - leftOver(b) || b.needs.length - a.needs.length)[0]
}
